#include "base/stop_signal.h"

#include <signal.h>
#include <time.h>

#include <cstdint>

namespace earshot {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int> stop_signal{0};
std::atomic<int64_t> stop_milliseconds{0};  // when that was

int64_t Milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

void OnSignal(int number) {
  const int64_t now = Milliseconds();
  if (!stop_requested.load()) {
    stop_milliseconds = now;
    stop_signal = number;
    stop_requested = true;
  } else if (now - stop_milliseconds > 1000) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

}  // namespace

void CatchStopSignals(std::initializer_list<int> signals) {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  for (int number : signals) sigaction(number, &action, nullptr);
}

int StopSignal() { return stop_signal; }

const std::atomic<bool>& StopRequested() { return stop_requested; }

}  // namespace earshot
