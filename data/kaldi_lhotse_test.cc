// A directory that Lhotse wrote, against what Lhotse reads from it: tools/golden/lhotse_kaldi.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/kaldi_dir.h"

namespace earshot {
namespace {

const char kFolder[] = "data/testdata/lhotse_kaldi";

// Python writes 3.0 where 3 is the shortest text.
std::string Number(double value) {
  const std::string text = absl::StrCat(value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

TEST(KaldiLhotse, TheSameUtterances) {
  KaldiOptions options;
  options.allow_commands = true;
  const auto directory = ReadKaldiDirectory(kFolder, options);
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings, testing::IsEmpty());
  std::string text;
  for (const UtteranceSource& source : directory->utterances) {
    absl::StrAppend(&text, source.id, "|", source.recording, "|", source.audio_is_command ? "command|" : "file|",
                    source.audio, "|", source.speaker, "|", Number(source.begin_seconds), "|",
                    Number(source.duration_seconds), "|", source.text, "\n");
    EXPECT_NEAR(source.end_seconds - source.begin_seconds, source.duration_seconds, 1e-9) << source.id;
  }
  EXPECT_EQ(text, ReadFile(absl::StrCat(kFolder, "/as_lhotse_reads_it.txt"), 1 << 20).value());
}

}  // namespace
}  // namespace earshot
