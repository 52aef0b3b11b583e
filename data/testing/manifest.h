// What tests say of a manifest that should be read, and of one that should not.
#ifndef EARSHOT_DATA_TESTING_MANIFEST_H_
#define EARSHOT_DATA_TESTING_MANIFEST_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "data/manifest_builder.h"

namespace earshot {

inline Manifest ReadWell(absl::StatusOr<Manifest> manifest) {
  EXPECT_TRUE(manifest.ok()) << manifest.status();
  return manifest.ok() ? *std::move(manifest) : Manifest();
}

inline std::string Message(const absl::StatusOr<Manifest>& manifest) {
  return manifest.ok() ? "ok" : std::string(manifest.status().message());
}

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_MANIFEST_H_
