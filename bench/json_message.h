// A protobuf message from JSON, strictly: protobuf's own parser says neither where an error is nor refuses dialects,
// and takes a field twice.
#ifndef EARSHOT_BENCH_JSON_MESSAGE_H_
#define EARSHOT_BENCH_JSON_MESSAGE_H_

#include <google/protobuf/message.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

// Fills the empty `message` with what `json` says, in the form in which protobuf prints it with the fields' own names:
// enums by name, integers of 64 bits as numbers or in quotes. Every field at most once, none that the message lacks, no
// null, no number that is not finite or does not fit. Errors: "NAME: byte N: expected X, found Y" (base/read_error.h).
absl::Status ParseJsonMessage(absl::string_view json, absl::string_view name, google::protobuf::Message* message);

}  // namespace earshot

#endif  // EARSHOT_BENCH_JSON_MESSAGE_H_
