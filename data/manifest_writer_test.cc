#include "data/manifest_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "data/gunzip.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

class ManifestWriterTest : public testing::Test {
 protected:
  ManifestWriterTest() {
    WriteTestFile(folder_ + "/a.wav", WavBytes(8000, std::vector<int16_t>(1000)));  // 0.125 s
    sources_.resize(3);
    sources_[0].id = "whole";
    sources_[0].text = "one \"two\"";
    sources_[0].speaker = "s";
    sources_[0].audio = folder_ + "/a.wav";
    sources_[1].id = "part";
    sources_[1].audio = folder_ + "/a.wav";
    sources_[1].channel = 0;
    sources_[1].begin_seconds = 0.01;
    sources_[1].end_seconds = 0.1;
    sources_[2].id = "rest";
    sources_[2].audio = folder_ + "/a.wav";
    sources_[2].begin_seconds = 0.0625;
  }

  // What is written to a file of this name, with the folder cut out.
  std::string Written(ManifestKind kind, const std::string& name) {
    const absl::Status status = WriteManifest(kind, sources_, absl::StrCat(folder_, "/", name), &warnings_);
    return status.ok() ? Content(name) : std::string(status.message());
  }
  std::string Content(const std::string& name) const {
    std::string content = ReadFile(absl::StrCat(folder_, "/", name), 1 << 20).value();
    for (size_t at = content.find(folder_); at != std::string::npos; at = content.find(folder_)) {
      content.erase(at, folder_.size());
    }
    return content;
  }

