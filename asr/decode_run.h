// Everything that //asr:decode does behind its flags.
#ifndef EARSHOT_ASR_DECODE_RUN_H_
#define EARSHOT_ASR_DECODE_RUN_H_

#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace earshot {

struct DecodeRunOptions {
  std::string model, lstm;  // as the flags of decode_main.cc
  std::vector<std::string> inputs;
  bool allow_commands = false;
  bool json = false;
  int threads = 0;
};

// Writes one line an utterance to `out`. An input that cannot be read is reported on stderr, the others are decoded, and
// the result is an error at the end.
absl::Status RunDecoding(const DecodeRunOptions& options, FILE* out);

}  // namespace earshot

#endif  // EARSHOT_ASR_DECODE_RUN_H_
