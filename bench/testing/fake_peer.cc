// A peer (bench/peer.proto) that is our own step with one LSTM implementation, or that misbehaves: fake_peer MODE.
//   right         nothing is wrong
//   wrong_loss    the losses of the steps are 1 % too large
//   wrong_long    the same, where there are more frames than in a verification
//   wrong_gradient  gradients are 1 % too large
//   other         says that it computes another function
//   wider         has four more cells in every direction
//   unsupported   refuses to load
//   fails         its first step fails, and says so
//   dies          at its first step, with last words on standard error
//   hangs         at its first step
//   nonsense      its first step's answer is no JSON
//   no_seconds    its steps' answers hold no seconds
//   too_much      as counts, and more bytes than it says follow
//   fast_clock    says that its steps took a hundredth of the time
//   counts        answers every request with the milliseconds that a thread of its own has counted, as `parameters`
// The peak of its memory is 100 MB, and a byte more after each step.
#include <google/protobuf/util/json_util.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include "base/check.h"
#include "base/thread_pool.h"
#include "bench/flops.h"
#include "bench/peer.pb.h"
#include "bench/testing/wrong_subjects.h"

namespace earshot {
namespace {

class FakePeer {
 public:
  explicit FakePeer(std::string mode) : mode_(std::move(mode)) {}
  // The answer to a request that `floats` follow; *reply_floats follow it.
  PeerReply Answer(const PeerRequest& request, const std::vector<float>& floats, std::vector<float>* reply_floats);

 private:
  PeerReply Load(const PeerRequest& request, const std::vector<float>& floats);
  void SetBatch(const PeerRequest& request, const std::vector<float>& floats);
  PeerReply Step();

  const std::string mode_;
  ThreadPool pool_{1};
  TrainerSubject subject_{ImplementationOrDie("blas"), &pool_};
  int input_size_ = 0;
  int steps_ = 0;  // since Load
  Batch batch_;
};

PeerReply FakePeer::Load(const PeerRequest& request, const std::vector<float>& floats) {
  PeerReply reply;
  // A peer in another language has no defaults of its own.
  CHECK(request.config().train().optimizer().has_beta1());
  CHECK(request.config().train().loss().has_reduction());
  CHECK(request.config().train().model().lstm().has_peepholes());
  if (mode_ == "unsupported") reply.set_unsupported("peers have no such thing");
  BenchConfig config = request.config();
  std::vector<float> params = floats;
  if (mode_ == "wider") {
    LstmConfig* lstm = config.mutable_train()->mutable_model()->mutable_lstm();
    lstm->set_hidden_size(lstm->hidden_size() + 4);
    params = CanonicalParameters(config, &pool_).value();
  }
  const absl::Status status = subject_.Load(config, params);
  CHECK(status.ok()) << status.ToString();
  steps_ = 0;
  input_size_ = request.config().batch().input_size();
  reply.set_version("fake 1.0");
  reply.set_parameters(static_cast<int>(params.size()));
  reply.set_macs_per_frame(MacsPerFrame(config));
  reply.set_flush_denormals(true);
  return reply;
}

void FakePeer::SetBatch(const PeerRequest& request, const std::vector<float>& floats) {
  batch_ = Batch();
  batch_.packing = Packing::CreateOrDie(request.lengths());
  batch_.features.Resize({batch_.packing.rows(), input_size_});
  CHECK_EQ(static_cast<int64_t>(floats.size()), batch_.packing.rows() * input_size_);
  std::copy(floats.begin(), floats.end(), batch_.features.view().data());
  for (const PeerRequest::Labels& labels : request.labels()) {
    batch_.labels.AddRow(labels.label());
    batch_.ids.push_back("utterance");
  }
}

PeerReply FakePeer::Step() {
  using Clock = std::chrono::steady_clock;
  PeerReply reply;
  if (mode_ == "fails") reply.set_error("ValueError: no luck");
  if (mode_ == "dies") {
    std::cerr << "first words\nlast words" << std::endl;
    std::_Exit(3);
  }
  if (mode_ == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
  const Clock::time_point start = Clock::now();
  const absl::StatusOr<double> loss = subject_.Step(batch_);
  CHECK(loss.ok()) << loss.status().ToString();
  const bool wrong = mode_ == "wrong_loss" || (mode_ == "wrong_long" && batch_.packing.steps() > 8);
  reply.set_loss(wrong ? 1.01 * *loss : *loss);
  if (mode_ == "fast_clock") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  reply.set_memory_bytes(100'000'000 + ++steps_);
  if (mode_ != "no_seconds") reply.set_seconds(mode_ == "fast_clock" ? seconds / 100 : seconds);
  return reply;
}

PeerReply FakePeer::Answer(const PeerRequest& request, const std::vector<float>& floats,
                           std::vector<float>* reply_floats) {
  PeerReply reply;
  switch (request.kind()) {
    case PeerRequest::LOAD:
      return Load(request, floats);
    case PeerRequest::BATCH:
      SetBatch(request, floats);
      if (mode_ == "other") reply.set_another_function("it is another one");
      return reply;
    case PeerRequest::STEP:
      return Step();
    case PeerRequest::LOSSES:
      *reply_floats = subject_.Losses(batch_).value();
      return reply;
    case PeerRequest::GRADIENTS:
      for (float g : subject_.gradients()) reply_floats->push_back(mode_ == "wrong_gradient" ? 1.01f * g : g);
      return reply;
  }
  return reply;
}

int Main(const std::string& mode) {
  FakePeer peer(mode);
  std::atomic<int> milliseconds{0};
  std::thread([&] {
    for (;; ++milliseconds) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }).detach();
  for (std::string line; std::getline(std::cin, line);) {
    PeerRequest request;
    CHECK(google::protobuf::util::JsonStringToMessage(line, &request).ok()) << line;
    std::vector<float> floats(request.floats()), reply_floats;
    std::cin.read(reinterpret_cast<char*>(floats.data()), floats.size() * sizeof(float));
    PeerReply reply;
    if (mode == "counts" || mode == "too_much") {
      reply.set_parameters(milliseconds.load());
    } else {
      reply = peer.Answer(request, floats, &reply_floats);
    }
    reply.set_floats(static_cast<int>(reply_floats.size()));
    std::string answer;
    CHECK(google::protobuf::util::MessageToJsonString(reply, &answer).ok());
    if (mode == "nonsense" && request.kind() == PeerRequest::STEP) answer = "Segmentation fault";
    std::cout << answer << '\n';
    std::cout.write(reinterpret_cast<const char*>(reply_floats.data()), reply_floats.size() * sizeof(float));
    if (mode == "too_much") std::cout << "more";
    std::cout.flush();
  }
  std::_Exit(0);  // the counting thread goes on
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc > 1 ? argv[1] : "right"); }
