#include "base/testing/mutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

constexpr int kShownFailures = 10;

// Every value that a field of that many bytes is set to.
std::vector<uint64_t> FieldValues(int bytes) {
  const uint64_t top = uint64_t{1} << (8 * bytes - 1);
  std::vector<uint64_t> values = {0, 1, 127, ~uint64_t{0}, top - 1, top};
  if (bytes == 8) values.insert(values.end(), {0x7fffffff, 0x80000000, 0xffffffff});
  return values;
}

constexpr const char* kNumbers[] = {"0",
                                    "1",
                                    "-1",
                                    "127",
                                    "2147483647",
                                    "2147483648",
                                    "4294967295",
                                    "9223372036854775807",
                                    "18446744073709551615",
                                    "1e9",
                                    "0.5",
                                    "nan",
                                    "null",
                                    "[",
                                    "\"\"",
                                    ""};

class Mutator {
 public:
  Mutator(absl::string_view file, Reader read, const MutationOptions& options)
      : file_(file), read_(read), repair_(options.repair) {}

  void Bits() {
    std::string content = file_;
    for (size_t bit = 0; bit < 8 * file_.size(); ++bit) {
      content[bit / 8] = static_cast<char>(file_[bit / 8] ^ 1 << bit % 8);
      Try(content, &counts_.bits, "bit flipped", bit);
      content[bit / 8] = file_[bit / 8];
    }
  }

  void TruncationsAndDeletions() {
    for (size_t i = 0; i < file_.size(); ++i) {
      Try(file_.substr(0, i), &counts_.truncations, "cut at byte", i);
      Try(file_.substr(0, i) + file_.substr(i + 1), &counts_.deletions, "without byte", i);
    }
  }

  void Windows() {
    for (int bytes : {1, 2, 4, 8}) {
      for (uint64_t value : FieldValues(bytes)) {
        std::string little;
        for (int i = 0; i < bytes; ++i) little.push_back(static_cast<char>(value >> 8 * i));
        const std::string big(little.rbegin(), little.rend());
        for (size_t i = 0; i + bytes <= file_.size(); ++i) {
          Window(i, little);
          if (big != little) Window(i, big);
        }
      }
    }
  }

  void Numbers() {
    for (size_t begin = 0, end = 0; begin < file_.size(); begin = end + 1) {
      end = begin;
      while (end < file_.size() && absl::ascii_isdigit(file_[end])) ++end;
      if (end == begin) continue;
      for (const char* number : kNumbers) {
        Try(absl::StrCat(file_.substr(0, begin), number, file_.substr(end)), &counts_.numbers, number, begin);
      }
    }
  }

  const MutationCounts& counts() const { return counts_; }
  int64_t num_broken() const { return num_broken_; }
  const std::string& broken() const { return broken_; }  // the first few

 private:
  void Window(size_t at, const std::string& value) {
    std::string content = file_;
    content.replace(at, value.size(), value);
    Try(content, &counts_.windows, "window of bytes at", at);
  }

  void Try(const std::string& content, MutationCounts::Kind* kind, absl::string_view what, size_t where) {
    if (content == file_) return;
    Read(content, kind, what, where);
    if (repair_ == nullptr) return;
    std::string repaired = content;
    repair_(&repaired);
    if (repaired != content && repaired != file_) Read(repaired, kind, absl::StrCat("repaired, ", what), where);
  }

  void Read(const std::string& content, MutationCounts::Kind* kind, absl::string_view what, size_t where) {
    const ReadOutcome outcome = ReadOnce(content, read_);
    ++kind->cases;
    kind->refused += outcome.refused;
    if (!outcome.broken.empty() && ++num_broken_ <= kShownFailures) {
      absl::StrAppend(&broken_, "\n", what, " ", where, ": ", outcome.broken);
    }
  }

  const std::string file_;
  const Reader read_;
  void (*const repair_)(std::string*);
  MutationCounts counts_;
  int64_t num_broken_ = 0;
  std::string broken_;
};

}  // namespace

MutationCounts ReadEveryMutation(absl::string_view file, Reader read, const MutationOptions& options) {
  const ReadOutcome original = ReadOnce(file, read);
  EXPECT_FALSE(original.refused) << original.message;
  EXPECT_EQ(original.broken, "");
  Mutator mutator(file, read, options);
  mutator.Bits();
  mutator.TruncationsAndDeletions();
  const bool text =
      std::all_of(file.begin(), file.end(), [](unsigned char c) { return c >= 0x20 || absl::ascii_isspace(c); });
  if (!text) mutator.Windows();
  mutator.Numbers();
  const MutationCounts& counts = mutator.counts();
  const auto show = [](const MutationCounts::Kind& kind) { return absl::StrCat(kind.refused, "/", kind.cases); };
  std::cout << file.size() << " bytes: refused " << counts.refused() << " of " << counts.cases() << " (bits "
            << show(counts.bits) << ", truncations " << show(counts.truncations) << ", deletions "
            << show(counts.deletions) << ", windows " << show(counts.windows) << ", numbers " << show(counts.numbers)
            << ")" << std::endl;
  EXPECT_EQ(mutator.num_broken(), 0) << mutator.broken();
  EXPECT_GE(counts.refused(), options.min_refused * static_cast<double>(counts.cases()));
  return counts;
}

}  // namespace earshot
