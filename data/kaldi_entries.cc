#include "data/kaldi_entries.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

std::vector<absl::string_view> Fields(absl::string_view value) {
  return absl::StrSplit(value, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

bool ParseSeconds(absl::string_view field, double* seconds) {
  return absl::SimpleAtod(field, seconds) && std::isfinite(*seconds);
}

}  // namespace

absl::Status ParseScpEntry(const KaldiTextFile& scp, int64_t i, bool allow_commands, std::string* entry,
                           bool* is_command) {
  absl::string_view value = scp.value(i);
  const auto error = [&](absl::string_view expected, absl::string_view kind) {
    return scp.Error(i, expected, absl::StrCat(kind, Quoted(value), " of ", Quoted(scp.id(i))));
  };
  if (value.front() == '|') return error("a file", "a pipe to write to, ");
  if (value == "-") return error("a file", "standard input, ");
  *is_command = absl::EndsWith(value, "|");
  if (value.front() == '~' && !*is_command) return error("a path (~ has no meaning here)", "");
  if (*is_command && !allow_commands) return error("a file (commands run only with --allow_commands)", "the command ");
  *entry = std::string(absl::StripSuffix(value, "|"));
  return absl::OkStatus();
}

absl::Status ParseSegment(const KaldiTextFile& segments, int64_t i, UtteranceSource* source) {
  const std::vector<absl::string_view> fields = Fields(segments.value(i));
  const auto error = [&](absl::string_view expected) {
    return segments.Error(i, expected, Quoted(absl::StrCat(segments.id(i), " ", segments.value(i))));
  };
  if (fields.size() != 3 && fields.size() != 4) return error("UTTERANCE RECORDING BEGIN END [CHANNEL]");
  const std::string problem = IdProblem(fields[0]);
  if (!problem.empty()) return segments.Error(i, "the id of a recording", problem);
  source->recording = std::string(fields[0]);
  double begin, end;
  if (!ParseSeconds(fields[1], &begin) || !ParseSeconds(fields[2], &end) || begin < 0) {
    return error("a begin and an end in seconds");
  }
  if (end != -1 && end <= begin) return error("an end after the begin (or -1: the end of the recording)");
  source->begin_seconds = begin;
  source->end_seconds = end;
  if (fields.size() == 4 && (!absl::SimpleAtoi(fields[3], &source->channel) || source->channel < 0)) {
    return error("a channel counted from 0");
  }
  return absl::OkStatus();
}

absl::Status ParseSpeaker(const KaldiTextFile& utt2spk, int64_t i, std::string* speaker) {
  const absl::string_view value = utt2spk.value(i);
  const std::string problem = IdProblem(value);
  if (!problem.empty()) return utt2spk.Error(i, "the id of one speaker", problem);
  *speaker = std::string(value);
  return absl::OkStatus();
}

absl::Status ParseDuration(const KaldiTextFile& utt2dur, int64_t i, double* duration) {
  if (ParseSeconds(utt2dur.value(i), duration) && *duration > 0) return absl::OkStatus();
  return utt2dur.Error(i, "a duration above 0 in seconds", Quoted(utt2dur.value(i)));
}

absl::Status CheckSpeakers(const KaldiTextFile& utt2spk, const KaldiTextFile& spk2utt,
                           std::vector<std::string>* warnings) {
  std::vector<bool> seen(utt2spk.size());
  int64_t unknown = 0, known = 0;
  int64_t next = 0;  // in sorted files a speaker's utterances follow each other in utt2spk
  for (int64_t i = 0; i < spk2utt.size(); ++i) {
    const absl::string_view speaker = spk2utt.id(i);
    for (const absl::string_view utterance :
         absl::StrSplit(spk2utt.value(i), absl::ByAnyChar(" \t"), absl::SkipEmpty())) {
      const bool hit = next < utt2spk.size() && utt2spk.id(next) == utterance;
      const int64_t at = hit ? next : utt2spk.Find(utterance);
      if (at < 0) {
        ++unknown;
        continue;
      }
      if (seen[at]) return spk2utt.Error(i, "each utterance once", absl::StrCat(Quoted(utterance), " again"));
      if (utt2spk.value(at) != speaker) {
        return spk2utt.Error(
            i, absl::StrCat("utterances of ", Quoted(speaker)),
            absl::StrCat(Quoted(utterance), ", which is of ", Quoted(utt2spk.value(at)), " in utt2spk"));
      }
      seen[at] = true;
      ++known;
      next = at + 1;
    }
  }
  if (unknown > 0) {
    warnings->push_back(absl::StrCat(spk2utt.name(), ": ", unknown, " utterances are not in utt2spk, which is used"));
  }
  if (known < utt2spk.size()) {
    const int64_t first = std::find(seen.begin(), seen.end(), false) - seen.begin();
    warnings->push_back(absl::StrCat(spk2utt.name(), ": ", utt2spk.size() - known,
                                     " utterances of utt2spk, which is used, are missing; the first is ",
                                     Quoted(utt2spk.id(first))));
  }
  return absl::OkStatus();
}

void CheckCmvn(const KaldiTextFile& cmvn_scp, const std::vector<UtteranceSource>& utterances,
               std::vector<std::string>* warnings) {
  std::set<absl::string_view> speakers;
  int64_t missing_utterances = 0;
  for (const UtteranceSource& utterance : utterances) {
    speakers.insert(utterance.speaker);
    missing_utterances += cmvn_scp.Find(utterance.id) < 0;
  }
  const int64_t missing_speakers = std::count_if(speakers.begin(), speakers.end(),
                                                 [&](absl::string_view speaker) { return cmvn_scp.Find(speaker) < 0; });
  if (missing_speakers == 0 || missing_utterances == 0) return;
  warnings->push_back(
      absl::StrCat(cmvn_scp.name(), ": ", missing_speakers, " of ", speakers.size(), " speakers have no entry"));
}

}  // namespace earshot
