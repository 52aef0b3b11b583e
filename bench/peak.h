// What this machine can do at most, measured: the yardstick for shares of the peak.
#ifndef EARSHOT_BENCH_PEAK_H_
#define EARSHOT_BENCH_PEAK_H_

#include <algorithm>
#include <string>

#include "base/thread_pool.h"

namespace earshot {

// GFLOP/s of fused multiply-adds on registers, on all threads of the pool at once, with the widest vectors that this
// machine has. The best of several trials that take about `seconds` together.
double MeasurePeakGflops(ThreadPool* pool, double seconds = 0.5);

// GFLOP/s of a product of two square matrices through base/gemm. The best of several trials.
double MeasureGemmGflops(ThreadPool* pool, double seconds = 0.5);

// GB/s (10^9 bytes) through memory, on all threads of the pool at once, each on its own share of arrays of 128 MB. The
// best of several trials. Writes and copies go past the caches, so that every byte counted crosses the memory bus once.
struct Bandwidth {
  double read = 0, write = 0;
  double copy = 0, update = 0;  // from one array to another, and in place: bytes read and bytes written together
  double best() const { return std::max({read, write, copy, update}); }
};
Bandwidth MeasureBandwidth(ThreadPool* pool, double seconds = 0.5);

// The instruction set behind MeasurePeakGflops, as Highway names it: "AVX3", "AVX2", ...
const char* PeakInstructionSet();

// Of the Highway that this program was built with: "1.0.3".
std::string HighwayVersion();

}  // namespace earshot

#endif  // EARSHOT_BENCH_PEAK_H_
