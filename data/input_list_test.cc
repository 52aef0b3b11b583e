#include "data/input_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/tensor.h"
#include "data/htk_file.h"
#include "data/kaldi_encode.h"
#include "data/npy.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kWav = WavBytes(8000, {1, 2, 3});

Tensor<float, 2> Matrix() {
  Tensor<float, 2> matrix({2, 3});
  for (int i = 0; i < 6; ++i) matrix.data()[i] = i;
  return matrix;
}

std::vector<std::string> Ids(const InputList& list) {
  std::vector<std::string> ids;
  for (const UtteranceSource& source : list.utterances) ids.push_back(source.id);
  return ids;
}

InputList List(const std::vector<std::string>& inputs) {
  InputList list = ListInputs(inputs);
  for (const absl::Status& error : list.errors) ADD_FAILURE() << error;
  return list;
}

std::string Error(const std::string& input) {
  const InputList list = ListInputs({input});
  EXPECT_EQ(list.errors.size(), 1u);
  EXPECT_TRUE(list.utterances.empty());
  return list.errors.empty() ? "" : std::string(list.errors[0].message());
}

TEST(InputList, RecordingsAndStandardInput) {
  const std::string folder = MakeTestFolder("recordings");
  WriteTestFile(folder + "/b.wav", kWav);
  WriteTestFile(folder + "/a.FLAC", "broken: its reader says so");
  WriteTestFile(folder + "/notes.txt", "not a recording");
  WriteTestFile(folder + "/no_extension", kWav);
  InputList list = List({folder, "-", folder + "/no_extension", folder + "/b.wav"});
  EXPECT_THAT(Ids(list), ElementsAre("a", "b", "stdin", "no_extension", "b"));
  EXPECT_EQ(list.utterances[1].audio, folder + "/b.wav");
  EXPECT_EQ(list.utterances[2].audio, "-");

  // Names of files that would be no ids, nor harmless on a terminal.
  WriteTestFile(folder + "/c d\n\x1b[2J\xff.wav", kWav);
  list = List({folder + "/c d\n\x1b[2J\xff.wav"});
  EXPECT_THAT(Ids(list), ElementsAre("c_d__[2J_"));
  EXPECT_EQ(list.utterances[0].audio, folder + "/c d\n\x1b[2J\xff.wav");

  const std::string empty = MakeTestFolder("empty_folder");
  EXPECT_THAT(Error(empty), HasSubstr(empty + ": no recording (*.wav"));
  EXPECT_THAT(Error(empty + "/gone"), HasSubstr("/gone: cannot open: No such file"));
  // One that is not there has no say about the others.
  const InputList with_errors = ListInputs({empty + "/gone", folder + "/b.wav", empty});
  EXPECT_THAT(Ids(with_errors), ElementsAre("b"));
  EXPECT_EQ(with_errors.errors.size(), 2u);
  // What nothing is known of is left to the reader of recordings, which names the format.
  WriteTestFile(folder + "/song.ogg", std::string("OggS\0\2", 6));
  EXPECT_THAT(Ids(List({folder + "/song.ogg"})), ElementsAre("song"));
}

TEST(InputList, FeatureFilesByContentAndName) {
  const std::string folder = MakeTestFolder("feature_files");
  const Tensor<float, 2> matrix = Matrix();
  std::string kaldi, text;
  ASSERT_TRUE(AppendKaldiBinary(matrix.view(), KaldiCompression::kNone, &kaldi).ok());
  AppendKaldiText(matrix.view(), &text);
  WriteTestFile(folder + "/t.txt", text);
  WriteTestFile(folder + "/n.data", EncodeNpy(matrix.view()));
  WriteTestFile(folder + "/k.mat", kaldi);
  WriteTestFile(folder + "/h.mfc", EncodeHtk(matrix.view(), kHtkUser, 100000).value());
  WriteTestFile(folder + "/h2", EncodeHtk(matrix.view(), kHtkUser, 100000).value());
  WriteTestFile(folder + "/a.npy", EncodeNpy(matrix.view()));
  WriteTestFile(folder + "/f.ark", "key " + kaldi);
  const InputList list =
      List({folder + "/n.data", folder + "/k.mat", folder + "/h.mfc", folder + "/h2", folder + "/t.txt", folder});
  EXPECT_THAT(Ids(list), ElementsAre("n", "k", "h", "h2", "t", "a", "h"));
  EXPECT_THAT(Error(folder + "/f.ark"), HasSubstr("found a Kaldi archive: name its scp, or ark:" + folder + "/f.ark"));
  for (const UtteranceSource& source : list.utterances) {
    EXPECT_EQ(source.audio, "");
    EXPECT_NE(source.features, "");
  }
}

