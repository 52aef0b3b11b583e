// RETURN_IF_ERROR and ASSIGN_OR_RETURN over absl::Status, and a way to put the file or field in front of a message.
#ifndef EARSHOT_BASE_STATUS_MACROS_H_
#define EARSHOT_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace earshot {

// `status` with "context: " in front of its message; ok stays ok.
inline absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(context, ": ", status.message()));
}

}  // namespace earshot

#define RETURN_IF_ERROR(expression)                                        \
  do {                                                                     \
    ::absl::Status earshot_status = (expression);                          \
    if (!earshot_status.ok()) return earshot_status;                       \
  } while (false)

#define EARSHOT_CONCAT_IMPL(a, b) a##b
#define EARSHOT_CONCAT(a, b) EARSHOT_CONCAT_IMPL(a, b)
#define EARSHOT_ASSIGN_OR_RETURN_IMPL(statusor, lhs, expression) \
  auto statusor = (expression);                                  \
  if (!statusor.ok()) return statusor.status();                  \
  lhs = std::move(statusor).value()

// ASSIGN_OR_RETURN(auto x, F()): F returns absl::StatusOr. A type with commas needs a `using` of its own first.
#define ASSIGN_OR_RETURN(lhs, expression) \
  EARSHOT_ASSIGN_OR_RETURN_IMPL(EARSHOT_CONCAT(earshot_statusor_, __LINE__), lhs, expression)

#endif  // EARSHOT_BASE_STATUS_MACROS_H_
