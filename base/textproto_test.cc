#include "base/textproto.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/textproto_test.pb.h"

namespace earshot {
namespace {

using Message = TextprotoTestMessage;

std::string ErrorOf(const std::string& text) {
  Message message;
  const absl::Status status = ParseTextproto(text, "net.textproto", &message);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(TextprotoTest, ParsesAndReplaces) {
  Message message;
  message.set_name("from before");
  ASSERT_TRUE(ParseTextproto("layers: 1 hidden: 320  # a comment\nsizes: [1, 2]", "x", &message).ok());
  EXPECT_EQ(message.layers(), 1);
  EXPECT_EQ(message.hidden(), 320u);
  EXPECT_EQ(message.sizes_size(), 2);
  EXPECT_FALSE(message.has_name());
}

TEST(TextprotoTest, ErrorsNameFileLineAndColumn) {
  EXPECT_EQ(ErrorOf("layers: 1\nhiden: 320"),
            "net.textproto:2:6: Message type \"earshot.TextprotoTestMessage\" has no field named \"hiden\".");
  EXPECT_EQ(ErrorOf("layers: 1 layers: 2").rfind("net.textproto:1:17: ", 0), 0u);
  EXPECT_EQ(ErrorOf("layers: one").rfind("net.textproto:1:9: ", 0), 0u);
  EXPECT_EQ(ErrorOf("layers: 1 hidden: 320.5").rfind("net.textproto:1:19: ", 0), 0u);
  EXPECT_EQ(ErrorOf("layers: 99999999999").rfind("net.textproto:1:9: ", 0), 0u);
  EXPECT_EQ(ErrorOf("hidden: -1").rfind("net.textproto:1:9: ", 0), 0u);
  EXPECT_EQ(ErrorOf("inner {\n  list { rate: 1 rat: 2 }\n}").rfind("net.textproto:2:21: ", 0), 0u);
  EXPECT_EQ(ErrorOf("inner {").rfind("net.textproto:1:8: ", 0), 0u);
}

TEST(TextprotoTest, NestingHasALimit) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "inner{";
    return text + std::string(depth, '}');
  };
  Message message;
  EXPECT_TRUE(ParseTextproto(nested(kTextprotoMaxDepth), "x", &message).ok());
  EXPECT_NE(ErrorOf(nested(kTextprotoMaxDepth + 1)).find("too deep"), std::string::npos);
  // What overflows the stack at protobuf's own limit; 1.4 MB of it are already too large a text.
  EXPECT_NE(ErrorOf(nested(140'000)).find("too deep"), std::string::npos);
  EXPECT_NE(ErrorOf(nested(200'000)).find("expected the end of a text of at most 1048576 bytes"), std::string::npos);
  // Lists are another way down.
  std::string lists = "sizes: ";
  lists += std::string(200'000, '[');
  ErrorOf(lists);
  ErrorOf("unknown: " + std::string(200'000, '['));
  std::string any;
  for (int i = 0; i < 20'000; ++i) any += "[a.b/c]{";
  ErrorOf(any);
}

TEST(TextprotoTest, BytesThatAreNoText) {
  ErrorOf(std::string("\0\xff\xfe", 3));
  ErrorOf("name: \"unterminated");
  EXPECT_EQ(ErrorOf(std::string(kTextprotoMaxBytes + 1, ' ')),
            "net.textproto: byte 1048576: expected the end of a text of at most 1048576 bytes, found 1048577 bytes");
  EXPECT_EQ(ErrorOf("name: \x1b[2J").find('\x1b'), std::string::npos);  // nothing that a terminal would obey
  EXPECT_LT(ErrorOf(std::string(100000, 'n') + ": 1").size(), 300u);
}

TEST(TextprotoTest, MergeReplacesScalarsAndListsAndMergesMessages) {
  Message message;
  ASSERT_TRUE(ParseTextproto("layers: 1 sizes: [1, 2, 3] list { layers: 1 } list { layers: 2 } "
                             "inner { hidden: 5 sizes: [7, 8] name: 'kept' }",
                             "x", &message)
                  .ok());
  ASSERT_TRUE(MergeTextproto("layers: 4", "--set", &message).ok());
  ASSERT_TRUE(MergeTextproto("sizes: 9 list { hidden: 3 }", "--set", &message).ok());
  ASSERT_TRUE(MergeTextproto("inner { sizes: 10 rate: 2 inner { layers: 6 } }", "--set", &message).ok());
  Message expected;
  ASSERT_TRUE(ParseTextproto("layers: 4 sizes: 9 list { hidden: 3 } "
                             "inner { hidden: 5 sizes: 10 name: 'kept' rate: 2 inner { layers: 6 } }",
                             "x", &expected)
                  .ok());
  EXPECT_EQ(PrintTextproto(message), PrintTextproto(expected));
}

TEST(TextprotoTest, FailedMergeChangesNothing) {
  Message message;
  message.set_layers(3);
  message.add_sizes(1);
  const absl::Status status = MergeTextproto("sizes: 2 layer: 4", "--set", &message);
  EXPECT_EQ(status.message().substr(0, 10), "--set:1:15");
  EXPECT_EQ(PrintTextproto(message), "layers: 3\nsizes: 1\n");
}

TEST(TextprotoTest, PrintedTextReadsBack) {
  Message message, again;
  ASSERT_TRUE(
      ParseTextproto("rate: 0.1 name: \"a\\\"\\n\\303\\274\" list {} inner { sizes: [-1, 0] }", "x", &message).ok());
  ASSERT_TRUE(ParseTextproto(PrintTextproto(message), "printed", &again).ok());
  EXPECT_EQ(again.SerializeAsString(), message.SerializeAsString());
}

TEST(TextprotoTest, FilesAreNamed) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/net.textproto";
  std::ofstream(path) << "layers: 2\nhidden: 3\nbogus: 1\n";
  Message message;
  EXPECT_EQ(ReadTextproto(path, &message).message().find(path + ":3:6: "), 0u);
  std::ofstream(path) << "layers: 2";
  ASSERT_TRUE(ReadTextproto(path, &message).ok());
  EXPECT_EQ(message.layers(), 2);
  EXPECT_EQ(ReadTextproto(path + ".missing", &message).code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace earshot
