#include "asr/score/error_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "data/tokens.h"

namespace earshot {
namespace {

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, absl::ByAnyChar(" \t\n\r\f\v"), absl::SkipEmpty());
}

absl::StatusOr<std::vector<std::string>> Characters(const std::vector<std::string>& words, absl::string_view what) {
  auto characters = SplitIntoTokens(TokenUnit::kCharacter, absl::StrJoin(words, " "));
  if (!characters.ok()) return Annotate(characters.status(), what);
  return characters;
}

constexpr size_t kMaxAlignedPairs = size_t{1} << 26;

std::string AlignmentText(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis) {
  if (!hypothesis.empty() && reference.size() > kMaxAlignedPairs / hypothesis.size()) {
    return absl::StrCat("(", reference.size(), " words against ", hypothesis.size(), ": too many to show)\n");
  }
  return FormatAlignment(reference, hypothesis, Align(reference, hypothesis));
}

std::string Percent(double percent) { return std::isnan(percent) ? "nan" : absl::StrFormat("%.2f", percent); }

}  // namespace

std::string RateLine(absl::string_view name, const ErrorCounts& c) {
  return absl::StrFormat("%%%s %s [ %d / %d, %d ins, %d del, %d sub ]", name, Percent(c.percent()), c.errors(),
                         c.reference, c.insertions, c.deletions, c.substitutions);
}

absl::Status ErrorRate::Add(const std::string& id, absl::string_view reference, absl::string_view hypothesis) {
  Utterance utterance = {id, Words(reference), Words(hypothesis), 0};
  ASSIGN_OR_RETURN(const std::vector<std::string> ref_characters,
                   Characters(utterance.reference, absl::StrCat("reference of ", id)));
  ASSIGN_OR_RETURN(const std::vector<std::string> hyp_characters,
                   Characters(utterance.hypothesis, absl::StrCat("hypothesis of ", id)));
  const ErrorCounts words = CountErrors(utterance.reference, utterance.hypothesis);
  utterance.errors = words.errors();
  words_.Add(words);
  characters_.Add(CountErrors(ref_characters, hyp_characters));
  wrong_ += words.errors() > 0;
  utterances_.push_back(std::move(utterance));
  return absl::OkStatus();
}

absl::Status ErrorRate::AddMissing(const std::string& id, absl::string_view reference, bool counted) {
  ++missing_;
  return counted ? Add(id, reference, "") : absl::OkStatus();
}

double ErrorRate::sentence_error() const {
  if (utterances_.empty()) return std::numeric_limits<double>::quiet_NaN();
  return 100.0 * static_cast<double>(wrong_) / static_cast<double>(sentences());
}

std::string ErrorRate::WerLine() const {
  return absl::StrCat(RateLine("WER", words_), missing_ > 0 ? " [PARTIAL]" : "");
}

std::string ErrorRate::CerLine() const {
  return absl::StrCat(RateLine("CER", characters_), missing_ > 0 ? " [PARTIAL]" : "");
}

std::string ErrorRate::SerLine() const {
  return absl::StrFormat("%%SER %s [ %d / %d ]", Percent(sentence_error()), wrong_, sentences());
}

std::string ErrorRate::ScoredLine() const {
  return absl::StrFormat("Scored %d sentences, %d not present in hyp.", sentences(), missing_);
}

std::string ErrorRate::WorstAlignments(int count) const {
  std::vector<const Utterance*> worst;
  for (const Utterance& u : utterances_) {
    if (u.errors > 0) worst.push_back(&u);
  }
  std::sort(worst.begin(), worst.end(), [](const Utterance* a, const Utterance* b) {
    return a->errors != b->errors ? a->errors > b->errors : a->id < b->id;
  });
  worst.resize(std::min(worst.size(), static_cast<size_t>(std::max(count, 0))));
  std::string text;
  for (const Utterance* u : worst) {
    absl::StrAppend(&text, u->id, "\n", AlignmentText(u->reference, u->hypothesis));
  }
  return text;
}

absl::StatusOr<ErrorRate> ScoreTexts(const std::map<std::string, std::string>& references,
                                     const std::map<std::string, std::string>& hypotheses, MissingHypothesis mode) {
  for (const auto& [id, text] : hypotheses) {
    if (references.count(id) == 0 && mode == MissingHypothesis::kStrict) {
      return absl::InvalidArgumentError(absl::StrCat("hypothesis of ", id, ": no reference has this id"));
    }
  }
  ErrorRate rate;
  for (const auto& [id, reference] : references) {
    const auto found = hypotheses.find(id);
    if (found != hypotheses.end()) {
      RETURN_IF_ERROR(rate.Add(id, reference, found->second));
    } else if (mode == MissingHypothesis::kStrict) {
      return absl::NotFoundError(absl::StrCat("reference of ", id, ": no hypothesis has this id"));
    } else {
      RETURN_IF_ERROR(rate.AddMissing(id, reference, mode == MissingHypothesis::kAll));
    }
  }
  return rate;
}

}  // namespace earshot