  const std::string folder_ =
      MakeTestFolder(absl::StrCat("writer_", testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::vector<UtteranceSource> sources_;
  std::vector<std::string> warnings_;
};

TEST_F(ManifestWriterTest, Nemo) {
  EXPECT_EQ(Written(ManifestKind::kNemo, "m.jsonl"),
            "{\"audio_filepath\": \"/a.wav\", \"duration\": 0.125, \"text\": \"one \\\"two\\\"\", \"id\": \"whole\", "
            "\"speaker\": \"s\"}\n"
            "{\"audio_filepath\": \"/a.wav\", \"offset\": 0.01, \"duration\": 0.09000000000000001, \"text\": \"\", "
            "\"id\": \"part\", \"channel\": 0}\n"
            "{\"audio_filepath\": \"/a.wav\", \"offset\": 0.0625, \"duration\": 0.0625, \"text\": \"\", \"id\": "
            "\"rest\"}\n");
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(ManifestWriterTest, StatedDurationsStayToTheBit) {
  sources_.resize(2);
  sources_[0].duration_seconds = 0.12;  // rounded; the file is not looked at
  sources_[0].audio = "/gone.wav";
  sources_[1].duration_seconds = 0.09;
  sources_[1].end_seconds = 0.01 + 0.09;
  EXPECT_EQ(Written(ManifestKind::kNemo, "m.jsonl"),
            "{\"audio_filepath\": \"/gone.wav\", \"duration\": 0.12, \"text\": \"one \\\"two\\\"\", \"id\": \"whole\", "
            "\"speaker\": \"s\"}\n"
            "{\"audio_filepath\": \"/a.wav\", \"offset\": 0.01, \"duration\": 0.09, \"text\": \"\", \"id\": \"part\", "
            "\"channel\": 0}\n");
}

TEST_F(ManifestWriterTest, Tsv) {
  EXPECT_EQ(Written(ManifestKind::kTsv, "m.tsv"),
            "id\taudio\ttext\tspeaker\tbegin\tend\tchannel\n"
            "whole\t/a.wav\tone \"two\"\ts\t0\t\t\n"
            "part\t/a.wav\t\t\t0.01\t0.1\t0\n"
            "rest\t/a.wav\t\t\t0.0625\t\t\n");
}

TEST_F(ManifestWriterTest, LhotsesPair) {
  EXPECT_EQ(Written(ManifestKind::kLhotseSupervisions, "x_supervisions.jsonl"),
            "{\"id\": \"whole\", \"recording_id\": \"a\", \"start\": 0, \"duration\": 0.125, \"channel\": 0, \"text\": "
            "\"one \\\"two\\\"\", \"speaker\": \"s\"}\n"
            "{\"id\": \"part\", \"recording_id\": \"a\", \"start\": 0.01, \"duration\": 0.09000000000000001, "
            "\"channel\": 0, \"text\": \"\"}\n"
            "{\"id\": \"rest\", \"recording_id\": \"a\", \"start\": 0.0625, \"duration\": 0.0625, \"channel\": 0, "
            "\"text\": \"\"}\n");
  EXPECT_EQ(Content("x_recordings.jsonl"),
            "{\"id\": \"a\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"/a.wav\"}], "
            "\"sampling_rate\": 8000, \"num_samples\": 1000, \"duration\": 0.125, \"channel_ids\": [0]}\n");
}

TEST_F(ManifestWriterTest, LhotsesCuts) {
  sources_.erase(sources_.begin(), sources_.begin() + 2);
  sources_[0].end_seconds = 99;  // beyond the end of the recording
  EXPECT_EQ(Written(ManifestKind::kLhotseCuts, "cuts.jsonl"),
            "{\"id\": \"rest\", \"start\": 0.0625, \"duration\": 0.0625, \"channel\": 0, \"supervisions\": [{\"id\": "
            "\"rest\", \"recording_id\": \"rest\", \"start\": 0, \"duration\": 0.0625, \"channel\": 0, \"text\": "
            "\"\"}], \"recording\": {\"id\": \"rest\", \"sources\": [{\"type\": \"file\", \"channels\": [0], "
            "\"source\": \"/a.wav\"}], \"sampling_rate\": 8000, \"num_samples\": 1000, \"duration\": 0.125, "
            "\"channel_ids\": [0]}, \"type\": \"MonoCut\"}\n");
}

TEST_F(ManifestWriterTest, PackedWhereTheNameSaysSo) {
  const std::string plain = Written(ManifestKind::kTsv, "m.tsv");
  ASSERT_TRUE(WriteManifest(ManifestKind::kTsv, sources_, folder_ + "/m.tsv.gz", &warnings_).ok());
  const std::string packed = ReadFile(folder_ + "/m.tsv.gz", 1 << 20).value();
  EXPECT_EQ(packed, Gzip(ReadFile(folder_ + "/m.tsv", 1 << 20).value()));
  EXPECT_TRUE(LooksLikeGzip(packed));
}

TEST_F(ManifestWriterTest, RefusesWhatCouldNotBeReadAgain) {
  const auto error = [this](void (*change)(UtteranceSource*)) {
    const std::vector<UtteranceSource> kept = sources_;
    change(&sources_[1]);
    const std::string message = Written(ManifestKind::kTsv, "m.tsv");
    sources_ = kept;
    return message;
  };
  EXPECT_EQ(error([](UtteranceSource* source) { source->id = "whole"; }),
            "manifest:3: expected each id once, found \"whole\", which line 2 has too");
  EXPECT_EQ(error([](UtteranceSource* source) { source->audio = "/a\tb"; }),
            "manifest:3: expected 7 fields, as in the header, found 8");
  EXPECT_EQ(error([](UtteranceSource* source) { source->audio = "/a|"; }),
            "utterance \"part\": expected a path without white space or '|' at its ends, found \"/a|\"");
  EXPECT_EQ(error([](UtteranceSource* source) {
              source->audio = "";
              source->features = "a.ark:5";
            }),
            "utterance \"part\": expected audio, found features only, which a manifest cannot name");
  sources_[0].features = "a.ark:5";
  Written(ManifestKind::kTsv, "m.tsv");
  EXPECT_EQ(absl::StrJoin(warnings_, "|"), "the features of 1 utterances are left out; their audio stays");
}

}  // namespace
}  // namespace earshot
