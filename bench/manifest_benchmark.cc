// How fast manifests of a million utterances are opened, and in how much memory: rows of //bench:readers. The memory is
// the program's peak; it is that of one row when this runs alone (--benchmark_filter=manifest_million_nemo$).
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"
#include "base/file.h"
#include "base/file_writer.h"
#include "data/gunzip.h"
#include "data/manifest.h"

namespace earshot {
namespace {

constexpr int64_t kUtterances = 1000000;
constexpr char kText[] = "the quick brown fox jumps over the lazy dog and runs away";

// Ids as LibriSpeech has them.
std::string Id(int64_t i) { return absl::StrFormat("%06d-%06d-%04d", i / 100, i / 10, i % 10); }
std::string Path(const std::string& id) { return absl::StrCat("/data/corpus/train-clean/", id, ".flac"); }

std::string NemoLine(int64_t i) {
  return absl::StrCat("{\"audio_filepath\": \"", Path(Id(i)), "\", \"duration\": ", 1 + i % 17, ".345, \"text\": \"",
                      kText, "\", \"speaker\": \"", i / 100, "\"}\n");
}

std::string TsvLine(int64_t i) { return absl::StrCat(Id(i), "\t", Path(Id(i)), "\t", kText, "\t", i / 100, "\t0\t\n"); }

std::string Recording(int64_t i) {
  const std::string id = Id(i);
  return absl::StrCat("{\"id\": \"", id, "\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"",
                      Path(id), "\"}], \"sampling_rate\": 16000, \"num_samples\": 160000, \"duration\": 10.0, ",
                      "\"channel_ids\": [0]}");
}

std::string Supervision(int64_t i) {
  const std::string id = Id(i);
  return absl::StrCat("{\"id\": \"", id, "\", \"recording_id\": \"", id, "\", \"start\": 0.0, \"duration\": 10.0, ",
                      "\"channel\": 0, \"text\": \"", kText, "\", \"language\": \"English\", \"speaker\": \"", i / 100,
                      "\"}");
}

std::string RecordingLine(int64_t i) { return Recording(i) + "\n"; }
std::string SupervisionLine(int64_t i) { return Supervision(i) + "\n"; }

std::string CutLine(int64_t i) {
  return absl::StrCat("{\"id\": \"", Id(i), "-0\", \"start\": 0, \"duration\": 10.0, \"channel\": 0, ",
                      "\"supervisions\": [", Supervision(i), "], \"recording\": ", Recording(i),
                      ", \"type\": \"MonoCut\"}\n");
}

// Piece by piece, so that the peak of memory is that of reading. Packed, each piece is a member of its own.
void Write(const std::string& path, const std::string& header, absl::FunctionRef<std::string(int64_t)> line) {
  const bool packed = absl::EndsWith(path, ".gz");
  auto writer = FileWriter::Create(path);
  CHECK(writer.ok()) << writer.status();
  std::string piece = header;
  for (int64_t i = 0; i < kUtterances; ++i) {
    piece += line(i);
    if (piece.size() < 1 << 20 && i + 1 < kUtterances) continue;
    CHECK((*writer)->Append(packed ? Gzip(piece) : piece).ok());
    piece.clear();
  }
  CHECK((*writer)->Close().ok());
}

void Read(benchmark::State& state, const std::string& path, int64_t bytes) {
  for (auto _ : state) {
    const auto manifest = ReadManifest(path);
    CHECK(manifest.ok()) << manifest.status();
    CHECK(manifest->utterances.size() == kUtterances);
    CHECK(manifest->warnings.empty()) << manifest->warnings[0];
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_bytes_an_entry"] = usage.ru_maxrss * 1024.0 / kUtterances;
}

struct File {
  const char* name;
  const char* header;
  std::string (*line)(int64_t);
};

// The first file is what is read.
void Run(benchmark::State& state, const std::vector<File>& files) {
  char folder[] = "/tmp/earshot_bench_XXXXXX";
  CHECK(mkdtemp(folder) != nullptr);
  std::vector<std::string> paths;
  int64_t bytes = 0;
  for (const File& file : files) {
    paths.push_back(absl::StrCat(folder, "/", file.name));
    Write(paths.back(), file.header, file.line);
    for (int64_t i = 0; i < kUtterances; i += 1000) bytes += 1000 * file.line(i).size();
  }
  Read(state, paths[0], bytes);
  for (const std::string& path : paths) CHECK(RemoveFile(path).ok()) << path;
  rmdir(folder);
}

void Nemo(benchmark::State& state) { Run(state, {{"m.json", "", NemoLine}}); }
void PackedNemo(benchmark::State& state) { Run(state, {{"m.json.gz", "", NemoLine}}); }
void Tsv(benchmark::State& state) { Run(state, {{"m.tsv", "id\taudio\ttext\tspeaker\tbegin\tend\n", TsvLine}}); }
void Cuts(benchmark::State& state) { Run(state, {{"cuts.jsonl", "", CutLine}}); }
void Pair(benchmark::State& state) {
  Run(state, {{"supervisions.jsonl", "", SupervisionLine}, {"recordings.jsonl", "", RecordingLine}});
}
BENCHMARK(Nemo)->Name("manifest_million_nemo")->Unit(benchmark::kMillisecond);
BENCHMARK(PackedNemo)->Name("manifest_million_nemo_gz")->Unit(benchmark::kMillisecond);
BENCHMARK(Tsv)->Name("manifest_million_tsv")->Unit(benchmark::kMillisecond);
BENCHMARK(Cuts)->Name("manifest_million_lhotse_cuts")->Unit(benchmark::kMillisecond);
BENCHMARK(Pair)->Name("manifest_million_lhotse_pair")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace earshot
