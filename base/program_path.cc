#include "base/program_path.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace earshot {

std::string ProgramPath() {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
  return std::string(self, std::max<ssize_t>(length, 0));
}

std::string RunfilePath(absl::string_view path) {
  const char* test = std::getenv("TEST_SRCDIR");
  const std::string runfiles = test != nullptr ? test : absl::StrCat(ProgramPath(), ".runfiles");
  return absl::StrCat(runfiles, "/earshot/", path);
}

}  // namespace earshot
