#include "data/manifest.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/gunzip.h"

namespace earshot {
namespace {

class ManifestTest : public testing::Test {
 protected:
  // A file in the test's own folder, with its path.
  std::string Write(const std::string& name, absl::string_view content) {
    const std::string path = absl::StrCat(folder_, "/", name);
    EXPECT_TRUE(MakeDirectories(path.substr(0, path.rfind('/'))).ok());
    const absl::Status status = WriteFileAtomically(path, {content});
    EXPECT_TRUE(status.ok()) << status;
    return path;
  }

  const std::string folder_ = absl::StrCat(testing::TempDir(), "/manifest_test.",
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string Kind(absl::string_view content) {
  const auto kind = RecognizeManifest(content, "f");
  if (!kind.ok()) return std::string(kind.status().message());
  switch (*kind) {
    case ManifestKind::kNemo:
      return "nemo";
    case ManifestKind::kTsv:
      return "tsv";
    case ManifestKind::kLhotseCuts:
      return "cuts";
    case ManifestKind::kLhotseRecordings:
      return "recordings";
    case ManifestKind::kLhotseSupervisions:
      return "supervisions";
  }
  return "";
}

TEST_F(ManifestTest, KindsAreRecognisedByTheirContent) {
  EXPECT_EQ(Kind("{\"audio_filepath\": \"a\"}"), "nemo");
  EXPECT_EQ(Kind("\xef\xbb\xbf\r\n {\"duration\": 1, \"id\": [], \"wav\": \"a\"}\n{"), "nemo");
  EXPECT_EQ(Kind(Gzip("{\"audio_filepath\": \"a\"}")), "nemo");
  EXPECT_EQ(Kind("{\"id\": \"a\", \"sources\": []}"), "recordings");
  EXPECT_EQ(Kind("{\"id\": \"a\", \"recording_id\": \"a\"}"), "supervisions");
  EXPECT_EQ(Kind("{\"id\": \"a\", \"recording\": {}, \"supervisions\": []}"), "cuts");
  EXPECT_EQ(Kind("{\"id\": \"a\", \"tracks\": [], \"type\": \"MixedCut\"}"), "cuts");
  EXPECT_EQ(Kind("{\"id\": \"a\", \"type\": \"PaddingCut\"}"), "cuts");
  EXPECT_EQ(Kind("id\taudio\n"), "tsv");
  EXPECT_EQ(Kind("client_id\tpath\tsentence\n"), "tsv");
  const std::string expected =
      ": expected JSONL of NeMo (\"audio_filepath\"), WeNet (\"wav\") or Lhotse (\"sources\", \"recording_id\" or "
      "\"supervisions\"), or a TSV header with a column \"audio\" or \"path\", found ";
  EXPECT_EQ(Kind(""), absl::StrCat("f:1", expected, "nothing"));
  EXPECT_EQ(Kind("\n{\"a\": 1, \"b\x7f\": 2}"), absl::StrCat("f:2", expected, "an object of \"a\", \"b\\x7f\""));
  EXPECT_EQ(Kind("{}"), absl::StrCat("f:1", expected, "an object of nothing"));
  EXPECT_EQ(Kind("a wav/a.wav\n"), absl::StrCat("f:1", expected, "\"a wav/a.wav\""));
  EXPECT_EQ(Kind(" [{\"audio_filepath\": \"a\"}]"), "f:1: expected JSONL, one object a line, found an array of JSON");
  EXPECT_EQ(Kind("{\n \"audio_filepath\": 1}"), "f:1: byte 1: expected a string, found the end of the JSON");
}

TEST_F(ManifestTest, RelativePathsStartFromTheManifestThenFromTheCaller) {
  const std::string path = Write("lists/train.json",
                                 "{\"wav\": \"here/a.wav\"}\n{\"wav\": \"here/gone.wav\"}\n{\"wav\": \"there/b.wav\"}\n"
                                 "{\"wav\": \"/abs/c.wav\"}\n{\"wav\": \"nowhere/d.wav\"}\n");
  Write("lists/here/a.wav", "");
  Write("cwd/here/a.wav", "");
  Write("cwd/there/b.wav", "");
  setenv("BUILD_WORKING_DIRECTORY", absl::StrCat(folder_, "/cwd").c_str(), 1);
  const auto manifest = ReadManifest(path);
  unsetenv("BUILD_WORKING_DIRECTORY");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  const char* expected[] = {"/lists/here/a.wav", "/lists/here/gone.wav", "/cwd/there/b.wav", "",
                            "/lists/nowhere/d.wav"};
  for (int i : {0, 1, 2, 4}) EXPECT_EQ(manifest->utterances[i].audio, absl::StrCat(folder_, expected[i]));
  EXPECT_EQ(manifest->utterances[3].audio, "/abs/c.wav");
}

TEST_F(ManifestTest, ManifestInTheCurrentFolder) {
  Write("m.tsv", "audio\ttext\nx.wav\tone\n");
  Write("x.wav", "");
  ASSERT_EQ(chdir(folder_.c_str()), 0);
  const auto manifest = ReadManifest("m.tsv");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->utterances[0].audio, "x.wav");
}

TEST_F(ManifestTest, CommonVoiceKeepsItsAudioInClips) {
  const std::string path = Write("train.tsv", "client_id\tpath\tsentence\ns\tx.mp3\tone\n");
  auto manifest = ReadManifest(path);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->utterances[0].audio, absl::StrCat(folder_, "/x.mp3"));
  Write("clips/x.mp3", "");
  manifest = ReadManifest(path);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->utterances[0].audio, absl::StrCat(folder_, "/clips/x.mp3"));
}

TEST_F(ManifestTest, EitherOfLhotsesPairIsEnough) {
  const std::string recordings =
      Write("x_recordings_train.jsonl",
            "{\"id\": \"a\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"/a.wav\"}], "
            "\"sampling_rate\": 16000, \"num_samples\": 16000, \"duration\": 1}\n");
  const std::string text = "{\"id\": \"s\", \"recording_id\": \"a\", \"start\": 0, \"duration\": 1, \"text\": \"x\"}\n";
  EXPECT_EQ(ReadManifest(recordings).status().message(),
            absl::StrCat(recordings,
                         ":1: expected supervisions in a file beside it, found none with that word in place "
                         "of \"recordings\""));
  const std::string supervisions = Write("x_supervisions_train.jsonl.gz", Gzip(text));
  for (const std::string& path : {recordings, supervisions}) {
    const auto manifest = ReadManifest(path);
    ASSERT_TRUE(manifest.ok()) << manifest.status();
    EXPECT_EQ(manifest->kind, "lhotse");
    ASSERT_EQ(manifest->utterances.size(), 1u);
    EXPECT_EQ(manifest->utterances[0].audio, "/a.wav");
    EXPECT_EQ(manifest->utterances[0].text, "x");
  }
  const std::string lonely = Write("lonely.jsonl", text);
  EXPECT_EQ(ReadManifest(lonely).status().message(),
            absl::StrCat(lonely,
                         ":1: expected recordings in a file beside it, found none with that word in place of "
                         "\"supervisions\""));
}

TEST_F(ManifestTest, OnlyRegularFilesAreRead) {
  EXPECT_EQ(ReadManifest(absl::StrCat(folder_, "/none.json")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadManifest("/dev/zero").status().message(), "/dev/zero: expected a regular file");
}

}  // namespace
}  // namespace earshot
