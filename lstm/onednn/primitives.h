// What this row uses of oneDNN: its LSTM for a chunk of steps, forward and backward, and its reorders of weights. The
// library's exceptions end here.
#ifndef EARSHOT_LSTM_ONEDNN_PRIMITIVES_H_
#define EARSHOT_LSTM_ONEDNN_PRIMITIVES_H_

#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

// The library computes on the calling thread alone for this object's lifetime.
class OnednnOnThisThread {
 public:
  OnednnOnThisThread();
  ~OnednnOnThisThread();
  OnednnOnThisThread(const OnednnOnThisThread&) = delete;
  OnednnOnThisThread& operator=(const OnednnOnThisThread&) = delete;

 private:
  const int saved_threads_;
};

// A primitive and its arguments (DNNL_ARG_...), whose memory is named before each run. Runs of one object must not
// overlap; different objects are independent.
class OnednnPrimitive {
 public:
  using Arguments = std::vector<std::pair<int, dnnl::memory::desc>>;

  OnednnPrimitive() = default;
  OnednnPrimitive(dnnl::primitive primitive, const Arguments& arguments);  // throws dnnl::error

  void Bind(int argument, const void* data);  // an output's data is written, whatever the type says
  void Run() const;

 private:
  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::vector<dnnl::memory> memory_;        // of each argument
  std::vector<dnnl_exec_arg_t> arguments_;  // as Run hands them over
};

// How weights lie in memory: as the library prefers them in each pass, and their gradients. Dimensions 1, 1, I or H
// (inputs), 4 (gates, i f g o as ours), H (units).
struct OnednnFormats {
  dnnl::memory::desc w_ih, w_hh;  // forward
  dnnl::memory::desc w_ih_backward, w_hh_backward;
  dnnl::memory::desc dw_ih, dw_hh;
};

// The library is to choose.
OnednnFormats AnyOnednnFormats(const LstmLevelConfig& config);
// As the parameters lie: [4H, inputs].
dnnl::memory::desc OnednnParameterFormat(int64_t inputs, int64_t hidden);

// One direction, left to right, of `steps` frames of `batch` utterances. Arguments are DNNL_ARG_SRC_LAYER [steps,
// batch, I], SRC_ITER and SRC_ITER_C [batch, H], WEIGHTS_LAYER, WEIGHTS_ITER, WEIGHTS_PEEPHOLE [3, H] (with peepholes),
// BIAS [4, H], DST_LAYER [steps, batch, H], DST_ITER, DST_ITER_C, WORKSPACE, SCRATCHPAD and in `backward` DIFF_... of
// all but the last two. Gradients of weights, peepholes and the bias are added to.
struct OnednnChunk {
  OnednnPrimitive forward, backward;
  int64_t workspace_size = 0;  // floats; carries what forward saves to backward
  int64_t scratch_size = 0;    // floats; of either pass
};
// `formats`: in, what is asked for; out, what the chunk uses.
absl::StatusOr<OnednnChunk> CreateOnednnChunk(const LstmLevelConfig& config, int steps, int batch,
                                              OnednnFormats* formats);

// Copies DNNL_ARG_FROM to DNNL_ARG_TO, or adds to it.
absl::StatusOr<OnednnPrimitive> CreateOnednnReorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to,
                                                    bool add);

// Floats that an array of this format takes.
int64_t OnednnSize(const dnnl::memory::desc& format);

}  // namespace earshot

#endif  // EARSHOT_LSTM_ONEDNN_PRIMITIVES_H_
