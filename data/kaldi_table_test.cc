#include "data/kaldi_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"

namespace earshot {
namespace {

std::string Path(const std::string& name) { return testing::TempDir() + "/kaldi_table_" + name; }

Tensor<float, 2> Ramp(int64_t rows, int64_t cols, float first) {
  Tensor<float, 2> matrix({rows, cols});
  for (float& value : matrix.span()) value = first++;
  return matrix;
}

void WriteTable(const std::string& wspecifier, KaldiCompression compression = KaldiCompression::kNone) {
  auto writer = KaldiTableWriter::Open(wspecifier, compression);
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)->Write("first", Ramp(2, 3, 0.25f).view()).ok());
  ASSERT_TRUE((*writer)->Write("second", Ramp(1, 1, -7).view()).ok());
  ASSERT_TRUE((*writer)->Write("third", Tensor<float, 2>().view()).ok());
  ASSERT_TRUE((*writer)->Close().ok());
}

// "KEY ROWSxCOLS SUM;" of each entry, then the error if there is one.
std::string Read(const std::string& rspecifier, int64_t* skipped = nullptr) {
  auto reader = KaldiTableReader::Open(rspecifier);
  if (!reader.ok()) return std::string(reader.status().message());
  std::string out, key;
  Tensor<float, 2> matrix;
  while (true) {
    const auto more = (*reader)->Next(&key, &matrix);
    if (!more.ok()) return out + std::string(more.status().message());
    if (skipped != nullptr) *skipped = (*reader)->skipped();
    if (!*more) return out;
    float sum = 0;
    for (float value : matrix.span()) sum += value;
    absl::StrAppend(&out, key, " ", matrix.dim(0), "x", matrix.dim(1), " ", sum, ";");
  }
}

constexpr char kAll[] = "first 2x3 16.5;second 1x1 -7;third 0x0 0;";

TEST(KaldiTableTest, WritesAndReadsBack) {
  const std::string ark = Path("a.ark"), scp = Path("a.scp");
  for (const std::string kind : {"ark,scp:", "ark,t,scp:", "ark,b,f,scp:"}) {
    WriteTable(kind + ark + "," + scp);
    EXPECT_EQ(Read("ark:" + ark), kAll);
    EXPECT_EQ(Read("ark,t,s,cs:" + ark), kAll);
    EXPECT_EQ(Read("scp:" + scp), kAll);
    EXPECT_EQ(Read("scp,p,bg: " + scp), kAll);
  }
  WriteTable("ark,t:" + ark);
  EXPECT_EQ(*ReadFile(ark, 1000), "first  [\n  0.25 1.25 2.25 \n  3.25 4.25 5.25 ]\nsecond  [\n  -7 ]\nthird  [ ]\n");
  WriteTable("ark,scp:" + ark + "," + scp, KaldiCompression::kTwoByteSignedInteger);
  EXPECT_EQ(Read("scp:" + scp), "first 2x3 15;second 1x1 -7;third 0x0 0;") << "0 to 5, rounded";
}

TEST(KaldiTableTest, TheScpPointsAtTheObjects) {
  const std::string ark = Path("o.ark"), scp = Path("o.scp");
  WriteTable("ark,scp:" + ark + "," + scp);
  // "first " 6 + header 15 + 24 bytes + "second " 7 + header 15 + 4 bytes + "third " 6
  EXPECT_EQ(*ReadFile(scp, 1000), absl::StrCat("first ", ark, ":6\nsecond ", ark, ":52\nthird ", ark, ":77\n"));
}

TEST(KaldiTableTest, NothingIsSeenBeforeClose) {
  const std::string ark = Path("n.ark"), scp = Path("n.scp");
  {
    auto writer = KaldiTableWriter::Open("ark,scp:" + ark + "," + scp);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->Write("u", Ramp(300, 400, 0).view()).ok());
    EXPECT_NE(access(ark.c_str(), F_OK), 0);
  }
  EXPECT_NE(access(ark.c_str(), F_OK), 0);
  EXPECT_NE(access(scp.c_str(), F_OK), 0);
}

