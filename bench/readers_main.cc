// How fast the readers of ready-made features are, on one core, from the page cache, on files that it makes itself.
//   bazel run -c opt //bench:readers
// With --rspecifier it reads that table once and prints one line: "SECONDS BYTES MATRICES", bytes as floats
// (bench/peers/read_archives.py).
#include <benchmark/benchmark.h>
#include <gflags/gflags.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/file.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "data/htk_file.h"
#include "data/kaldi_archive.h"
#include "data/kaldi_scp.h"
#include "data/kaldi_table.h"
#include "data/npy.h"

DEFINE_string(rspecifier, "", "a table to read once, as \"ark:FILE\" or \"scp:FILE\"; empty: run the benchmarks");
DEFINE_int32(megabytes, 200, "size of the archive of floats that is made");

namespace earshot {
namespace {

constexpr int64_t kDimensions = 123;  // 40 log-mel bins, energy, two orders of deltas
constexpr int64_t kMaxBytes = int64_t{1} << 40;

std::string g_folder;

std::string Path(const std::string& name) { return absl::StrCat(g_folder, "/", name); }

// Features of 1 to 9 seconds.
Tensor<float, 2> RandomFeatures(uint64_t seed) {
  Tensor<float, 2> features({100 + static_cast<int64_t>(seed * 2654435761u % 800), kDimensions});
  RandomStream random(seed, RandomPurpose::kBench);
  for (float& value : features.span()) value = random.Normal();
  return features;
}

void WriteTable(const std::string& wspecifier, int64_t bytes, KaldiCompression compression) {
  auto writer = KaldiTableWriter::Open(wspecifier, compression);
  CHECK(writer.ok()) << writer.status();
  for (uint64_t i = 0; bytes > 0; ++i) {
    const Tensor<float, 2> features = RandomFeatures(i % 16);
    bytes -= features.size() * 4;
    CHECK((*writer)->Write(absl::StrCat("utterance", i), features.view()).ok());
  }
  const absl::Status closed = (*writer)->Close();
  CHECK(closed.ok()) << closed;
}

struct Total {
  int64_t matrices = 0;
  int64_t bytes = 0;  // as floats
};

absl::StatusOr<Total> ReadTable(const std::string& rspecifier) {
  ASSIGN_OR_RETURN(const auto reader, KaldiTableReader::Open(rspecifier));
  Total total;
  std::string key;
  Tensor<float, 2> matrix;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader->Next(&key, &matrix));
    if (!more) return total;
    ++total.matrices;
    total.bytes += matrix.size() * 4;
    benchmark::DoNotOptimize(matrix.data());
  }
}

// `bytes` of floats an iteration.
void SetRate(benchmark::State& state, int64_t bytes) {
  state.counters["MB"] = benchmark::Counter(static_cast<double>(bytes) * 1e-6 * static_cast<double>(state.iterations()),
                                            benchmark::Counter::kIsRate);
}

void BM_Table(benchmark::State& state, const std::string& rspecifier) {
  Total total;
  for (auto _ : state) {
    const auto read = ReadTable(rspecifier);
    CHECK(read.ok()) << read.status();
    total = *read;
  }
  SetRate(state, total.bytes);
}

// One call a matrix, which opens its archive each time, in random order: what a shuffled epoch does.
void BM_ReadKaldiMatrix(benchmark::State& state, const std::string& scp) {
  const auto content = ReadFile(scp, kMaxBytes);
  CHECK(content.ok()) << content.status();
  auto entries = ReadScp(*content, scp);
  CHECK(entries.ok()) << entries.status();
  RandomStream(1, RandomPurpose::kBench).Shuffle(&*entries);
  int64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const ScpEntry& entry : *entries) {
      const auto matrix = ReadKaldiMatrix(entry.location);
      CHECK(matrix.ok()) << matrix.status();
      bytes += matrix->size() * 4;
    }
  }
  SetRate(state, bytes);
}

void BM_Scp(benchmark::State& state) {
  std::string content;
  for (int i = 0; i < 1000000; ++i)
    absl::StrAppend(&content, "utterance", i, " /data/features/raw.", i / 1000, ".ark:", i * 977, "\n");
  for (auto _ : state) {
    const auto entries = ReadScp(content, "scp");
    CHECK(entries.ok() && entries->size() == 1000000);
  }
  state.counters["lines"] =
      benchmark::Counter(1e6 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void BM_Npy(benchmark::State& state) {
  const Tensor<float, 2> features = RandomFeatures(5);
  const std::string content = EncodeNpy(features.view());
  for (auto _ : state) CHECK(DecodeNpy(content, "npy").ok());
  SetRate(state, features.size() * 4);
}

void BM_Htk(benchmark::State& state) {
  const Tensor<float, 2> features = RandomFeatures(5);
  const auto content = EncodeHtk(features.view(), kHtkUser, 100000);
  CHECK(content.ok()) << content.status();
  for (auto _ : state) CHECK(DecodeHtk(*content, "htk").ok());
  SetRate(state, features.size() * 4);
}

void Register(int64_t bytes) {
  WriteTable(absl::StrCat("ark,scp:", Path("float.ark"), ",", Path("float.scp")), bytes, KaldiCompression::kNone);
  WriteTable(absl::StrCat("ark:", Path("cm.ark")), bytes, KaldiCompression::kSpeechFeature);
  WriteTable(absl::StrCat("ark:", Path("cm2.ark")), bytes, KaldiCompression::kTwoByteAuto);
  WriteTable(absl::StrCat("ark,t:", Path("text.ark")), bytes / 20, KaldiCompression::kNone);
  const auto table = [](const std::string& name, const std::string& rspecifier) {
    benchmark::RegisterBenchmark(name.c_str(), BM_Table, rspecifier)->Unit(benchmark::kMillisecond);
  };
  table("ark", "ark:" + Path("float.ark"));
  table("scp", "scp:" + Path("float.scp"));
  benchmark::RegisterBenchmark("scp_shuffled", BM_ReadKaldiMatrix, Path("float.scp"))->Unit(benchmark::kMillisecond);
  table("ark_compressed_cm", "ark:" + Path("cm.ark"));
  table("ark_compressed_cm2", "ark:" + Path("cm2.ark"));
  table("ark_text", "ark:" + Path("text.ark"));
  benchmark::RegisterBenchmark("scp_million_lines", BM_Scp)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("npy", BM_Npy)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("htk", BM_Htk)->Unit(benchmark::kMicrosecond);
}

int ReadOnce(const std::string& rspecifier) {
  const auto begin = std::chrono::steady_clock::now();
  const auto total = ReadTable(rspecifier);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!total.ok()) {
    std::cerr << "error: " << total.status().message() << std::endl;
    return 1;
  }
  std::cout << seconds.count() << " " << total->bytes << " " << total->matrices << std::endl;
  return 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  if (!FLAGS_rspecifier.empty()) return earshot::ReadOnce(FLAGS_rspecifier);
  const char* temporary = getenv("TMPDIR");
  std::string folder = absl::StrCat(temporary != nullptr ? temporary : "/tmp", "/readers.XXXXXX");
  if (mkdtemp(&folder[0]) == nullptr) {
    std::cerr << "error: " << folder << ": cannot create folder" << std::endl;
    return 1;
  }
  earshot::g_folder = folder;
  earshot::Register(int64_t{FLAGS_megabytes} * 1000000);
  benchmark::RunSpecifiedBenchmarks();
  for (const char* name : {"float.ark", "float.scp", "cm.ark", "cm2.ark", "text.ark"})
    unlink(earshot::Path(name).c_str());
  rmdir(folder.c_str());
  return 0;
}
