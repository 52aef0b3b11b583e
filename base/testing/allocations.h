// Counts the heap. A test that uses it has operator new and delete of the whole program replaced; memory that C
// libraries take with malloc is not seen.
#ifndef EARSHOT_BASE_TESTING_ALLOCATIONS_H_
#define EARSHOT_BASE_TESTING_ALLOCATIONS_H_

#include <cstdint>

namespace earshot {

int64_t AllocatedBytes();  // held now
// The most that were held at a time since the last ResetPeakAllocatedBytes.
int64_t PeakAllocatedBytes();
void ResetPeakAllocatedBytes();

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_ALLOCATIONS_H_
