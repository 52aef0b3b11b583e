#include "data/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Tokens, WordsWithBlankStartAtOne) {
  const auto table = TokenTable::Create(TokenUnit::kWord, true, {"zero", "oh", "one"});
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->num_classes(), 4);
  EXPECT_THAT(table->Encode("one oh one", "u").value(), ElementsAre(3, 2, 3));
  EXPECT_THAT(table->Encode("", "u").value(), ElementsAre());
  EXPECT_EQ(table->Decode({3, 0, 2, 2}), "one oh oh");
}

TEST(Tokens, ClassesHaveNoBlank) {
  const auto table = TokenTable::Create(TokenUnit::kWord, false, {"zero", "one"});
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->num_classes(), 2);
  EXPECT_THAT(table->Encode("zero", "u").value(), ElementsAre(0));
  EXPECT_EQ(table->Decode({1, 0}), "one zero");
}

TEST(Tokens, CharactersAreCodePointsAndSpaceIsOne) {
  const std::vector<std::string> texts = {"für", "a b", "€𝄞"};
  const auto table = TokenTable::FromTexts(TokenUnit::kCharacter, true, texts);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->tokens(), ElementsAre(" ", "a", "b", "f", "r", "ü", "€", "𝄞"));
  EXPECT_THAT(table->Encode("ü b", "u").value(), ElementsAre(6, 1, 3));
  EXPECT_EQ(table->Decode({4, 6, 5, 1, 7}), "für €");
}

TEST(Tokens, FromTextsIsSortedAndUnique) {
  const std::vector<std::string> texts = {"two  one", "three one"};
  const auto table = TokenTable::FromTexts(TokenUnit::kWord, true, texts);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->tokens(), ElementsAre("one", "three", "two"));
}

TEST(Tokens, UnknownTokenNamesUtteranceAndToken) {
  const auto table = TokenTable::Create(TokenUnit::kWord, true, {"yes", "no"}).value();
  const absl::Status status = table.Encode("yes maybe", "utt-7").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"utt-7\": \"maybe\" is none of the 2 tokens"));
  EXPECT_THAT(table.EncodeKnown("no maybe yes"), ElementsAre(2, 1));
}

TEST(Tokens, BadTablesAreRefused) {
  const auto message = [](TokenUnit unit, std::vector<std::string> tokens) {
    return std::string(TokenTable::Create(unit, true, std::move(tokens)).status().message());
  };
  EXPECT_THAT(message(TokenUnit::kWord, {}), HasSubstr("empty"));
  EXPECT_THAT(message(TokenUnit::kWord, {"a", "b", "a"}), HasSubstr("\"a\" is there twice"));
  EXPECT_THAT(message(TokenUnit::kWord, {"a b"}), HasSubstr("\"a b\" is not one word"));
  EXPECT_THAT(message(TokenUnit::kWord, {""}), HasSubstr("not one word"));
  EXPECT_THAT(message(TokenUnit::kCharacter, {"ab"}), HasSubstr("\"ab\" is not one character"));
  EXPECT_THAT(message(TokenUnit::kWord, {std::string(256, 'x')}), HasSubstr("256 bytes"));
}

TEST(Tokens, BytesThatAreNotUtf8AreErrorsWithTheirOffset) {
  for (const char* bad : {"ab\xff", "ab\xc3", "ab\xc0\x80", "ab\xed\xa0\x80", "ab\xf4\x90\x80\x80", "ab\xe0\x80\x80"}) {
    const auto tokens = SplitIntoTokens(TokenUnit::kCharacter, bad);
    EXPECT_EQ(tokens.status().code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(tokens.status().message()), HasSubstr("byte 2 of")) << bad;
  }
}

}  // namespace
}  // namespace earshot
