#include "lstm/onednn/primitives.h"

#include <oneapi/dnnl/dnnl_debug.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"

// The library of Debian runs on OpenMP, whose header comes with compilers, not with the library.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace earshot {
namespace {

using Desc = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;

constexpr dnnl::memory::data_type kFloat = dnnl::memory::data_type::f32;
constexpr auto kLeftToRight = dnnl::rnn_direction::unidirectional_left2right;

const dnnl::engine& CpuEngine() {
  static const auto* const engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

dnnl::primitive_attr OwnScratch() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

absl::Status ToStatus(const dnnl::error& error) {
  return absl::UnavailableError(absl::StrCat("oneDNN: ", error.what()));
}

// The shapes of one chunk.
struct Shapes {
  Shapes(const LstmLevelConfig& c, int steps, int batch)
      : x({steps, batch, c.input_size}, kFloat, Tag::tnc),
        y({steps, batch, c.hidden_size}, kFloat, Tag::tnc),
        state({1, 1, batch, c.hidden_size}, kFloat, Tag::ldnc),
        bias({1, 1, 4, c.hidden_size}, kFloat, Tag::ldgo) {
    if (c.peepholes) peepholes = Desc({1, 1, 3, c.hidden_size}, kFloat, Tag::ldgo);
  }

  Desc x, y, state, bias, peepholes;
};

// Of the forward primitive; the backward one has them too.
template <typename PrimitiveDesc>
OnednnPrimitive::Arguments ForwardArguments(const LstmLevelConfig& config, const Shapes& s, const PrimitiveDesc& pd) {
  OnednnPrimitive::Arguments arguments = {{DNNL_ARG_SRC_LAYER, s.x},
                                          {DNNL_ARG_SRC_ITER, s.state},
                                          {DNNL_ARG_SRC_ITER_C, s.state},
                                          {DNNL_ARG_WEIGHTS_LAYER, pd.weights_layer_desc()},
                                          {DNNL_ARG_WEIGHTS_ITER, pd.weights_iter_desc()},
                                          {DNNL_ARG_BIAS, s.bias},
                                          {DNNL_ARG_DST_LAYER, s.y},
                                          {DNNL_ARG_DST_ITER, s.state},
                                          {DNNL_ARG_DST_ITER_C, s.state},
                                          {DNNL_ARG_WORKSPACE, pd.workspace_desc()},
                                          {DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc()}};
  if (config.peepholes) arguments.emplace_back(DNNL_ARG_WEIGHTS_PEEPHOLE, s.peepholes);
  return arguments;
}

OnednnPrimitive::Arguments BackwardArguments(const LstmLevelConfig& config, const Shapes& s,
                                             const dnnl::lstm_backward::primitive_desc& pd) {
  OnednnPrimitive::Arguments arguments = ForwardArguments(config, s, pd);
  const OnednnPrimitive::Arguments gradients = {{DNNL_ARG_DIFF_SRC_LAYER, s.x},
                                                {DNNL_ARG_DIFF_SRC_ITER, s.state},
                                                {DNNL_ARG_DIFF_SRC_ITER_C, s.state},
                                                {DNNL_ARG_DIFF_WEIGHTS_LAYER, pd.diff_weights_layer_desc()},
                                                {DNNL_ARG_DIFF_WEIGHTS_ITER, pd.diff_weights_iter_desc()},
                                                {DNNL_ARG_DIFF_BIAS, s.bias},
                                                {DNNL_ARG_DIFF_DST_LAYER, s.y},
                                                {DNNL_ARG_DIFF_DST_ITER, s.state},
                                                {DNNL_ARG_DIFF_DST_ITER_C, s.state}};
  arguments.insert(arguments.end(), gradients.begin(), gradients.end());
  if (config.peepholes) arguments.emplace_back(DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE, s.peepholes);
  return arguments;
}

OnednnChunk MakeChunk(const LstmLevelConfig& config, int steps, int batch, OnednnFormats* formats) {
  const Shapes s(config, steps, batch);
  OnednnFormats& f = *formats;
  const dnnl::lstm_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, kLeftToRight, s.x, s.state, s.state, f.w_ih, f.w_hh, s.peepholes, s.bias, s.y,
       s.state, s.state},
      OwnScratch(), CpuEngine());
  const dnnl::lstm_backward::primitive_desc backward({dnnl::prop_kind::backward,
                                                      kLeftToRight,
                                                      s.x,
                                                      s.state,
                                                      s.state,
                                                      f.w_ih_backward,
                                                      f.w_hh_backward,
                                                      s.peepholes,
                                                      s.bias,
                                                      s.y,
                                                      s.state,
                                                      s.state,
                                                      s.x,
                                                      s.state,
                                                      s.state,
                                                      f.dw_ih,
                                                      f.dw_hh,
                                                      s.peepholes,
                                                      s.bias,
                                                      s.y,
                                                      s.state,
                                                      s.state},
                                                     OwnScratch(), CpuEngine(), forward);
  f = {forward.weights_layer_desc(), forward.weights_iter_desc(),        backward.weights_layer_desc(),
       backward.weights_iter_desc(), backward.diff_weights_layer_desc(), backward.diff_weights_iter_desc()};
  OnednnChunk chunk;
  chunk.forward = OnednnPrimitive(dnnl::lstm_forward(forward), ForwardArguments(config, s, forward));
  chunk.backward = OnednnPrimitive(dnnl::lstm_backward(backward), BackwardArguments(config, s, backward));
  chunk.workspace_size = OnednnSize(forward.workspace_desc());
  chunk.scratch_size = std::max(OnednnSize(forward.scratchpad_desc()), OnednnSize(backward.scratchpad_desc()));
  return chunk;
}

}  // namespace

