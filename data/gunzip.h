// Unpacks gzip files (RFC 1952) piece by piece, so that what a small file expands to is never held as a whole.
#ifndef EARSHOT_DATA_GUNZIP_H_
#define EARSHOT_DATA_GUNZIP_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

// Whether `content` starts as a gzip file.
bool LooksLikeGzip(absl::string_view content);

class Gunzip {
 public:
  // `content` (and `name`, for messages) must outlive the object. Several members one after the other are one file.
  Gunzip(absl::string_view content, absl::string_view name);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // The next bytes, at most `capacity`, written to `out`; 0: the end. Errors, "NAME: byte N: ...", N being of the
  // packed file: no gzip data, cut short, a wrong checksum, something else behind the last member, more than
  // kMaxGzipExpansion unpacked bytes a packed one or kMaxListBytes in all (data/limits.h).
  absl::StatusOr<int64_t> Read(char* out, int64_t capacity);

 private:
  struct Stream;  // zlib's

  absl::Status NextMember();
  absl::Status CheckExpansion() const;

  absl::string_view content_, name_;
  std::unique_ptr<Stream> stream_;
  bool member_ended_ = false;
  int64_t at_ = 0, unpacked_ = 0;  // bytes of the content that are used up, and that came out
};

// The gzip file that unpacks to `content`; the same bytes for the same content, as no time is stored.
std::string Gzip(absl::string_view content);

}  // namespace earshot

#endif  // EARSHOT_DATA_GUNZIP_H_
