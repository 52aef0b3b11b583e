// Runs a test once on every instruction set of this machine for which vector code was compiled.
#ifndef EARSHOT_BASE_TESTING_EVERY_TARGET_H_
#define EARSHOT_BASE_TESTING_EVERY_TARGET_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "absl/functional/function_ref.h"

namespace earshot {

// Dispatch is back to the best instruction set afterwards. No other thread may be in vector code meanwhile.
inline void OnEveryTarget(absl::FunctionRef<void()> body) {
  const auto all = hwy::SupportedTargets();
  for (auto rest = all; rest != 0; rest &= rest - 1) {
    const auto target = rest & ~(rest - 1);
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_EVERY_TARGET_H_
