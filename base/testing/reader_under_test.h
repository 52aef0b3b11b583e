// One reader for both kinds of tests with hostile bytes. A file foo_fuzz.cc defines kReaderUnderTest; reader_test()
// (reader_test.bzl) links it to reader_test_main.cc, an ordinary test that reads the seeds and every mutation of the
// small ones, and to reader_fuzz.cc, libFuzzer's entry point.
#ifndef EARSHOT_BASE_TESTING_READER_UNDER_TEST_H_
#define EARSHOT_BASE_TESTING_READER_UNDER_TEST_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

struct ReaderUnderTest {
  // Reads, and CHECKs what was read as far as the format promises something.
  absl::Status (*read)(absl::string_view content, absl::string_view name);
  // See MutationOptions. The share is of all mutations of any one seed that is read without error.
  double min_refused = 0.5;
  void (*repair)(std::string* content) = nullptr;
};

extern const ReaderUnderTest kReaderUnderTest;

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_READER_UNDER_TEST_H_
