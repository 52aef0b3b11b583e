#include "bench/peer_subject.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/program_path.h"
#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/flops.h"

namespace earshot {
namespace {

// A framework as an interpreter has it.
struct Framework {
  absl::string_view name;
  absl::string_view scripts;              // bench/peers/SCRIPTS_steps.py
  absl::string_view interpreter;          // empty: that of the environment of bench/peers/setup.sh
  absl::string_view remedy;               // where it is absent
  std::vector<absl::string_view> layers;  // as the scripts have them
};

const std::vector<Framework>& Frameworks() {
  constexpr absl::string_view kSetup = "run bench/peers/setup.sh";
  static const auto* const frameworks = new std::vector<Framework>{
      {"torch", "torch", "", kSetup, {"lstm", "packed", "cell", "basic", "compile", "loss"}},
      {"torch1", "torch", "/usr/bin/python3", "apt-get install python3-torch", {"lstm", "packed", "cell", "basic"}},
      {"tf", "tf", "", kSetup, {"block", "block_cell", "while", "keras", "loss"}},
      {"jax", "jax", "", kSetup, {"scan", "loss"}},
      {"pytensor", "pytensor", "", kSetup, {"scan"}},
  };
  return *frameworks;
}

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  for (const Framework& framework : Frameworks()) {
    for (absl::string_view layer : framework.layers) names.push_back(absl::StrCat(framework.name, ":", layer));
  }
  return names;
}

// ${XDG_CACHE_HOME:-$HOME/.cache}/earshot/peers, as bench/peers/setup.sh.
std::string Environment() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  const std::string own = variable("EARSHOT_PEERS"), cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!own.empty()) return own;
  return cache.empty() ? absl::StrCat(home, "/.cache/earshot/peers") : absl::StrCat(cache, "/earshot/peers");
}

// The peer's view of the configuration: with every message that it reads there, so that JSON holds their defaults.
BenchConfig WithAllMessages(const BenchConfig& config) {
  BenchConfig full = config;
  full.mutable_train()->mutable_model()->mutable_lstm();
  full.mutable_train()->mutable_loss();
  full.mutable_train()->mutable_optimizer();
  full.mutable_batch();
  return full;
}

// Log-probabilities of T frames are as large as T ln C and rounded in each of T steps; what that adds up to, a random
// walk, is the relative error of CTC's posteriors in log space and single precision. Of PyTorch, TensorFlow and optax
// the largest over 4 to 1000 frames was 0.34 eps T ln C sqrt(T); 0.6 of it is allowed: 0.9 % of the largest gradient at
// T = 1000, C = 59. (bench/verify.cc allows our loss eps sqrt(N (2L + 1)).)
double ToleranceFactor(const BenchConfig& config) {
  const BenchBatch& batch = config.batch();
  if (config.measured() != BenchConfig::LOSS || config.train().loss().kind() != LossConfig::CTC) {
    return kDefaultToleranceFactor;
  }
  const double frames = batch.max_frames(), magnitude = 0.2 * frames * std::log(batch.classes());
  const double ours = static_cast<double>(ValidFrames(batch)) * (2 * batch.labels_per_utterance() + 1);
  return kDefaultToleranceFactor * magnitude * std::sqrt(frames / ours);
}

}  // namespace

std::string PeerNames() { return absl::StrJoin(AllNames(), ", "); }

absl::StatusOr<std::vector<std::string>> PeerCommand(const std::string& name, int threads) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(name, absl::MaxSplits(':', 1));
  const auto framework =
      std::find_if(Frameworks().begin(), Frameworks().end(), [&](const Framework& f) { return f.name == parts.first; });
  CHECK(framework != Frameworks().end()) << name;
  const std::string python =
      framework->interpreter.empty() ? absl::StrCat(Environment(), "/bin/python") : std::string(framework->interpreter);
  if (access(python.c_str(), X_OK) != 0) {
    return absl::UnavailableError(absl::StrCat("no ", python, ": ", framework->remedy));
  }
  const std::string script = RunfilePath("bench/peers/peer.py");
  if (access(script.c_str(), R_OK) != 0) {
    return absl::UnavailableError(absl::StrCat("no ", script, ": run the program where Bazel built it"));
  }
  // -I: nothing of the user's own Python gets in.
  return std::vector<std::string>{python,
                                  "-I",
                                  script,
                                  absl::StrCat(framework->scripts, ":", parts.second),
                                  absl::StrCat(threads),
                                  std::string(framework->remedy)};
}

