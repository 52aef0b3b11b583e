// Signals that ask a program to end well: to keep what it has, and then to exit.
#ifndef EARSHOT_BASE_STOP_SIGNAL_H_
#define EARSHOT_BASE_STOP_SIGNAL_H_

#include <atomic>
#include <initializer_list>

namespace earshot {

// From now on the first of these signals is only noted. One that comes more than a second later ends the process at
// once, as if it had never been caught. (timeout(1) sends each signal twice in a row.)
void CatchStopSignals(std::initializer_list<int> signals);

// The signal that was noted; 0: none so far. The same number for ever after.
int StopSignal();
const std::atomic<bool>& StopRequested();

}  // namespace earshot

#endif  // EARSHOT_BASE_STOP_SIGNAL_H_
