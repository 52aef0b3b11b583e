#include "base/program_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace earshot {
namespace {

TEST(ProgramPathTest, IsThisTest) { EXPECT_EQ(ProgramPath().substr(ProgramPath().rfind('/')), "/program_path_test"); }

TEST(RunfilePathTest, FindsDataOfTheTarget) {
  EXPECT_EQ(access(RunfilePath("base/program_path.h").c_str(), R_OK), 0);
  EXPECT_NE(access(RunfilePath("base/missing").c_str(), R_OK), 0);
}

}  // namespace
}  // namespace earshot