absl::StatusOr<std::vector<std::unique_ptr<Subject>>> PeerSubjects(const std::vector<std::string>& names, int threads,
                                                                   double timeout_seconds) {
  std::vector<std::unique_ptr<Subject>> peers;
  const std::vector<std::string> all = AllNames();
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      return absl::NotFoundError(absl::StrCat("no peer '", name, "', expected some of ", PeerNames()));
    }
    peers.push_back(std::make_unique<PeerSubject>(name, PeerCommand(name, threads), timeout_seconds));
  }
  if (!names.empty()) return peers;
  return PeerSubjects(all, threads, timeout_seconds);
}

PeerSubject::PeerSubject(std::string name, absl::StatusOr<std::vector<std::string>> command, double timeout_seconds)
    : name_(std::move(name)), command_(std::move(command)), timeout_seconds_(timeout_seconds) {}

absl::StatusOr<PeerReply> PeerSubject::Call(const PeerRequest& request, absl::Span<const float> floats,
                                            std::vector<float>* reply_floats) {
  return process_->Call(request, floats, timeout_seconds_, reply_floats);
}

absl::Status PeerSubject::Load(const BenchConfig& config, absl::Span<const float> params) {
  sent_features_ = nullptr;
  gradients_status_ = absl::OkStatus();
  tolerance_factor_ = ToleranceFactor(config);
  RETURN_IF_ERROR(command_.status());
  if (process_ == nullptr) {
    ASSIGN_OR_RETURN(process_, PeerProcess::Start(*command_));
  }
  PeerRequest request;
  request.set_kind(PeerRequest::LOAD);
  *request.mutable_config() = WithAllMessages(config);
  ASSIGN_OR_RETURN(const PeerReply reply, Call(request, params, nullptr));
  record_.set_version(reply.version());
  record_.set_parameters(reply.parameters());
  record_.set_redundant_parameters(reply.redundant_parameters());
  record_.set_flush_denormals(reply.flush_denormals());
  record_.set_macs_per_frame(reply.macs_per_frame());
  unequal_work_.clear();
  const double macs = MacsPerFrame(config);
  if (reply.macs_per_frame() != macs) {
    unequal_work_ = absl::StrCat("it does ", reply.macs_per_frame(), " multiply-adds a frame, ours ", macs);
  }
  if (!unequal_work_.empty() || static_cast<size_t>(reply.parameters()) == params.size()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("trains ", reply.parameters(), " parameters, expected ", params.size()));
}

absl::Status PeerSubject::SendBatch(const Batch& batch) {
  const TensorView<const float, 2> features = batch.features.view();
  if (features.data() == sent_features_) return absl::OkStatus();
  PeerRequest request;
  request.set_kind(PeerRequest::BATCH);
  for (int b = 0; b < batch.packing.batch(); ++b) {
    request.add_lengths(batch.packing.lengths()[b]);
    PeerRequest::Labels* labels = request.add_labels();
    for (int32_t label : batch.labels.row(b)) labels->add_label(label);
  }
  const absl::Span<const float> floats(features.data(), features.dim(0) * features.dim(1));
  ASSIGN_OR_RETURN(const PeerReply reply, Call(request, floats, nullptr));
  const std::string different = reply.has_another_function() ? reply.another_function() : unequal_work_;
  record_.set_comparable(different.empty());
  record_.set_note(different);
  if (different.empty()) record_.clear_note();
  sent_features_ = features.data();
  return absl::OkStatus();
}

absl::StatusOr<double> PeerSubject::Step(const Batch& batch) {
  RETURN_IF_ERROR(gradients_status_);
  RETURN_IF_ERROR(SendBatch(batch));
  PeerRequest request;
  request.set_kind(PeerRequest::STEP);
  ASSIGN_OR_RETURN(const PeerReply reply, Call(request, {}, nullptr));
  if (!reply.has_loss() || !(reply.seconds() > 0)) {
    return absl::DataLossError("answers a step without its loss or its seconds");
  }
  step_seconds_ = reply.seconds();
  memory_bytes_ = reply.memory_bytes();
  return reply.loss();
}

absl::StatusOr<std::vector<float>> PeerSubject::Losses(const Batch& batch) {
  RETURN_IF_ERROR(SendBatch(batch));
  PeerRequest request;
  request.set_kind(PeerRequest::LOSSES);
  std::vector<float> losses;
  RETURN_IF_ERROR(Call(request, {}, &losses).status());
  return losses;
}

absl::Span<const float> PeerSubject::gradients() {
  PeerRequest request;
  request.set_kind(PeerRequest::GRADIENTS);
  gradients_.clear();
  gradients_status_ = Call(request, {}, &gradients_).status();
  return gradients_;
}

}  // namespace earshot