OnednnOnThisThread::OnednnOnThisThread() : saved_threads_(omp_get_max_threads()) { omp_set_num_threads(1); }
OnednnOnThisThread::~OnednnOnThisThread() { omp_set_num_threads(saved_threads_); }

OnednnPrimitive::OnednnPrimitive(dnnl::primitive primitive, const Arguments& arguments)
    : primitive_(std::move(primitive)), stream_(CpuEngine()) {
  for (const auto& [argument, format] : arguments) {
    memory_.push_back(dnnl::memory(format, CpuEngine(), DNNL_MEMORY_NONE));
    arguments_.push_back({argument, memory_.back().get()});
  }
}

void OnednnPrimitive::Bind(int argument, const void* data) {
  const auto found = std::find_if(arguments_.begin(), arguments_.end(),
                                  [argument](const dnnl_exec_arg_t& a) { return a.arg == argument; });
  CHECK(found != arguments_.end()) << "argument " << argument;
  const dnnl_status_t status = dnnl_memory_set_data_handle(found->memory, const_cast<void*>(data));
  CHECK(status == dnnl_success) << "oneDNN: " << dnnl_status2str(status);
}

void OnednnPrimitive::Run() const {
  const dnnl_status_t status =
      dnnl_primitive_execute(primitive_.get(), stream_.get(), static_cast<int>(arguments_.size()), arguments_.data());
  CHECK(status == dnnl_success) << "oneDNN: " << dnnl_status2str(status);
}

OnednnFormats AnyOnednnFormats(const LstmLevelConfig& config) {
  const Desc w_ih({1, 1, config.input_size, 4, config.hidden_size}, kFloat, Tag::any);
  const Desc w_hh({1, 1, config.hidden_size, 4, config.hidden_size}, kFloat, Tag::any);
  return {w_ih, w_hh, w_ih, w_hh, w_ih, w_hh};
}

Desc OnednnParameterFormat(int64_t inputs, int64_t hidden) {
  return Desc({1, 1, inputs, 4, hidden}, kFloat, Tag::ldgoi);
}

absl::StatusOr<OnednnChunk> CreateOnednnChunk(const LstmLevelConfig& config, int steps, int batch,
                                              OnednnFormats* formats) {
  try {
    return MakeChunk(config, steps, batch, formats);
  } catch (const dnnl::error& error) {
    return ToStatus(error);
  }
}

absl::StatusOr<OnednnPrimitive> CreateOnednnReorder(const Desc& from, const Desc& to, bool add) {
  try {
    dnnl::primitive_attr attr;
    if (add) {
      dnnl::post_ops ops;
      ops.append_sum();
      attr.set_post_ops(ops);
    }
    const dnnl::reorder::primitive_desc pd(CpuEngine(), from, CpuEngine(), to, attr);
    return OnednnPrimitive(dnnl::reorder(pd), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  } catch (const dnnl::error& error) {
    return ToStatus(error);
  }
}

int64_t OnednnSize(const Desc& format) {
  return static_cast<int64_t>((format.get_size() + sizeof(float) - 1) / sizeof(float));
}

}  // namespace earshot
