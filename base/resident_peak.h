// Resident memory of this process, as Linux counts it.
#ifndef EARSHOT_BASE_RESIDENT_PEAK_H_
#define EARSHOT_BASE_RESIDENT_PEAK_H_

#include <cstdint>

namespace earshot {

// The peak over a scope, above what was resident at its beginning. What others freed before is given back to the system
// first, so that it is not taken for this one's.
class ResidentPeak {
 public:
  ResidentPeak();
  int64_t bytes() const;  // since the construction; 0 where the kernel does not say

 private:
  int64_t before_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_RESIDENT_PEAK_H_
