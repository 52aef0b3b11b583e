#include "data/spoken_corpus.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/crc32c.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "base/thread_pool.h"
#include "data/for_each.h"
#include "data/resample.h"
#include "data/spoken_cache.h"

namespace earshot {
namespace {

// The recordings of one part, as 16-bit samples.
class SpokenDataset : public Dataset {
 public:
  using Utterances = google::protobuf::RepeatedPtrField<SpokenUtterance>;
  SpokenDataset(Utterances utterances, int sample_rate)
      : utterances_(std::move(utterances)), sample_rate_(sample_rate) {}

  int64_t size() const override { return utterances_.size(); }
  Utterance Describe(int64_t i) const override {
    CHECK(i >= 0 && i < size()) << i;
    const SpokenUtterance& spoken = utterances_[static_cast<int>(i)];
    Utterance utterance;
    utterance.id = spoken.id();
    utterance.speaker = spoken.speaker();
    utterance.text = spoken.text();
    return utterance;
  }
  absl::StatusOr<Utterance> Get(int64_t i) const override {
    Utterance utterance = Describe(i);
    utterance.sample_rate = sample_rate_;
    utterance.waveform = DecodePcm(utterances_[static_cast<int>(i)].pcm());
    return utterance;
  }

 private:
  Utterances utterances_;
  int sample_rate_;
};

// Speech of a prompt at `sample_rate`, at its level, between its pauses, in noise.
absl::StatusOr<std::vector<float>> Render(const SpokenPrompt& prompt, int sample_rate, RandomStream* noise) {
  ASSIGN_OR_RETURN(const std::vector<int16_t> spoken, Speak(prompt.request));
  const std::vector<float> at_own_rate(spoken.begin(), spoken.end());
  ASSIGN_OR_RETURN(const std::vector<float> speech, Resample(at_own_rate, kEspeakSampleRate, sample_rate));
  float peak = 1;
  double power = 0;
  for (const float x : speech) {
    peak = std::max(peak, std::abs(x));
    power += double{x} * x;
  }
  const float gain = 32767 / peak * std::pow(10.0f, prompt.peak_decibels / 20);
  const float deviation =
      gain * std::sqrt(static_cast<float>(power / speech.size())) * std::pow(10.0f, -prompt.noise_decibels / 20);
  const size_t lead = static_cast<size_t>(prompt.lead_seconds * sample_rate);
  const size_t tail = static_cast<size_t>(prompt.tail_seconds * sample_rate);
  std::vector<float> waveform(lead + speech.size() + tail, 0.0f);
  for (size_t n = 0; n < speech.size(); ++n) waveform[lead + n] = gain * speech[n];
  for (float& x : waveform) x += deviation * noise->Normal();
  return waveform;
}

// Counts up on standard error: in place on a terminal, else a line a quarter.
class Progress {
 public:
  Progress(std::string what, int64_t total, bool show)
      : what_(std::move(what)), total_(total), show_(show), terminal_(isatty(STDERR_FILENO) == 1) {}
  void Step() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
    if (!show_) return;
    const bool last = done_ == total_;
    if (terminal_ && (done_ % 20 == 0 || last)) {
      std::fprintf(stderr, "\r%s: %lld of %lld utterances spoken%s", what_.c_str(), static_cast<long long>(done_),
                   static_cast<long long>(total_), last ? "\n" : "");
    } else if (!terminal_ && done_ * 4 / total_ > (done_ - 1) * 4 / total_) {
      std::fprintf(stderr, "%s: %lld of %lld utterances spoken\n", what_.c_str(), static_cast<long long>(done_),
                   static_cast<long long>(total_));
    }
  }

