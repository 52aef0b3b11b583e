// CHECK macros: for conditions that only a programmer's mistake can break. What a user, a file, a configuration or a
// device can cause is an absl::Status instead (see status_macros.h).
#ifndef EARSHOT_BASE_CHECK_H_
#define EARSHOT_BASE_CHECK_H_

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace earshot {
namespace internal {

// Collects the streamed message and ends the process at the end of the statement.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition) {
    message_ << file << ":" << line << ": CHECK failed: " << condition << " ";
  }
  [[noreturn]] ~CheckFailure() {
    std::cerr << message_.str() << std::endl;
    std::abort();
  }
  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};

// Gives the streamed expression the type void, so that it fits both branches of the conditional operator.
struct Voidify {
  void operator&(std::ostream&) {}
};

}  // namespace internal
}  // namespace earshot

#define EARSHOT_CHECK_IMPL(condition, text) \
  (condition) ? (void)0                     \
              : ::earshot::internal::Voidify() & ::earshot::internal::CheckFailure(__FILE__, __LINE__, text).stream()

#define CHECK(condition) EARSHOT_CHECK_IMPL(condition, #condition)
#define EARSHOT_CHECK_OP(a, op, b) CHECK((a)op(b)) << "(" << (a) << " against " << (b) << ") "
#define CHECK_EQ(a, b) EARSHOT_CHECK_OP(a, ==, b)
#define CHECK_NE(a, b) EARSHOT_CHECK_OP(a, !=, b)
#define CHECK_LT(a, b) EARSHOT_CHECK_OP(a, <, b)
#define CHECK_LE(a, b) EARSHOT_CHECK_OP(a, <=, b)
#define CHECK_GT(a, b) EARSHOT_CHECK_OP(a, >, b)
#define CHECK_GE(a, b) EARSHOT_CHECK_OP(a, >=, b)

#endif  // EARSHOT_BASE_CHECK_H_