TEST(InputList, ScpOfRecordingsAndOfFeatures) {
  const std::string folder = MakeTestFolder("scp");
  WriteTestFile(folder + "/a.wav", kWav);
  std::string kaldi = "k1 ";
  ASSERT_TRUE(AppendKaldiBinary(Matrix().view(), KaldiCompression::kNone, &kaldi).ok());
  WriteTestFile(folder + "/f.ark", kaldi);
  WriteTestFile(folder + "/wavs.ark", "w1 " + kWav);
  WriteTestFile(folder + "/wav.list", "u2 a.wav\nu1 a.wav\n");  // the scp's own folder
  WriteTestFile(folder + "/feats.scp", "k1 f.ark:3[0:0]\n");
  WriteTestFile(folder + "/wav_ark.scp", "w1 wavs.ark:3\n");
  WriteTestFile(folder + "/commands.scp", "u1 cat a.wav |\n");

  InputList list = List({folder + "/wav.list"});
  EXPECT_THAT(Ids(list), ElementsAre("u1", "u2"));
  EXPECT_EQ(list.utterances[0].audio, folder + "/a.wav");
  EXPECT_THAT(list.warnings, ElementsAre(HasSubstr("wav.list:2: expected an id after")));
  list = List({folder + "/feats.scp"});
  EXPECT_EQ(list.utterances[0].features, folder + "/f.ark:3[0:0]");
  EXPECT_EQ(list.utterances[0].audio, "");
  EXPECT_EQ(List({folder + "/wav_ark.scp"}).utterances[0].audio, folder + "/wavs.ark:3");

  EXPECT_THAT(Error(folder + "/commands.scp"), HasSubstr("commands.scp:1: expected a file (commands run only with"));
  InputOptions options;
  options.allow_commands = true;
  const InputList allowed = ListInputs({folder + "/commands.scp"}, options);
  ASSERT_EQ(allowed.utterances.size(), 1u);
  EXPECT_TRUE(allowed.utterances[0].audio_is_command);
}

TEST(InputList, ManifestsAndKaldiDirectories) {
  const std::string folder = MakeTestFolder("lists");
  WriteTestFile(folder + "/a.wav", kWav);
  WriteTestFile(folder + "/m.jsonl", R"({"audio_filepath": "a.wav", "duration": 1, "text": "hi"})"
                                     "\n");
  WriteTestFile(folder + "/bad.jsonl", "{\"audio_filepath\": 5}\n");
  WriteTestFile(folder + "/array.json", "[{\"audio_filepath\": \"a.wav\"}]\n");
  InputList list = List({folder + "/m.jsonl"});
  EXPECT_THAT(Ids(list), ElementsAre("a"));
  EXPECT_EQ(list.utterances[0].text, "hi");
  EXPECT_THAT(Error(folder + "/bad.jsonl"), HasSubstr("bad.jsonl:1: "));
  EXPECT_THAT(Error(folder + "/array.json"),
              HasSubstr("array.json:1: expected JSONL, one object a line, found an array"));

  WriteTestFile(folder + "/wav.scp", "u1 a.wav\n");
  list = List({folder});  // a Kaldi directory now, not a folder of recordings
  EXPECT_THAT(Ids(list), ElementsAre("u1"));
  EXPECT_THAT(list.warnings, ElementsAre(HasSubstr("utt2spk: no such file")));
}

}  // namespace
}  // namespace earshot
