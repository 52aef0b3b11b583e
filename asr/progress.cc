#include "asr/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace earshot {
namespace {

constexpr double kRedrawSeconds = 0.1, kPlainSeconds = 30;
constexpr int kBarCells = 20;

double Seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

bool Utf8Locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != 0) return absl::StrContains(value, "UTF-8") || absl::StrContains(value, "utf8");
  }
  return false;
}

int TerminalColumns(FILE* stream) {
  struct winsize size;
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string Bar(double share, bool unicode) {
  const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kBarCells));
  std::string bar = "[";
  for (int i = 0; i < kBarCells; ++i) absl::StrAppend(&bar, i < full ? (unicode ? "█" : "#") : (unicode ? "·" : "."));
  return bar + "]";
}

}  // namespace

std::string FormatDuration(double seconds) {
  const int64_t s = std::llround(std::max(seconds, 0.0));
  if (s >= 3600) return absl::StrFormat("%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
  return absl::StrFormat("%d:%02d", s / 60, s % 60);
}

Progress::Progress(FILE* stream, bool quiet)
    : stream_(stream), quiet_(quiet), terminal_(isatty(fileno(stream)) != 0), unicode_(Utf8Locale()) {
  last_update_ = last_draw_ = start_ = std::chrono::steady_clock::now();
}

Progress::~Progress() { EraseBar(); }

void Progress::EraseBar() {
  if (!bar_shown_) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  bar_shown_ = false;
}

std::string Progress::Line(const ProgressState& s) const {
  std::string left = "?";
  const double elapsed = Seconds(std::chrono::steady_clock::now() - start_);
  const double gained = s.done - start_done_;
  if (gained > 0 && elapsed > 0.5) left = FormatDuration(elapsed * (1 - s.done) / gained);
  return absl::StrFormat("epoch %d/%d  step %d/%d  loss %.4f  %.0f frames/s  %s left", s.epoch + 1, s.epochs, s.step,
                         s.steps, s.loss, frames_per_second_, left);
}

void Progress::Update(const ProgressState& state) {
  const auto now = std::chrono::steady_clock::now();
  if (start_done_ < 0) start_done_ = state.done;
  const double seconds = std::max(Seconds(now - last_update_), 1e-9);
  last_update_ = now;
  const double rate = state.frames / seconds;
  frames_per_second_ = frames_per_second_ == 0 ? rate : 0.9 * frames_per_second_ + 0.1 * rate;
  if (quiet_ || Seconds(now - last_draw_) < (terminal_ ? kRedrawSeconds : kPlainSeconds)) return;
  last_draw_ = now;
  if (!terminal_) {
    absl::FPrintF(stream_, "%s\n", Line(state));
    std::fflush(stream_);
    return;
  }
  const std::string text = Line(state);
  const int room = TerminalColumns(stream_) - 1 - (kBarCells + 3);
  const std::string bar = room >= static_cast<int>(text.size()) ? Bar(state.done, unicode_) + " " : "";
  const std::string shown = text.substr(0, std::max(TerminalColumns(stream_) - 1, 0));
  absl::FPrintF(stream_, "\r\033[K%s%s", bar, shown);
  std::fflush(stream_);
  bar_shown_ = true;
}

void Progress::Print(absl::string_view line) {
  if (!quiet_) Warn(line);
}

void Progress::Warn(absl::string_view line) {
  EraseBar();
  absl::FPrintF(stream_, "%s\n", line);
  std::fflush(stream_);
}

}  // namespace earshot
