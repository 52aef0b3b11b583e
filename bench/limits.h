// Where the time of a step goes, against the least that its arithmetic takes at the machine's peak.
#ifndef EARSHOT_BENCH_LIMITS_H_
#define EARSHOT_BENCH_LIMITS_H_

#include <array>
#include <string>

#include "base/phase_timer.h"
#include "bench/bench.pb.h"

namespace earshot {

// Useful floating-point operations of a row's step by phase. Products that a row does not book on a phase of their own
// (input products inside the recurrence, weight gradients inside its backward pass) count where they are.
std::array<double, kNumPhases> PhaseFlops(const BenchConfig& config, const BenchRow& row);

// Bytes that the row must move at least, by phase (bench/bytes.h), booked as PhaseFlops does. Where one phase does the
// work of two, what passes between them need not go through memory.
std::array<double, kNumPhases> PhaseBytes(const BenchConfig& config, const BenchRow& row);

// A table of the phases of a row of ours: milliseconds, useful GFLOP (bench/flops.h), milliseconds of these at
// `peak_gflops`, and the share of the peak.
std::string LimitTable(const BenchConfig& config, double peak_gflops, const BenchRow& row);

}  // namespace earshot

#endif  // EARSHOT_BENCH_LIMITS_H_
