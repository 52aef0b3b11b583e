// How fast the lists of a corpus are opened. bazel run //bench:listing_readers
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
