// Reading whole files, and the one way to write a file that must never be seen half-written.
#ifndef EARSHOT_BASE_FILE_H_
#define EARSHOT_BASE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {

// The content of a regular file of at most `max_bytes`. Anything else (a directory, a pipe, a device, a larger file)
// is an error that names the path. Never blocks on a FIFO.
absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t max_bytes);

// Replaces `path` as a whole: a sibling temporary file `.NAME.tmp.PID` is written, fsynced, closed and renamed over
// `path`, then the directory is fsynced. After an error or a kill the old content of `path` is still there; after a
// power cut the old or the new one. `parts` are written one after the other.
absl::Status WriteFileAtomically(const std::string& path, absl::Span<const absl::string_view> parts);

// Deletes temporary files of WriteFileAtomically in `directory` whose process no longer lives.
absl::Status RemoveStaleTemporaryFiles(const std::string& directory);

// Creates `path` and its missing parents (mode 0755). An existing directory is fine.
absl::Status MakeDirectories(const std::string& path);

// `path` itself when it is absolute, else joined to the directory in which the user typed the command
// (BUILD_WORKING_DIRECTORY under `bazel run`).
std::string UserPath(absl::string_view path);

}  // namespace earshot

#endif  // EARSHOT_BASE_FILE_H_
