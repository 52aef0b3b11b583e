// LSTM by oneDNN, the vendor library on the CPU: its LSTM primitives for training, forward and backward.
//
// The library's own threads meet at every product of every step, and spin on for milliseconds after a call while the
// rest of the training step wants their cores. So each thread of our pool calls the library for itself, on one thread,
// for a share of the work: one direction of every S-th utterance.
#ifndef EARSHOT_LSTM_ONEDNN_ONEDNN_H_
#define EARSHOT_LSTM_ONEDNN_ONEDNN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

// Unavailable when the library cannot make its primitives for such a level.
absl::StatusOr<std::unique_ptr<Lstm>> CreateOnednn(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_ONEDNN_ONEDNN_H_
