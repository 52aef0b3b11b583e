#include "bench/resident.h"

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "bench/machine.h"

namespace earshot {
namespace {

int64_t Status(const char* key) {
  std::stringstream text;
  text << std::ifstream("/proc/self/status").rdbuf();
  const std::string value = ValueOf(text.str(), key);
  int64_t kilobytes = 0;
  return absl::SimpleAtoi(absl::StripSuffix(value, " kB"), &kilobytes) ? kilobytes * 1024 : 0;
}

}  // namespace

ResidentPeak::ResidentPeak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew (man 5 proc)
  before_ = Status("VmRSS");
}

int64_t ResidentPeak::bytes() const { return std::max<int64_t>(0, Status("VmHWM") - before_); }

}  // namespace earshot