TEST(KaldiTableTest, MissingEntriesStopOrAreSkipped) {
  const std::string ark = Path("m.ark"), scp = Path("m.scp");
  WriteTable("ark:" + ark);
  ASSERT_TRUE(WriteFileAtomically(scp, {"a ", ark, ":6\nb /no/such.ark:3\nc ", ark, ":51\nd ", ark, ":52\n"}).ok());
  EXPECT_EQ(Read("scp:" + scp),
            "a 2x3 16.5;" + scp + ": key \"b\": /no/such.ark: cannot open: No such file or directory");
  int64_t skipped = 0;
  EXPECT_EQ(Read("scp,p:" + scp, &skipped), "a 2x3 16.5;d 1x1 -7;");
  EXPECT_EQ(skipped, 2);
}

TEST(KaldiTableTest, SpecifiersAreNoPaths) {
  for (const char* specifier : {"ark:a", "ark,t:a", "ark,scp:a,b", "scp,p:a", "ark:", "ark,x:a"}) {
    EXPECT_TRUE(LooksLikeKaldiTable(specifier)) << specifier;
  }
  for (const char* path : {"", "ark", "a.ark", "arkansas.npy", "arkansas:a", "ark,a.npy", "npy:ark", "x/ark:a"}) {
    EXPECT_FALSE(LooksLikeKaldiTable(path)) << path;
  }
}

TEST(KaldiTableTest, RefusesOtherSpecifiers) {
  const std::string read = ": expected ark:FILE, scp:FILE or scp,p:FILE, found ";
  EXPECT_EQ(Read("a.ark"), "\"a.ark\"" + read + "no colon");
  EXPECT_EQ(Read("ark,scp:a,b"), "\"ark,scp:a,b\"" + read + "both");
  EXPECT_EQ(Read("s:a"), "\"s:a\"" + read + "neither ark nor scp");
  EXPECT_EQ(Read("ark,x:a"), "\"ark,x:a\"" + read + "\"x\"");
  EXPECT_EQ(Read("ark:"), "\"ark:\"" + read + "no file");
  EXPECT_EQ(Read("ark:gunzip -c a.gz |"), "\"ark:gunzip -c a.gz |\"" + read + "a command");
  EXPECT_EQ(Read("ark:-"), "\"ark:-\"" + read + "\"-\", the standard input or output");
  const std::string write = ": expected ark:FILE, ark,t:FILE or ark,scp:ARK,SCP, found ";
  for (const auto& pair : std::vector<std::pair<std::string, std::string>>{{"scp:a", "no ark"},
                                                                           {"scp,ark:a,b", "\"ark\""},
                                                                           {"ark:a,b", "other files"},
                                                                           {"ark,scp:a", "other files"},
                                                                           {"ark,scp:a,a", "other files"},
                                                                           {"ark,scp:a,", "other files"},
                                                                           {"ark:| gzip", "a command"}}) {
    EXPECT_EQ(KaldiTableWriter::Open(pair.first).status().message(), "\"" + pair.first + "\"" + write + pair.second);
  }
}

TEST(KaldiTableTest, RefusesKeysThatCannotBeReadBack) {
  const std::string ark = Path("k.ark");
  auto writer = KaldiTableWriter::Open("ark:" + ark);
  ASSERT_TRUE(writer.ok());
  for (const std::string& key : {std::string(), std::string("a b"), std::string("a\n"), std::string(256, 'k')}) {
    EXPECT_FALSE((*writer)->Write(key, Ramp(1, 1, 0).view()).ok()) << key;
  }
  EXPECT_EQ((*writer)->Write("a b", Ramp(1, 1, 0).view()).message(),
            ark + ": expected a key of at most 255 bytes, found white space in \"a b\"");
}

}  // namespace
}  // namespace earshot
