#include "base/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace earshot {

absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv,
                                             absl::FunctionRef<bool(const std::string&)> is_switch) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    if (flag == "--") {
      line.arguments.insert(line.arguments.end(), argv + i + 1, argv + argc);
      break;
    }
    if (flag == "-" || !absl::ConsumePrefix(&flag, "-")) {
      line.arguments.push_back(argv[i]);
      continue;
    }
    absl::ConsumePrefix(&flag, "-");
    const size_t equals = flag.find('=');
    const std::string name(flag.substr(0, equals));
    if (equals != absl::string_view::npos) {
      line.flags.emplace_back(name, std::string(flag.substr(equals + 1)));
    } else if (is_switch(name)) {
      line.flags.emplace_back(name, "true");
    } else if (i + 1 < argc) {
      line.flags.emplace_back(name, argv[++i]);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("flag --", name, " has no value"));
    }
  }
  return line;
}

absl::StatusOr<CommandLine> ReadCommandLine(int argc, char** argv,
                                            absl::FunctionRef<bool(const std::string&)> is_switch,
                                            absl::FunctionRef<bool(const std::string&, const std::string&)> set) {
  absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv, is_switch);
  if (!line.ok()) return line;
  for (const auto& [name, value] : line->flags) {
    if (!set(name, value)) {
      return absl::InvalidArgumentError(absl::StrCat("flag --", name, "=", value, " has no meaning"));
    }
  }
  return line;
}

int ReportError(int code, absl::string_view message) {
  std::fprintf(stderr, "error: %s%s\n", OneLine(message).c_str(), code == 2 ? " (--help explains the flags)" : "");
  return code;
}

void ReportWarning(absl::string_view message) { std::fprintf(stderr, "warning: %s\n", OneLine(message).c_str()); }

std::string OneLine(absl::string_view text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    const bool ascii = c < 0x20 || c == 0x7f, wide = c == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F
    const absl::string_view character = text.substr(i, wide ? 2 : 1);
    absl::StrAppend(&line, ascii || wide ? absl::CHexEscape(character) : character);
    i += wide;
  }
  return line;
}

absl::Status PrepareStandardStreams() {
  bool stdout_closed = false;
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free number, which is this one.
    const int opened = open("/dev/null", O_RDWR);
    (void)opened;
    stdout_closed = stdout_closed || fd == STDOUT_FILENO;
  }
  return stdout_closed ? absl::FailedPreconditionError("stdout is closed, expected a place for the results")
                       : absl::OkStatus();
}

}  // namespace earshot
