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
// power cut the old or the new one. `parts` are written one after the other. `keep_old_as`, when not empty, is a name
// in the same directory that the old file gets just before (its own old content is lost then): at any moment the old or
// the new content lies under `path`, or the old one under `keep_old_as`. A device, a pipe or a socket at `path`, or a
// link to one or to an open file (/dev/stdout), is an error: root would put a file in its place for all programs.
absl::Status WriteFileAtomically(const std::string& path, absl::Span<const absl::string_view> parts,
                                 const std::string& keep_old_as = "");

// What WriteFileAtomically is made of, for a file that is written in pieces (base/file_writer.h): whether `path` may be
// replaced; its temporary name; all bytes to an open file; and the renaming of the finished, fsynced `temporary`, which
// goes when that fails.
absl::Status CheckReplaceable(const std::string& path);
std::string TemporaryPath(const std::string& path);
absl::Status WriteAll(int fd, absl::string_view data, const std::string& path);
absl::Status PublishFile(const std::string& temporary, const std::string& path, const std::string& keep_old_as = "");

// Deletes a file for good (the directory is fsynced). One that is not there is fine.
absl::Status RemoveFile(const std::string& path);

// Deletes temporary files of WriteFileAtomically in `directory` whose process no longer lives. With `locked`, the
// caller holds a lock that keeps other writers out, and those of any process go: process ids alone are not sure (they
// get used again, stay with a zombie, and mean something else in another container).
absl::Status RemoveStaleTemporaryFiles(const std::string& directory, bool locked = false);

// All of standard input; an error for more than `max_bytes`.
absl::StatusOr<std::string> ReadStandardInput(int64_t max_bytes);

// Creates `path` and its missing parents (mode 0755). An existing directory is fine.
absl::Status MakeDirectories(const std::string& path);

// `path` itself when it is absolute, else joined to the directory in which the user typed the command
// (BUILD_WORKING_DIRECTORY under `bazel run`).
std::string UserPath(absl::string_view path);

// "PATH: cannot WHAT: No space left on device" with a code that fits the value of errno.
absl::Status ErrnoStatus(int error, absl::string_view path, absl::string_view what);

}  // namespace earshot

#endif  // EARSHOT_BASE_FILE_H_
