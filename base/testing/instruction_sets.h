// Runs a test on every instruction set that this machine has and the code was compiled for.
#ifndef EARSHOT_BASE_TESTING_INSTRUCTION_SETS_H_
#define EARSHOT_BASE_TESTING_INSTRUCTION_SETS_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace earshot {

// Calls body() once for each, with Highway's dynamic dispatch held to it.
template <typename Body>
void OnEveryInstructionSet(Body body) {
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

#endif  // EARSHOT_BASE_TESTING_INSTRUCTION_SETS_H_
