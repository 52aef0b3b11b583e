// What every reader of files promises (base/testing/read_once.h), tried on every small change of a small file.
#ifndef EARSHOT_BASE_TESTING_MUTATION_H_
#define EARSHOT_BASE_TESTING_MUTATION_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "base/testing/read_once.h"

namespace earshot {

struct MutationCounts {
  struct Kind {
    int64_t cases = 0, refused = 0;
  };
  Kind bits, truncations, deletions, windows, numbers;
  int64_t cases() const { return bits.cases + truncations.cases + deletions.cases + windows.cases + numbers.cases; }
  int64_t refused() const {
    return bits.refused + truncations.refused + deletions.refused + windows.refused + numbers.refused;
  }
};

struct MutationOptions {
  // The least share of all cases that the reader has to refuse. Below 1 as a rule: values may be any bits.
  double min_refused = 0.5;
  // When given, mends what would hide the change behind it (a checksum, the length of a header): each changed file that
  // it alters is read both ways.
  void (*repair)(std::string* content) = nullptr;
};

// Every bit flipped; the file cut at every byte; every byte deleted; 0, 1, -1, 127 and the largest and smallest signed
// numbers of 1, 2, 4 and 8 bytes (and 2^31-1, 2^31, 2^32-1 in 8) at every byte in both byte orders, unless the file is
// text; every run of decimal digits replaced by such numbers and other text. Fails the test (gtest) where a promise is
// broken, the file itself is refused, or fewer than the given share of the changed ones. Prints the counts. `file` has
// at most a few KiB.
MutationCounts ReadEveryMutation(absl::string_view file, Reader read, const MutationOptions& options = {});

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_MUTATION_H_
