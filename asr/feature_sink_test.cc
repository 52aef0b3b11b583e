#include "asr/feature_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <vector>

#include "base/textproto.h"
#include "data/feature_file.h"
#include "data/htk_file.h"
#include "data/kaldi_dir.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string TestFolder(const std::string& name) {
  const std::string folder = testing::TempDir() + "/" + name;
  mkdir(folder.c_str(), 0755);
  return folder;
}

FeatureConfig Config(const std::string& text) {
  FeatureConfig config;
  EXPECT_TRUE(ParseTextproto(text, "config", &config).ok());
  return config;
}

UtteranceSource Source(const std::string& id) {
  UtteranceSource source;
  source.id = id;
  source.text = "WORD";
  source.audio = "/a/" + id + ".wav";
  return source;
}

// One frame with the numbers 0, 1, 2, ...
Tensor<float, 2> Frame(int columns) {
  Tensor<float, 2> frame({1, columns});
  for (int d = 0; d < columns; ++d) frame.data()[d] = d;
  return frame;
}

// What comes out of an HTK file for one frame of these features.
HtkFeatures ThroughHtk(const std::string& config, int columns, bool ready = false) {
  const std::string path = testing::TempDir() + "/through.htk";
  auto sink = FeatureSink::Create(path, "", Config(config));
  EXPECT_TRUE(sink.ok()) << sink.status();
  EXPECT_TRUE((*sink)->Write(Source("u"), ready, Frame(columns).view()).ok());
  EXPECT_TRUE((*sink)->Close().ok());
  absl::StatusOr<HtkFeatures> htk = ReadHtk(path);
  EXPECT_TRUE(htk.ok()) << htk.status();
  return htk.ok() ? *std::move(htk) : HtkFeatures();
}

std::vector<float> Row(const HtkFeatures& htk) { return {htk.features.span().begin(), htk.features.span().end()}; }

TEST(FeatureSink, HtkFilesHaveTheEnergyLastAndSayWhatTheyHold) {
  HtkFeatures htk = ThroughHtk("num_mel_bins: 2 delta_order: 1 frame_shift_ms: 12.5", 6);
  EXPECT_EQ(HtkKindName(htk.kind), "FBANK_E_D");
  EXPECT_EQ(htk.frame_shift, 125000);
  EXPECT_THAT(Row(htk), ElementsAre(1, 2, 0, 4, 5, 3));

  htk = ThroughHtk("num_mel_bins: 3 energy: NO_ENERGY delta_order: 0", 3);
  EXPECT_EQ(HtkKindName(htk.kind), "FBANK");
  EXPECT_THAT(Row(htk), ElementsAre(0, 1, 2));

  const std::string mfcc = "kind: MFCC num_mel_bins: 5 num_ceps: 3 delta_order: 0 ";
  htk = ThroughHtk(mfcc + "energy: NO_ENERGY", 3);
  EXPECT_EQ(HtkKindName(htk.kind), "MFCC_0");
  EXPECT_THAT(Row(htk), ElementsAre(1, 2, 0));
  // Already in HTK's order.
  htk = ThroughHtk(mfcc + "htk_compatible: true", 3);
  EXPECT_EQ(HtkKindName(htk.kind), "MFCC_E");
  EXPECT_THAT(Row(htk), ElementsAre(0, 1, 2));

  htk = ThroughHtk("num_mel_bins: 2", 4, /*ready=*/true);
  EXPECT_EQ(HtkKindName(htk.kind), "USER");
  EXPECT_THAT(Row(htk), ElementsAre(0, 1, 2, 3));
}

TEST(FeatureSink, OneFileTakesOneUtteranceAFolderMany) {
  const std::string folder = TestFolder("many");
  auto one = FeatureSink::Create(folder + "/one.npy", "", {});
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_TRUE((*one)->Write(Source("a"), false, Frame(2).view()).ok());
  EXPECT_THAT(std::string((*one)->Write(Source("b"), false, Frame(2).view()).message()),
              HasSubstr("one.npy: expected one utterance, found more"));

  // No archive, whatever its name begins with.
  EXPECT_TRUE(FeatureSink::Create("arkansas.npy", "", {}).ok());

  auto many = FeatureSink::Create("npy:" + folder, "", {});
  ASSERT_TRUE(many.ok()) << many.status();
  EXPECT_TRUE((*many)->Write(Source("a"), false, Frame(2).view()).ok());
  EXPECT_TRUE((*many)->Write(Source("b"), false, Frame(3).view()).ok());
  EXPECT_EQ(ReadFeatureFile(folder + "/b.npy").value().dim(1), 3);
  EXPECT_THAT(std::string((*many)->Write(Source("a"), false, Frame(2).view()).message()),
              HasSubstr("utterance \"a\": comes twice"));
  EXPECT_THAT(std::string((*many)->Write(Source("x/y"), false, Frame(2).view()).message()),
              HasSubstr("\"x/y\" cannot be a file's name"));
}

TEST(FeatureSink, KaldiDirectoryWithArchive) {
  const std::string folder = testing::TempDir() + "/kaldi";
  auto sink = FeatureSink::Create("kaldi:" + folder, "cm2", {});
  ASSERT_TRUE(sink.ok()) << sink.status();
  EXPECT_TRUE((*sink)->Write(Source("u2"), false, Frame(2).view()).ok());
  EXPECT_TRUE((*sink)->Write(Source("u1"), false, Frame(4).view()).ok());
  EXPECT_FALSE(LooksLikeKaldiDirectory(folder));  // not before it is whole
  ASSERT_TRUE((*sink)->Close().ok());
  const auto directory = ReadKaldiDirectory(folder);
  ASSERT_TRUE(directory.ok()) << directory.status();
  ASSERT_EQ(directory->utterances.size(), 2u);
  const UtteranceSource& first = directory->utterances[0];
  EXPECT_EQ(first.id, "u1");
  EXPECT_EQ(first.text, "WORD");
  EXPECT_EQ(first.audio, "/a/u1.wav");
  const auto matrix = ReadFeatureFile(first.features);
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_NEAR(matrix->data()[3], 3, 3.0 / 65535);
  EXPECT_THAT(std::string(FeatureSink::Create("kaldi:" + folder, "", {}).status().message()),
              HasSubstr("kaldi: is a Kaldi data directory already"));
}

TEST(FeatureSink, WhatIsNoOutputIsRefused) {
  const auto error = [](const std::string& out, const std::string& compress = "") {
    return std::string(FeatureSink::Create(out, compress, {}).status().message());
  };
  EXPECT_THAT(error("x.csv"), HasSubstr("--out=x.csv: expected FILE.npy, FILE.htk"));
  EXPECT_THAT(error("npy:"), HasSubstr("--out=npy:: expected FILE.npy"));
  EXPECT_THAT(error("kaldi:"), HasSubstr("--out=kaldi:: expected FILE.npy"));
  EXPECT_THAT(error("kaldi: "), HasSubstr("--out=kaldi: : expected FILE.npy"));
  EXPECT_THAT(error("ark,scp:x.ark"), HasSubstr("expected ark:FILE"));
  EXPECT_THAT(error("ark:| gzip"), HasSubstr("found a command"));
  EXPECT_THAT(error("ark:x", "zip"), HasSubstr("--compress=zip: expected cm, cm2 or cm3"));
  EXPECT_THAT(error("x.npy", "cm"), HasSubstr("--compress=cm: only archives are compressed"));
}

}  // namespace
}  // namespace earshot
