// A file that is written in pieces and, like the files of base/file.h, never seen half-written under its own name.
#ifndef EARSHOT_BASE_FILE_WRITER_H_
#define EARSHOT_BASE_FILE_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

class FileWriter {
 public:
  // Creates the temporary file beside `path`; errors name it, or `path` if that may not be replaced. One writer of a
  // path at a time in a process.
  static absl::StatusOr<std::unique_ptr<FileWriter>> Create(const std::string& path);

  // Without Close the temporary file goes, and what was at `path` stays.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }  // bytes appended so far

  // Buffered: an error (a full disk) may belong to an earlier piece. After one, all calls give it again.
  absl::Status Append(absl::string_view data);

  // Writes the rest, fsyncs, renames over `path`, fsyncs the directory. Nothing may follow.
  absl::Status Close();

 private:
  FileWriter(const std::string& path, const std::string& temporary, int fd);
  absl::Status Flush();
  absl::Status CloseDescriptor();

  std::string path_, temporary_, buffer_;
  int fd_;  // -1: closed
  int64_t size_ = 0;
  absl::Status status_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_FILE_WRITER_H_
