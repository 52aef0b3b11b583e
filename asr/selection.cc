#include "asr/selection.h"

#include <cmath>
#include <limits>
#include <utility>

#include "asr/schedule.h"

namespace earshot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double NanIsInfinity(double x) { return std::isnan(x) ? kInfinity : x; }

}  // namespace

bool UpdateSelection(const ScheduleConfig& schedule, double error, double loss, TrainState* state) {
  const bool first = !state->has_best_error();
  if (IsPlateau(schedule, first ? kInfinity : state->best_error(), error)) state->set_halvings(state->halvings() + 1);
  const std::pair<double, double> now(NanIsInfinity(error), NanIsInfinity(loss));
  if (!first && now >= std::make_pair(state->best_error(), state->best_loss())) {
    state->set_epochs_since_best(state->epochs_since_best() + 1);
    return false;
  }
  state->set_best_error(now.first);
  state->set_best_loss(now.second);
  state->set_best_epoch(state->epoch());
  state->set_epochs_since_best(0);
  return true;
}

bool PatienceUsedUp(const TrainState& state, int patience) {
  return patience > 0 && state.epochs_since_best() >= patience;
}

}  // namespace earshot
