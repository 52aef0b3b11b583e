// A whole run in the test's own process.
#ifndef EARSHOT_BENCH_TESTING_RUN_HERE_H_
#define EARSHOT_BENCH_TESTING_RUN_HERE_H_

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/thread_pool.h"
#include "bench/block.h"
#include "bench/run.h"
#include "bench/subject.h"

namespace earshot {

// The blocks' subjects are borrowed from `subjects` by their names.
inline absl::StatusOr<BenchReport> RunHere(const BenchConfig& config, std::vector<std::unique_ptr<Subject>>* subjects,
                                           ThreadPool* pool, std::ostream* progress) {
  BenchRows rows;
  for (const auto& subject : *subjects) (subject->peer() ? rows.peers : rows.own).push_back(subject->name());
  const BlockRunner here = [=](const BlockRequest& request) {
    std::vector<std::unique_ptr<Subject>*> places;
    std::vector<std::unique_ptr<Subject>> lent;
    for (const BlockRequest::Row& row : request.row()) {
      places.push_back(&*std::find_if(subjects->begin(), subjects->end(),
                                      [&](const auto& s) { return s != nullptr && s->name() == row.name(); }));
      lent.push_back(std::move(*places.back()));
    }
    absl::StatusOr<BenchReport> report = RunBlock(request, lent, pool, progress);
    for (size_t i = 0; i < places.size(); ++i) *places[i] = std::move(lent[i]);
    return report;
  };
  return RunBench(config, rows, here, progress);
}

}  // namespace earshot

#endif  // EARSHOT_BENCH_TESTING_RUN_HERE_H_
