// One read of a hostile file, and whether the reader kept what all readers promise: it takes at most four times the
// file and a mebibyte of memory, and 10 ms and 10 microseconds a byte of one CPU's time; what it refuses it refuses in
// the form of base/read_error.h.
#ifndef EARSHOT_BASE_TESTING_READ_ONCE_H_
#define EARSHOT_BASE_TESTING_READ_ONCE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

// Reads `content`, the bytes of a file of the name `name`. It should also look at what was read (shapes, ranges) and
// CHECK or EXPECT what the format promises.
using Reader = absl::FunctionRef<absl::Status(absl::string_view content, absl::string_view name)>;

// True for one printable line of one of the forms
//   NAME: byte N: expected X, found Y      (something may stand between "byte N: " and "expected")
//   NAME:LINE: expected X, found Y         (likewise)
//   NAME:LINE:COLUMN: TEXT                 (protobuf's text format)
bool IsReadError(absl::string_view message, absl::string_view name);

struct ReadOutcome {
  bool refused = false;
  std::string message;  // the reader's, when it refused
  std::string broken;   // the promise that was broken; empty: none
};

// Reads a copy of `content` once (again where it took too long) and looks at memory, time and message. The bytes lie at an odd address and alone in their
// block, so that the sanitizers see unaligned access and one byte too far.
ReadOutcome ReadOnce(absl::string_view content, Reader read);

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_READ_ONCE_H_
