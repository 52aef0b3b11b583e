#include "data/unique_ids.h"

#include <gtest/gtest.h>

#include <string>

#include "data/limits.h"

namespace earshot {
namespace {

std::string FromAudio(const std::string& audio, bool is_command = false) {
  UtteranceSource source;
  source.audio = audio;
  source.audio_is_command = is_command;
  return IdFromAudio(source);
}

TEST(UniqueIdsTest, IdsAreFileNamesWithoutExtension) {
  EXPECT_EQ(FromAudio("/data/spk1/utt 1.wav"), "utt_1");
  EXPECT_EQ(FromAudio("utt.tar.flac"), "utt.tar");
  EXPECT_EQ(FromAudio("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(FromAudio("a/.hidden"), ".hidden");
  EXPECT_EQ(FromAudio("a\u00a0\u202eb.wav"), "a__b");
  EXPECT_EQ(FromAudio("a\xff\xc3.wav"), "a__");  // no UTF-8
  EXPECT_EQ(FromAudio("sph2pipe -f wav /d/x.sph", /*is_command=*/true), "x");
  for (const char* none : {"/", "a/", "..wav", "./...wav"}) EXPECT_EQ(FromAudio(none), "utterance") << none;
}

TEST(UniqueIdsTest, LongNamesAreCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 200; ++i) name += "\u00e9";
  const std::string id = FromAudio(name + ".wav");
  EXPECT_LT(id.size(), static_cast<size_t>(kMaxIdBytes));
  EXPECT_EQ(id, name.substr(0, id.size()));
  EXPECT_EQ(id.size() % 2, 0u);
}

TEST(UniqueIdsTest, TakenIdsGetANumber) {
  const std::string taken[] = {"a", "a-2", "b"};
  UniqueIds ids;
  for (const std::string& id : taken) EXPECT_TRUE(ids.Add(id));
  EXPECT_FALSE(ids.Add("a-2"));
  EXPECT_EQ(ids.Make("a"), "a-3");
  EXPECT_EQ(ids.Make("c"), "c");
  EXPECT_EQ(ids.Make("b"), "b-2");
}

}  // namespace
}  // namespace earshot
