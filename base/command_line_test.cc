#include "base/command_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

absl::StatusOr<CommandLine> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(&word[0]);
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data(),
                          [](const std::string& name) { return name == "resume"; });
}

TEST(CommandLineTest, FlagsInAllForms) {
  const auto line =
      Parse({"--out=a b", "-out", "c", "--set=x: 1", "--set", "y=2", "--resume", "--out=", "--resume=false"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->flags, ElementsAre(Pair("out", "a b"), Pair("out", "c"), Pair("set", "x: 1"), Pair("set", "y=2"),
                                       Pair("resume", "true"), Pair("out", ""), Pair("resume", "false")));
  EXPECT_THAT(line->arguments, IsEmpty());
}

TEST(CommandLineTest, FlagsAreSetInTheirOrder) {
  std::string words[] = {"program", "--a=1", "--b", "--c=2", "d"};
  char* argv[] = {&words[0][0], &words[1][0], &words[2][0], &words[3][0], &words[4][0]};
  const auto is_switch = [](const std::string& name) { return name == "b"; };
  std::string seen;
  auto line = ReadCommandLine(5, argv, is_switch, [&](const std::string& name, const std::string& value) {
    seen += name + value + ";";
    return true;
  });
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(seen, "a1;btrue;c2;");
  EXPECT_THAT(line->arguments, ElementsAre("d"));
  line = ReadCommandLine(5, argv, is_switch, [](const std::string& name, const std::string&) { return name != "b"; });
  EXPECT_EQ(line.status().message(), "flag --b=true has no meaning");
}

TEST(CommandLineTest, ErrorsAreOneLineThatNoTerminalObeys) {
  EXPECT_EQ(OneLine("caf\u00e9 \"x\" \\ /a b"), "caf\u00e9 \"x\" \\ /a b");
  EXPECT_EQ(OneLine(absl::string_view("a\n\x1b[2J\r\t\x7f\0", 10)), "a\\n\\x1b[2J\\r\\t\\x7f\\x00");
  EXPECT_EQ(OneLine("\u009b2J \u00a0"), std::string("\\xc2\\x9b2J \u00a0"));
}

TEST(CommandLineTest, ArgumentsAmongFlags) {
  const auto line = Parse({"a.wav", "--out", "-b", "-", "c", "--", "--out", "--"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->flags, ElementsAre(Pair("out", "-b")));
  EXPECT_THAT(line->arguments, ElementsAre("a.wav", "-", "c", "--out", "--"));
  EXPECT_THAT(Parse({})->arguments, IsEmpty());
}

TEST(CommandLineTest, FlagWithoutValue) {
  const absl::Status status = Parse({"--resume", "--out"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "flag --out has no value");
}

// In a process of its own: what a file that is opened next gets as its number, or -1 when stdout is reported as closed.
int NextFileAfterClosing(const std::vector<int>& fds) {
  const pid_t child = fork();
  if (child == 0) {
    for (int fd : fds) close(fd);
    if (!PrepareStandardStreams().ok()) _exit(255);
    _exit(open("/dev/null", O_RDONLY));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return static_cast<int8_t>(WEXITSTATUS(status));
}

TEST(PrepareStandardStreamsTest, NoFileTakesTheirPlace) {
  EXPECT_GT(NextFileAfterClosing({}), 2);
  EXPECT_GT(NextFileAfterClosing({0}), 2);
  EXPECT_GT(NextFileAfterClosing({2}), 2);
  EXPECT_GT(NextFileAfterClosing({0, 2}), 2);
  EXPECT_EQ(NextFileAfterClosing({1}), -1);
  EXPECT_EQ(NextFileAfterClosing({0, 1, 2}), -1);
}

}  // namespace
}  // namespace earshot
