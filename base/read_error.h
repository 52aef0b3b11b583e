// What readers of files say when they refuse one: where, what the format wants there, and what the file has.
#ifndef EARSHOT_BASE_READ_ERROR_H_
#define EARSHOT_BASE_READ_ERROR_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

// "NAME: byte N: expected X, found Y". N counts from 0, from the start of the file. InvalidArgument.
absl::Status ByteError(absl::string_view name, int64_t byte, absl::string_view expected, absl::string_view found);

// "NAME:LINE: expected X, found Y". Lines count from 1. InvalidArgument.
absl::Status LineError(absl::string_view name, int64_t line, absl::string_view expected, absl::string_view found);

// A file's own words for an error message: in quotes, everything that is not printable ASCII escaped (no terminal
// sequence gets through), cut after 60 bytes.
std::string Quoted(absl::string_view text);

}  // namespace earshot

#endif  // EARSHOT_BASE_READ_ERROR_H_
