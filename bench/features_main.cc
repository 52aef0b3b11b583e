// How fast audio becomes features, on one core, as times real time.
//   bazel run //bench:features
// With --wav it makes the features of one file --rounds times and prints a line a time, "SECONDS FRAMES COLUMNS MEAN",
// where the mean is of all values (bench/peers/features.py).
#include <benchmark/benchmark.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/file.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "data/audio_file.h"
#include "data/features.h"

DEFINE_string(wav, "", "a recording to make features of; empty: run the benchmarks");
DEFINE_string(features, "", "FeatureConfig as a text protobuf, for --wav");
DEFINE_int32(rounds, 1, "how often, for --wav");

namespace earshot {
namespace {

constexpr int kSeconds = 10;

FeatureConfig Config(const std::string& text) {
  FeatureConfig config;
  const absl::Status status = ParseTextproto(text, "--features", &config);
  CHECK(status.ok()) << status;
  return config;
}

std::vector<float> Noise(int64_t samples) {
  std::vector<float> waveform(samples);
  RandomStream random(1, RandomPurpose::kBench);
  for (float& sample : waveform) sample = std::nearbyint(1000 * random.Normal());
  return waveform;
}

void SetTimesRealTime(benchmark::State& state) {
  state.counters["times_real_time"] =
      benchmark::Counter(static_cast<double>(kSeconds * state.iterations()), benchmark::Counter::kIsRate);
}

void BM_Features(benchmark::State& state, const std::string& text) {
  const FeatureConfig config = Config(text);
  const auto extractor = FeatureExtractor::Create(config);
  CHECK(extractor.ok()) << extractor.status();
  const std::vector<float> waveform = Noise(int64_t{kSeconds} * config.sample_rate());
  Tensor<float, 2> features;
  for (auto _ : state) {
    CHECK(extractor->Compute("noise", waveform, config.sample_rate(), &features).ok());
    benchmark::DoNotOptimize(features.data());
  }
  SetTimesRealTime(state);
}
BENCHMARK_CAPTURE(BM_Features, log_mel_123, std::string())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Features, log_mel_123_8k, std::string("sample_rate: 8000"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Features, log_mel_80, std::string("num_mel_bins: 80 energy: NO_ENERGY delta_order: 0"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Features, mfcc_39, std::string("kind: MFCC num_mel_bins: 23"))->Unit(benchmark::kMillisecond);

// A WAV file in memory, 16-bit PCM at 16 kHz.
void BM_DecodeWav(benchmark::State& state) {
  const uint32_t bytes = kSeconds * 16000 * 2;
  std::string content("RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data", 40);
  for (int shift = 0; shift < 32; shift += 8) content.push_back(static_cast<char>(bytes >> shift));
  for (uint32_t i = 0; i < bytes; ++i) content.push_back(static_cast<char>(i * 2654435761u >> 24));
  for (auto _ : state) CHECK(DecodeAudio(content, "noise.wav").ok());
  SetTimesRealTime(state);
}
BENCHMARK(BM_DecodeWav)->Name("decode_wav_16k")->Unit(benchmark::kMillisecond);

absl::Status TimeFile(const std::string& path, const std::string& text, int rounds) {
  FeatureConfig config;
  RETURN_IF_ERROR(ParseTextproto(text, "--features", &config));
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config));
  ASSIGN_OR_RETURN(const Audio audio, ReadAudio(path));
  Tensor<float, 2> features;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    RETURN_IF_ERROR(extractor.Compute(path, audio.waveform, audio.sample_rate, &features));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    double sum = 0;
    for (const float x : features.span()) sum += x;
    std::printf("%.6f %d %d %.6f\n", seconds.count(), static_cast<int>(features.dim(0)),
                static_cast<int>(features.dim(1)), sum / static_cast<double>(std::max<int64_t>(1, features.size())));
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  if (!FLAGS_wav.empty()) {
    const absl::Status status = earshot::TimeFile(earshot::UserPath(FLAGS_wav), FLAGS_features, FLAGS_rounds);
    if (!status.ok()) std::cerr << "error: " << status.message() << std::endl;
    return status.ok() ? 0 : 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
