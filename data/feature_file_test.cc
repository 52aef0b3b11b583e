#include "data/feature_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/htk_file.h"
#include "data/kaldi_encode.h"
#include "data/npy.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> Read(const std::string& location) {
  const absl::StatusOr<Tensor<float, 2>> matrix = ReadFeatureFile(location);
  EXPECT_TRUE(matrix.ok()) << matrix.status();
  if (!matrix.ok()) return {};
  EXPECT_EQ(matrix->dim(1), 2);
  return {matrix->span().begin(), matrix->span().end()};
}

TEST(FeatureFile, AllFormatsGiveTheSameMatrix) {
  const std::string folder = MakeTestFolder("formats");
  Tensor<float, 2> matrix({2, 2});
  for (int i = 0; i < 4; ++i) matrix.data()[i] = i - 0.5f;
  std::string object;
  ASSERT_TRUE(AppendKaldiBinary(matrix.view(), KaldiCompression::kNone, &object).ok());
  WriteTestFile(folder + "/x.npy", EncodeNpy(matrix.view()));
  WriteTestFile(folder + "/x.FBK", EncodeHtk(matrix.view(), kHtkUser, 100000).value());
  WriteTestFile(folder + "/x.mat", object);
  WriteTestFile(folder + "/x.ark", "key " + object);
  for (const char* name : {"/x.npy", "/x.FBK", "/x.mat", "/x.ark:4"}) {
    EXPECT_THAT(Read(folder + name), ElementsAre(-0.5, 0.5, 1.5, 2.5)) << name;
  }
  EXPECT_THAT(Read(folder + "/x.ark:4[1:1]"), ElementsAre(1.5, 2.5));
}

TEST(FeatureFile, ErrorsNameTheFile) {
  const std::string folder = MakeTestFolder("errors");
  WriteTestFile(folder + "/x.npy", "\x93NUMPY and nothing");
  WriteTestFile(folder + "/x.htk", "short");
  WriteTestFile(folder + "/x.txt", "words");
  for (const char* name : {"/x.npy", "/x.htk", "/x.txt", "/gone"}) {
    EXPECT_THAT(std::string(ReadFeatureFile(folder + name).status().message()), HasSubstr(folder + name)) << name;
  }
}

}  // namespace
}  // namespace earshot
