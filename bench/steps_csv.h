// The steps of a report as comma-separated values (RFC 4180), one row a step.
#ifndef EARSHOT_BENCH_STEPS_CSV_H_
#define EARSHOT_BENCH_STEPS_CSV_H_

#include <string>

#include "bench/bench.pb.h"

namespace earshot {

// "config,at,implementation,version,block,step,warm_up,seconds,loss,commit" and a line end (CRLF).
std::string StepsCsvHeader();

// In the order of rows and blocks. `at` is empty without a sweep, `version` for our own rows, `loss` where the record
// has none; `step` counts from 0 in its block, as the losses do; `warm_up` is 1 for steps before the steady state.
std::string StepsCsv(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_STEPS_CSV_H_
