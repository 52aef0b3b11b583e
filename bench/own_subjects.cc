#include "bench/own_subjects.h"

#include "base/status_macros.h"
#include "bench/loss_subject.h"
#include "bench/misaligned_subject.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

std::unique_ptr<Subject> StepOf(const BenchConfig& config, const LstmImplementation* implementation, ThreadPool* pool) {
  if (config.batch().misaligned_lengths()) return std::make_unique<MisalignedLengthsSubject>(implementation, pool);
  return std::make_unique<TrainerSubject>(implementation, pool);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Subject>> OwnSubject(const BenchConfig& config, const std::string& name,
                                                    ThreadPool* pool) {
  if (config.measured() == BenchConfig::LOSS) return std::make_unique<LossSubject>(pool);
  ASSIGN_OR_RETURN(const LstmImplementation* implementation, FindAvailableLstmImplementation(name));
  return StepOf(config, implementation, pool);
}

std::unique_ptr<Subject> ReferenceSubject(const BenchConfig& config, ThreadPool* pool) {
  if (config.measured() == BenchConfig::LOSS) return std::make_unique<LossDefinitionSubject>();
  return StepOf(config, &LstmImplementations()[0], pool);
}

}  // namespace earshot
