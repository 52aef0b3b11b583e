// The list of LSTM implementations: the only place that names them. Row 0 is the definition, "reference".
#ifndef EARSHOT_LSTM_REGISTRY_H_
#define EARSHOT_LSTM_REGISTRY_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/device.h"
#include "lstm/lstm.h"

namespace earshot {

struct LstmImplementation {
  absl::string_view name;        // as in --lstm=NAME
  absl::string_view summary;     // one line
  absl::string_view stands_for;  // layers of other libraries that work in the same way
  Device device;
  double tolerance_factor;             // of AllNear in the conformance suite
  absl::string_view tolerance_reason;  // why the factor is not the default one; empty when it is
  absl::Status (*available)();         // e.g. Unavailable("no CUDA device")
  absl::StatusOr<std::unique_ptr<Lstm>> (*create)(const LstmLevelConfig&, const LstmContext&);
};

absl::Span<const LstmImplementation> LstmImplementations();

// "reference, basic, ..."
std::string LstmImplementationNames();

// NotFound, listing the names of the rows that can run here, when there is no such row.
absl::StatusOr<const LstmImplementation*> FindLstmImplementation(absl::string_view name);

// Also Unavailable, with the same list and the row's reason, when the row cannot run here.
absl::StatusOr<const LstmImplementation*> FindAvailableLstmImplementation(absl::string_view name);

// Creates a level with the named implementation; errors when it is unknown or not available here.
absl::StatusOr<std::unique_ptr<Lstm>> CreateLstm(absl::string_view implementation, const LstmLevelConfig& config,
                                                 const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_REGISTRY_H_
