// The textprotos of this folder as the build found them.
#ifndef EARSHOT_BENCH_PUBLISHED_PUBLISHED_FILES_H_
#define EARSHOT_BENCH_PUBLISHED_PUBLISHED_FILES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {

struct PublishedFile {
  absl::string_view path, text;
};
absl::Span<const PublishedFile> PublishedFiles();

}  // namespace earshot

#endif  // EARSHOT_BENCH_PUBLISHED_PUBLISHED_FILES_H_
