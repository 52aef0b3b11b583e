#include "asr/checkpoint/param_names.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/read_error.h"
#include "lstm/lstm_params.h"

namespace earshot {
namespace {

constexpr absl::string_view kBiasIh = "lstm.bias_ih", kBiasHh = "lstm.bias_hh";

// The name of PyTorch's second bias beside bias_ih; empty for any other parameter.
std::string SecondBias(absl::string_view name) {
  return absl::StartsWith(name, kBiasIh) ? absl::StrCat(kBiasHh, name.substr(kBiasIh.size())) : "";
}

absl::StatusOr<const CheckpointTensor*> Find(const Checkpoint& checkpoint, const std::string& name,
                                             const std::vector<int64_t>& shape) {
  const std::string expected =
      absl::StrCat("tensor ", Quoted(name), ": expected shape [", absl::StrJoin(shape, ","), "], found ");
  const auto it = checkpoint.tensors.find(name);
  if (it == checkpoint.tensors.end()) return absl::InvalidArgumentError(expected + "no such tensor");
  if (it->second.shape == shape) return &it->second;
  return absl::InvalidArgumentError(absl::StrCat(expected, "[", absl::StrJoin(it->second.shape, ","), "]"));
}

}  // namespace

std::vector<ParamTensor> ParamTensors(absl::Span<const LstmLevelConfig> levels, int num_classes, bool output_bias) {
  CHECK(!levels.empty());
  std::vector<ParamTensor> layout;
  int64_t offset = 0;
  const auto add = [&](std::string name, std::vector<int64_t> shape) {
    int64_t size = 1;
    for (int64_t d : shape) size *= d;
    layout.push_back({std::move(name), std::move(shape), offset, size});
    offset += size;
  };
  for (size_t level = 0; level < levels.size(); ++level) {
    const LstmLevelConfig& c = levels[level];
    const int64_t h = c.hidden_size;
    const int64_t before = offset;
    for (int d = 0; d < c.directions; ++d) {
      const std::string suffix = absl::StrCat("_l", level, d == 1 ? "_reverse" : "");
      add(absl::StrCat("lstm.weight_ih", suffix), {4 * h, c.input_size});
      add(absl::StrCat("lstm.weight_hh", suffix), {4 * h, h});
      add(absl::StrCat(kBiasIh, suffix), {4 * h});
      for (const char* part : {"peephole_i", "peephole_f", "peephole_o"}) {
        if (c.peepholes) add(absl::StrCat("lstm.", part, suffix), {h});
      }
      for (const char* part : {"h0", "c0"}) {
        if (c.trainable_initial_state) add(absl::StrCat("lstm.", part, suffix), {h});
      }
    }
    CHECK_EQ(offset - before, LstmParamsSize(c));
  }
  add("output.weight", {num_classes, int64_t{levels.back().directions} * levels.back().hidden_size});
  if (output_bias) add("output.bias", {num_classes});
  return layout;
}

void AddParams(absl::Span<const float> flat, absl::Span<const ParamTensor> layout, absl::string_view prefix,
               Checkpoint* checkpoint) {
  CHECK(!layout.empty());
  CHECK_EQ(static_cast<int64_t>(flat.size()), layout.back().offset + layout.back().size);
  for (const ParamTensor& p : layout) {
    const auto values = flat.subspan(p.offset, p.size);
    checkpoint->tensors[absl::StrCat(prefix, p.name)] = {p.shape, {values.begin(), values.end()}};
    const std::string second = SecondBias(p.name);
    if (prefix.empty() && !second.empty()) checkpoint->tensors[second] = {p.shape, std::vector<float>(p.size)};
  }
}

absl::Status CheckParams(const Checkpoint& checkpoint, absl::Span<const ParamTensor> layout, absl::string_view prefix) {
  std::set<std::string> known;
  for (const ParamTensor& p : layout) {
    const std::string name = absl::StrCat(prefix, p.name), second = SecondBias(p.name);
    known.insert(name);
    const absl::Status found = Find(checkpoint, name, p.shape).status();
    if (!found.ok()) return found;
    if (!prefix.empty() || second.empty() || checkpoint.tensors.count(second) == 0) continue;
    known.insert(second);
    const absl::Status bias = Find(checkpoint, second, p.shape).status();
    if (!bias.ok()) return bias;
  }
  for (const auto& [name, tensor] : checkpoint.tensors) {
    const bool ours = absl::StartsWith(name, absl::StrCat(prefix, "lstm.")) ||
                      absl::StartsWith(name, absl::StrCat(prefix, "output."));
    if (!ours || known.count(name) > 0) continue;
    return absl::InvalidArgumentError(absl::StrCat("tensor ", Quoted(name),
                                                   ": expected no such tensor in this network, found [",
                                                   absl::StrJoin(tensor.shape, ","), "]"));
  }
  return absl::OkStatus();
}

absl::Status ReadParams(const Checkpoint& checkpoint, absl::Span<const ParamTensor> layout, absl::string_view prefix,
                        absl::Span<float> flat) {
  CHECK(!layout.empty());
  CHECK_EQ(static_cast<int64_t>(flat.size()), layout.back().offset + layout.back().size);
  const absl::Status status = CheckParams(checkpoint, layout, prefix);
  if (!status.ok()) return status;
  for (const ParamTensor& p : layout) {
    const std::vector<float>& values = checkpoint.tensors.at(absl::StrCat(prefix, p.name)).values;
    std::copy(values.begin(), values.end(), flat.begin() + p.offset);
    const auto second = checkpoint.tensors.find(SecondBias(p.name));
    if (!prefix.empty() || second == checkpoint.tensors.end()) continue;
    for (int64_t i = 0; i < p.size; ++i) {
      const float bias = second->second.values[i];
      if (bias != 0) flat[p.offset + i] += bias;  // adding 0 would turn -0 into +0
    }
  }
  return absl::OkStatus();
}

}  // namespace earshot