 private:
  const std::string what_;
  const int64_t total_;
  const bool show_, terminal_;
  int64_t done_ = 0;
  std::mutex mutex_;
};

absl::StatusOr<SpokenCache> SpeakAll(const SpokenPlan& plan, const SpokenOptions& options) {
  const EspeakVoices& voices = SpokenCorpusVoices();
  std::vector<std::string> variants = voices.train;
  for (const auto* more : {&voices.dev, &voices.test}) variants.insert(variants.end(), more->begin(), more->end());
  RETURN_IF_ERROR(CheckEspeakVoices(voices.accents, variants));
  SpokenCache cache;
  std::vector<std::pair<const SpokenPrompt*, SpokenUtterance*>> jobs;
  for (const SpokenPrompt& prompt : plan.train) jobs.emplace_back(&prompt, cache.add_train());
  for (const SpokenPrompt& prompt : plan.dev) jobs.emplace_back(&prompt, cache.add_dev());
  for (const SpokenPrompt& prompt : plan.test) jobs.emplace_back(&prompt, cache.add_test());
  const int64_t n = static_cast<int64_t>(jobs.size());
  std::vector<absl::Status> statuses(n);
  std::atomic<bool> failed{false};
  Progress progress(plan.kind, n, options.show_progress);
  ForEach(n, options.num_threads > 0 ? options.num_threads : AvailableCpus(), [&](int64_t i) {
    if (failed) return;
    const SpokenPrompt& prompt = *jobs[i].first;
    RandomStream noise(options.seed, RandomPurpose::kCorpus, prompt.stream, 1);
    const auto waveform = Render(prompt, plan.sample_rate, &noise);
    if (!waveform.ok()) {
      statuses[i] = Annotate(waveform.status(), absl::StrCat(plan.kind, ": ", prompt.id));
      failed = true;
      return;
    }
    jobs[i].second->set_id(prompt.id);
    jobs[i].second->set_speaker(prompt.speaker);
    jobs[i].second->set_text(prompt.request.text);
    jobs[i].second->set_pcm(EncodePcm(*waveform));
    progress.Step();
  });
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return cache;
}

// Everything that decides the recordings, but the version of espeak-ng.
std::string PlanKey(const SpokenPlan& plan, const SpokenOptions& options) {
  uint32_t crc = 0;
  for (const auto* part : {&plan.train, &plan.dev, &plan.test}) {
    for (const SpokenPrompt& prompt : *part) {
      const EspeakRequest& request = prompt.request;
      crc = Crc32c(absl::StrCat(prompt.id, "\n", prompt.speaker, "\n", request.text, "\n", request.voice, " ",
                                request.words_per_minute, " ", request.pitch, " ", request.word_gap, " ",
                                prompt.lead_seconds, " ", prompt.tail_seconds, " ", prompt.peak_decibels, " ",
                                prompt.noise_decibels, " ", prompt.stream, "\n"),
                   crc);
    }
  }
  return absl::StrCat(plan.kind, " version 1, seed ", options.seed, ", ", plan.train.size(), " + ", plan.dev.size(),
                      " + ", plan.test.size(), " utterances at ", plan.sample_rate, " Hz, prompts ", crc);
}

Corpus ToCorpus(const std::string& kind, SpokenCache cache) {
  const int rate = cache.sample_rate();
  Corpus corpus;
  corpus.kind = kind;
  corpus.train = std::make_unique<SpokenDataset>(std::move(*cache.mutable_train()), rate);
  corpus.dev = std::make_unique<SpokenDataset>(std::move(*cache.mutable_dev()), rate);
  corpus.test = std::make_unique<SpokenDataset>(std::move(*cache.mutable_test()), rate);
  return corpus;
}

}  // namespace

absl::Status CheckSpokenSizes(absl::string_view kind, const SpokenOptions& options, int most) {
  for (const int size : {options.train, options.dev, options.test}) {
    if (size >= 1 && size <= most) continue;
    return absl::InvalidArgumentError(absl::StrCat(kind, ": a part of ", size, " utterances, expected 1 to ", most));
  }
  return absl::OkStatus();
}

absl::StatusOr<Corpus> OpenSpokenCorpus(const SpokenPlan& plan, const SpokenOptions& options) {
  // One at a time in a process: the temporary name of a file has only the process's number in it.
  static std::mutex* const mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  std::string folder = options.cache_folder;
  if (folder.empty()) {
    ASSIGN_OR_RETURN(folder, DefaultCacheFolder());
  }
  const std::string path = absl::StrCat(folder, "/", plan.kind, "-", options.seed, "-", plan.train.size(), "-",
                                        plan.dev.size(), "-", plan.test.size(), ".spoken");
  const std::string key = PlanKey(plan, options);
  const auto version = EspeakVersion();
  // Without espeak-ng, what an earlier one has spoken is as good.
  auto cached = ReadSpokenCache(path, key, version.ok() ? *version : "");
  if (cached.ok()) return ToCorpus(plan.kind, *std::move(cached));
  if (!absl::IsNotFound(cached.status())) {
    std::fprintf(stderr, "%s: made anew\n", std::string(cached.status().message()).c_str());
  }
  if (!version.ok()) return version.status();
  ASSIGN_OR_RETURN(SpokenCache cache, SpeakAll(plan, options));
  cache.set_key(key);
  cache.set_espeak_version(*version);
  cache.set_sample_rate(plan.sample_rate);
  const absl::Status written = WriteSpokenCache(folder, path, cache);
  if (!written.ok()) std::fprintf(stderr, "not kept for the next run: %s\n", std::string(written.message()).c_str());
  return ToCorpus(plan.kind, std::move(cache));
}

absl::StatusOr<std::string> DefaultCacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return absl::StrCat(cache, "/earshot");
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return absl::StrCat(home, "/.cache/earshot");
  return absl::FailedPreconditionError(
      "neither XDG_CACHE_HOME nor HOME is an absolute path: set one of them to where the spoken corpus can be kept");
}

}  // namespace earshot
