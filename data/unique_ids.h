// Ids for utterances and recordings whose list gives none.
#ifndef EARSHOT_DATA_UNIQUE_IDS_H_
#define EARSHOT_DATA_UNIQUE_IDS_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "data/utterance_source.h"

namespace earshot {

// "b_c" for the audio "a/b c.wav": the file's name without its extension, with "_" for what no id may have. Commands
// give their last word in this way, which at least tells them apart.
std::string IdFromAudio(const UtteranceSource& source);

// Keeps views: the ids must outlive it, where they are.
class UniqueIds {
 public:
  bool Add(absl::string_view id) { return ids_.insert(id).second; }  // false: it is there
  // `stem`, or "stem-2", "stem-3" ... : the first that is not there. Does not add it.
  std::string Make(absl::string_view stem);

 private:
  absl::flat_hash_set<absl::string_view> ids_;
  absl::flat_hash_map<std::string, int64_t> last_;  // number of each stem, so that many equal ones are quick
};

}  // namespace earshot

#endif  // EARSHOT_DATA_UNIQUE_IDS_H_
