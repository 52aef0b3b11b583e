// The recipes as text, compiled into the program so that it needs no files of its own.
#ifndef EARSHOT_ASR_RECIPES_RECIPES_H_
#define EARSHOT_ASR_RECIPES_RECIPES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace earshot {

// The textproto of a recipe; null when there is none of that name.
const char* FindRecipe(absl::string_view name);

std::vector<std::string> RecipeNames();

}  // namespace earshot

#endif  // EARSHOT_ASR_RECIPES_RECIPES_H_
