#include "base/resident_peak.h"

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace earshot {
namespace {

// Of a line "KEY:   123 kB".
int64_t StatusBytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    int64_t kilobytes = 0;
    if (word == key + ":" && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

ResidentPeak::ResidentPeak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew (man 5 proc)
  before_ = StatusBytes("VmRSS");
}

int64_t ResidentPeak::bytes() const { return std::max<int64_t>(0, StatusBytes("VmHWM") - before_); }

}  // namespace earshot
