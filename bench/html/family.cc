#include "bench/html/family.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

struct FamilyRow {
  const char* prefix;
  Family family;
  const char* name;
  const char* css;
};
constexpr FamilyRow kFamilies[] = {
    {"", Family::kOwn, "Earshot", "own"},
    {"torch", Family::kPyTorch, "PyTorch", "torch"},
    {"tf", Family::kTensorFlow, "TensorFlow", "tf"},
    {"jax", Family::kJax, "JAX", "jax"},
    {"pytensor", Family::kTheano, "PyTensor", "theano"},
    {"theano", Family::kTheano, "PyTensor", "theano"},
};

// What stands before the colon without its digits, and the rest with the colon; nothing and the name without one.
std::pair<std::string, std::string> Parts(absl::string_view implementation) {
  const size_t colon = implementation.find(':');
  if (colon == absl::string_view::npos) return {"", std::string(implementation)};
  absl::string_view prefix = implementation.substr(0, colon);
  while (!prefix.empty() && (absl::ascii_isdigit(static_cast<unsigned char>(prefix.back())) || prefix.back() == '.')) {
    prefix.remove_suffix(1);
  }
  return {std::string(prefix), std::string(implementation.substr(colon))};
}

const char* CssOf(Family family) {
  for (const FamilyRow& row : kFamilies) {
    if (row.family == family) return row.css;
  }
  return family == Family::kPublished ? "published" : "other";
}

}  // namespace

Family FamilyOf(absl::string_view implementation) {
  const std::string prefix = Parts(implementation).first;
  for (const FamilyRow& row : kFamilies) {
    if (row.prefix == prefix) return row.family;
  }
  return Family::kOther;
}

const char* FamilyName(Family family) {
  for (const FamilyRow& row : kFamilies) {
    if (row.family == family) return row.name;
  }
  return family == Family::kPublished ? "published figures" : "others";
}

std::string FillClass(Family family) { return absl::StrCat("fill-", CssOf(family)); }
std::string StrokeClass(Family family) { return absl::StrCat("line-", CssOf(family)); }

std::string BaseName(absl::string_view implementation) {
  const std::pair<std::string, std::string> parts = Parts(implementation);
  return parts.first + parts.second;
}

Kind KindOf(absl::string_view implementation) {
  const std::string name = BaseName(implementation);
  if (name == "reference") return Kind::kDefinition;
  for (const char* fused : {"fused_cell", "torch:cell", "tf:block_cell"}) {
    if (name == fused) return Kind::kFusedCell;
  }
  if (name == "basic" || absl::EndsWith(name, ":basic") || absl::EndsWith(name, ":scan") ||
      absl::EndsWith(name, ":cell") || absl::EndsWith(name, ":while") || name == "tf:keras") {
    return Kind::kFlexible;
  }
  return Kind::kOptimised;
}

const char* KindName(Kind kind) {
  switch (kind) {
    case Kind::kDefinition:
      return "definition";
    case Kind::kFlexible:
      return "flexible";
    case Kind::kFusedCell:
      return "fused cell";
    case Kind::kOptimised:
      return "whole sequence";
  }
  return "";
}

}  // namespace earshot
