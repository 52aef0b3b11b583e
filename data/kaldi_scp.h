// Kaldi's scp files: one "KEY LOCATION" a line.
#ifndef EARSHOT_DATA_KALDI_SCP_H_
#define EARSHOT_DATA_KALDI_SCP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

struct ScpEntry {
  std::string key;
  std::string location;  // all that stands behind the key; may hold spaces
};

// All entries, in the file's order. The two fields are separated by spaces or tabs; a line may end in CR LF, the file
// may start with a UTF-8 byte order mark. Errors are "NAME:LINE: expected X, found Y": an empty line, a key without a
// location, control characters, a key that is no id (IdProblem in data/kaldi_text.h), one that came before (its line is
// named).
absl::StatusOr<std::vector<ScpEntry>> ReadScp(absl::string_view content, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_SCP_H_
