// Helpers of the conformance suite: random problems, the float64 truth, and the comparison of an implementation with
// it.
#ifndef EARSHOT_LSTM_TESTING_CONFORMANCE_H_
#define EARSHOT_LSTM_TESTING_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/packing.h"
#include "lstm/lstm.h"

namespace earshot {

struct LstmCase {
  std::string name;
  LstmLevelConfig config;
  std::vector<int32_t> lengths;  // longest first
  bool given_initial_state = false;
  bool recurrent_mask = false;
  uint64_t seed = 1;

  int64_t rows() const;
};

// The numbers of a case: a function of the case's shape and seed.
struct LstmData {
  std::vector<float> params, x, dy;  // [P], [N, I], [N, D*H]
  std::vector<float> h0, c0, mask;   // [D, B, H] each, or empty
};
LstmData MakeData(const LstmCase& c);

// Makes dy 0 but for each utterance's last frame.
void KeepLastFrames(const LstmCase& c, LstmData* data);

// Utterance b of a batch as a batch of its own.
LstmData Alone(const LstmCase& c, const LstmData& data, int b, LstmCase* alone);

// Everything that comes out of a forward and a backward pass.
template <typename T>
struct LstmResults {
  std::vector<T> y, dx, dparams;    // [N, D*H], [N, I], [P]
  std::vector<T> h_final, c_final;  // [D, B, H]
  std::vector<T> dh0, dc0;          // [D, B, H]; empty when no initial state was given
};

// The truth in double.
LstmResults<double> Truth(const LstmCase& c, const LstmData& data);

struct RunOptions {
  bool with_dx = true;
  float dparams_start = 0;   // what dparams holds before the pass adds to it
  bool last_frames = false;  // of dy, only each utterance's last row is handed over, [B, D*H]
};

// One pass of an implementation; outputs are filled with NaN first.
LstmResults<float> RunLstm(Lstm* lstm, const LstmCase& c, const LstmData& data, const RunOptions& options = {});

// Compares part by part (each weight matrix, bias... on its own scale) with the tolerance of base/testing/near.h.
testing::AssertionResult Conforms(const LstmCase& c, const LstmResults<float>& actual,
                                  const LstmResults<double>& expected, double factor);

// Bit for bit.
testing::AssertionResult SameResults(const LstmResults<float>& actual, const LstmResults<float>& expected);

// The shapes and options that every implementation has to get right.
std::vector<LstmCase> ConformanceCases();

}  // namespace earshot

#endif  // EARSHOT_LSTM_TESTING_CONFORMANCE_H_
