#include "asr/score/edit_distance.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace earshot {
namespace {

// Columns of a text on a terminal: its code points (bytes that do not continue one).
size_t Width(absl::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

std::string Padded(absl::string_view text, size_t width) {
  return absl::StrCat(text, std::string(width - std::min(width, Width(text)), ' '));
}

// The same number for the same token, so that comparing is cheap.
std::vector<int> Numbered(absl::Span<const std::string> tokens, std::unordered_map<std::string, int>* numbers) {
  std::vector<int> result;
  for (const std::string& token : tokens) {
    result.push_back(numbers->emplace(token, static_cast<int>(numbers->size())).first->second);
  }
  return result;
}

}  // namespace

double ErrorCounts::percent() const {
  if (reference == 0) return std::numeric_limits<double>::quiet_NaN();
  return 100.0 * static_cast<double>(errors()) / static_cast<double>(reference);
}

void ErrorCounts::Add(const ErrorCounts& other) {
  substitutions += other.substitutions;
  deletions += other.deletions;
  insertions += other.insertions;
  reference += other.reference;
}

std::vector<Edit> Align(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis) {
  std::unordered_map<std::string, int> numbers;
  const std::vector<int> ref = Numbered(reference, &numbers), hyp = Numbered(hypothesis, &numbers);
  const size_t columns = ref.size() + 1;
  // cost [1 + R] of the prefixes of the reference against the current prefix of the hypothesis; edits [1 + H, 1 + R],
  // the last edit of each pair of prefixes.
  std::vector<int64_t> cost(columns), before;
  std::vector<Edit> edits(columns * (hyp.size() + 1), Edit::kDeletion);
  for (size_t r = 0; r < columns; ++r) cost[r] = static_cast<int64_t>(r);
  for (size_t h = 1; h <= hyp.size(); ++h) {
    before = cost;
    ++cost[0];
    edits[h * columns] = Edit::kInsertion;
    for (size_t r = 1; r < columns; ++r) {
      const bool match = hyp[h - 1] == ref[r - 1];
      const int64_t insertion = before[r] + 1, deletion = cost[r - 1] + 1;
      const int64_t diagonal = before[r - 1] + (match ? 0 : 1);
      Edit& edit = edits[h * columns + r];
      if (diagonal < insertion && diagonal < deletion) {
        cost[r] = diagonal;
        edit = match ? Edit::kMatch : Edit::kSubstitution;
      } else {
        cost[r] = std::min(insertion, deletion);
        edit = deletion < insertion ? Edit::kDeletion : Edit::kInsertion;
      }
    }
  }
  std::vector<Edit> alignment;
  for (size_t h = hyp.size(), r = ref.size(); h > 0 || r > 0;) {
    const Edit edit = edits[h * columns + r];
    alignment.push_back(edit);
    if (edit != Edit::kDeletion) --h;
    if (edit != Edit::kInsertion) --r;
  }
  std::reverse(alignment.begin(), alignment.end());
  return alignment;
}

ErrorCounts CountErrors(absl::Span<const Edit> alignment) {
  ErrorCounts counts;
  for (Edit edit : alignment) {
    counts.substitutions += edit == Edit::kSubstitution;
    counts.deletions += edit == Edit::kDeletion;
    counts.insertions += edit == Edit::kInsertion;
    counts.reference += edit != Edit::kInsertion;
  }
  return counts;
}

ErrorCounts CountErrors(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis) {
  std::unordered_map<std::string, int> numbers;
  const std::vector<int> ref = Numbered(reference, &numbers), hyp = Numbered(hypothesis, &numbers);
  // Of the path that Align would take to each cell of a row: its cost, and the insertions among it. The other counts
  // follow: a path to (h, r) has r - h + insertions deletions, and substitutions are what is left.
  struct Path {
    int32_t cost, insertions;
  };
  std::vector<Path> row(ref.size() + 1);
  for (size_t r = 0; r < row.size(); ++r) row[r] = {static_cast<int32_t>(r), 0};
  for (size_t h = 1; h <= hyp.size(); ++h) {
    Path diagonal = row[0];
    row[0] = {static_cast<int32_t>(h), static_cast<int32_t>(h)};
    for (size_t r = 1; r < row.size(); ++r) {
      const Path insertion = {row[r].cost + 1, row[r].insertions + 1};
      const Path deletion = {row[r - 1].cost + 1, row[r - 1].insertions};
      diagonal.cost += hyp[h - 1] != ref[r - 1];
      const Path other = deletion.cost < insertion.cost ? deletion : insertion;
      const Path best = diagonal.cost < other.cost ? diagonal : other;
      diagonal = row[r];
      row[r] = best;
    }
  }
  ErrorCounts counts;
  counts.reference = static_cast<int64_t>(ref.size());
  counts.insertions = row.back().insertions;
  counts.deletions = counts.reference - static_cast<int64_t>(hyp.size()) + counts.insertions;
  counts.substitutions = row.back().cost - counts.insertions - counts.deletions;
  return counts;
}

std::string FormatAlignment(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis,
                            absl::Span<const Edit> alignment) {
  std::string lines[3] = {"REF: ", "HYP: ", "EVAL:"};
  size_t r = 0, h = 0;
  for (Edit edit : alignment) {
    const absl::string_view ref = edit == Edit::kInsertion ? absl::string_view() : reference[r++];
    const absl::string_view hyp = edit == Edit::kDeletion ? absl::string_view() : hypothesis[h++];
    const size_t width = std::max(Width(ref), Width(hyp));
    const std::string stars(width, '*');
    const absl::string_view marks[] = {"", "S", "D", "I"};
    absl::StrAppend(&lines[0], " ", Padded(edit == Edit::kInsertion ? stars : ref, width));
    absl::StrAppend(&lines[1], " ", Padded(edit == Edit::kDeletion ? stars : hyp, width));
    absl::StrAppend(&lines[2], " ", Padded(marks[static_cast<int>(edit)], width));
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace earshot
