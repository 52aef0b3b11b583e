// How fast Kaldi data directories of a million lines a file are opened: rows of //bench:readers.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/optional.h"
#include "base/check.h"
#include "base/file.h"
#include "data/kaldi_dir.h"

namespace earshot {
namespace {

// Lines as LibriSpeech has them: ids of 17 bytes, 12 words, a hundred utterances a speaker and ten a recording.
KaldiFiles MakeFiles(int64_t utterances, bool segments, bool sorted) {
  KaldiFiles files;
  files.wav_scp = files.text = files.utt2spk = files.spk2utt = files.utt2dur = "";
  if (segments) files.segments = "";
  for (int64_t i = 0; i < utterances; ++i) {
    // Any order but the right one: 7 and 10^6 have no common factor.
    const int64_t n = sorted ? i : i * 7 % utterances;
    const std::string id = absl::StrFormat("%06d-%06d-%04d", n / 100, n / 10, n % 10);
    const std::string recording = id.substr(0, 13);
    if (!segments || n % 10 == 0) {
      absl::StrAppend(&*files.wav_scp, segments ? recording : id, " /data/corpus/train-clean/", id, ".flac\n");
    }
    if (segments) absl::StrAppend(&*files.segments, id, " ", recording, " ", n % 10, ".25 ", n % 10 + 1, ".125\n");
    absl::StrAppend(&*files.text, id, " THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG AND RUNS AWAY\n");
    absl::StrAppend(&*files.utt2spk, id, " ", id.substr(0, 6), "\n");
    absl::StrAppend(&*files.utt2dur, id, " 12.345\n");
    if (sorted)
      absl::StrAppend(&*files.spk2utt, n % 100 != 0 ? " " : n == 0 ? "000000 " : "\n" + id.substr(0, 6) + " ", id);
  }
  if (sorted)
    *files.spk2utt += "\n";
  else
    files.spk2utt.reset();
  return files;
}

int64_t Bytes(const KaldiFiles& files) {
  int64_t bytes = 0;
  for (const auto* file :
       {&files.wav_scp, &files.segments, &files.text, &files.utt2spk, &files.spk2utt, &files.utt2dur}) {
    if (file->has_value()) bytes += static_cast<int64_t>((*file)->size());
  }
  return bytes;
}

double PeakMebibytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

void Parse(benchmark::State& state, bool segments, bool sorted) {
  const KaldiFiles files = MakeFiles(1000000, segments, sorted);
  for (auto _ : state) {
    const auto directory = ParseKaldiDirectory(files, "d");
    CHECK(directory.ok()) << directory.status();
    CHECK(directory->utterances.size() == 1000000u);
    CHECK(directory->warnings.empty() == sorted);
  }
  state.SetBytesProcessed(state.iterations() * Bytes(files));
}

void KaldiDirParse(benchmark::State& state) { Parse(state, false, true); }
void KaldiDirSegments(benchmark::State& state) { Parse(state, true, true); }
void KaldiDirUnsorted(benchmark::State& state) { Parse(state, true, false); }
BENCHMARK(KaldiDirParse)->Name("kaldi_dir_million_lines")->Unit(benchmark::kMillisecond);
BENCHMARK(KaldiDirSegments)->Name("kaldi_dir_million_segments")->Unit(benchmark::kMillisecond);
BENCHMARK(KaldiDirUnsorted)->Name("kaldi_dir_million_unsorted")->Unit(benchmark::kMillisecond);

// From disk (the file cache), with the peak memory of the whole program.
void KaldiDirRead(benchmark::State& state) {
  char folder[] = "/tmp/earshot_bench_XXXXXX";
  CHECK(mkdtemp(folder) != nullptr);
  int64_t bytes = 0;
  {
    const KaldiFiles files = MakeFiles(1000000, false, true);
    bytes = Bytes(files);
    const auto write = [&](const char* name, const absl::optional<std::string>& content) {
      CHECK(WriteFileAtomically(absl::StrCat(folder, "/", name), {*content}).ok()) << name;
    };
    write("wav.scp", files.wav_scp);
    write("text", files.text);
    write("utt2spk", files.utt2spk);
    write("spk2utt", files.spk2utt);
    write("utt2dur", files.utt2dur);
  }
  for (auto _ : state) {
    const auto directory = ReadKaldiDirectory(folder);
    CHECK(directory.ok()) << directory.status();
    CHECK(directory->utterances.size() == 1000000u);
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["peak_MiB"] = PeakMebibytes();
  for (const char* name : {"wav.scp", "text", "utt2spk", "spk2utt", "utt2dur"}) {
    CHECK(RemoveFile(absl::StrCat(folder, "/", name)).ok()) << name;
  }
  rmdir(folder);
}
BENCHMARK(KaldiDirRead)->Name("kaldi_dir_million_lines_from_files")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace earshot
