#include "base/stop_signal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace earshot {
namespace {

TEST(StopSignalDeathTest, TheFirstIsNotedAndALaterOneEnds) {
  const auto noted = [] {
    CatchStopSignals({SIGTERM, SIGINT});
    const bool before = StopRequested() || StopSignal() != 0;
    raise(SIGTERM);
    raise(SIGINT);  // as if together
    _exit(!before && StopRequested() && StopSignal() == SIGTERM ? 0 : 1);
  };
  EXPECT_EXIT(noted(), testing::ExitedWithCode(0), "");
  const auto twice = [] {
    CatchStopSignals({SIGTERM});
    raise(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    raise(SIGTERM);
    _exit(0);
  };
  EXPECT_EXIT(twice(), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace earshot
