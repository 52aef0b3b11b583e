// Which library a row belongs to, and so its colour, and what kind of implementation it is.
#ifndef EARSHOT_BENCH_HTML_FAMILY_H_
#define EARSHOT_BENCH_HTML_FAMILY_H_

#include <string>

#include "absl/strings/string_view.h"

namespace earshot {

enum class Family { kOwn, kPyTorch, kTensorFlow, kJax, kTheano, kOther, kPublished };

// By what stands before the colon; digits there tell versions apart: "simd" is our own, "torch1:lstm" is PyTorch's.
Family FamilyOf(absl::string_view implementation);

const char* FamilyName(Family family);  // "Earshot", "PyTorch", ...
// Classes of style.h: of a filled shape, of a line or dot, of text.
std::string FillClass(Family family);
std::string StrokeClass(Family family);

// "torch1:lstm" -> "torch:lstm": rows of the same base are versions of each other.
std::string BaseName(absl::string_view implementation);

// How the row walks through time, in the words of arXiv 1806.01818.
enum class Kind {
  kDefinition,  // reference: plain loops
  kFlexible,    // a loop over time in the framework's language or graph; gates of primitive operations
  kFusedCell,   // the same loop, one fused operation a step
  kOptimised,   // the whole sequence in one operation
};
Kind KindOf(absl::string_view implementation);
const char* KindName(Kind kind);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_FAMILY_H_
