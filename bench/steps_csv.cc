#include "bench/steps_csv.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/json.h"

namespace earshot {
namespace {

constexpr char kLineEnd[] = "\r\n";

// In quotes only if it must be.
std::string Field(absl::string_view text) {
  if (text.find_first_of(",\"\r\n") == absl::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace

std::string StepsCsvHeader() {
  return absl::StrCat("config,at,implementation,version,block,step,warm_up,seconds,loss,commit", kLineEnd);
}

std::string StepsCsv(const BenchReport& report) {
  std::string csv;
  for (const BenchRow& row : report.rows()) {
    const std::string head = absl::StrCat(Field(row.has_config() ? row.config() : report.config().name()), ",",
                                          row.has_at() ? JsonExactNumber(row.at()) : "", ",",
                                          Field(row.implementation()), ",", Field(row.peer().version()), ",");
    const std::string tail = absl::StrCat(",", Field(report.machine().commit()), kLineEnd);
    for (const BlockSamples& block : row.blocks()) {
      for (int i = 0; i < block.step_seconds_size(); ++i) {
        absl::StrAppend(&csv, head, block.block(), ",", i, ",", i < block.warm_up() ? 1 : 0, ",",
                        JsonExactNumber(block.step_seconds(i)), ",",
                        i < block.losses_size() ? JsonExactNumber(block.losses(i)) : "", tail);
      }
    }
  }
  return csv;
}

}  // namespace earshot
