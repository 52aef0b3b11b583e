#include "bench/published/published.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "bench/published/published_files.h"

namespace earshot {
namespace {

absl::Status Wrong(absl::string_view where, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(where, ": expected ", expected, ", found ", found));
}

absl::Status CheckRow(const CoverageRow& row, std::set<std::string>* ids) {
  const std::string where = absl::StrCat("coverage.textproto: row \"", row.id(), "\"");
  if (!ids->insert(row.id()).second || row.id().empty()) return Wrong(where, "an id of its own", row.id());
  if (!row.has_group() || row.what().empty()) return Wrong(where, "group and what", "neither or one");
  // Claims are answered by code (bench/html/claims.h).
  if (row.group() == CoverageRow::CLAIM) return absl::OkStatus();
  if (row.how().empty()) return Wrong(where, "how", "nothing");
  if (row.group() == CoverageRow::FINDING)
    return row.where().empty() ? Wrong(where, "where", "nothing") : absl::OkStatus();
  return row.has_status() ? absl::OkStatus() : Wrong(where, "status", "nothing");
}

absl::Status CheckResult(const PublishedWork& work, const PublishedResult& result, const std::set<std::string>& ids) {
  const std::string where = absl::StrCat(work.name(), ": result of ", result.implementation(), " on ", result.config());
  if (result.implementation().empty() || result.version().empty()) return Wrong(where, "a name and a version", "less");
  for (const std::string& id : {result.config(), result.row()}) {
    if (ids.count(id) == 0) return Wrong(where, "ids of coverage.textproto", id);
  }
  if (result.has_absent()) return result.has_seconds() ? Wrong(where, "a time or a reason", "both") : absl::OkStatus();
  if (!(result.seconds() > 0)) return Wrong(where, "seconds above 0", absl::StrCat(result.seconds()));
  if (result.has_high_seconds() && result.high_seconds() < result.seconds()) {
    return Wrong(where, "high_seconds of at least seconds", absl::StrCat(result.high_seconds()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Published> ReadPublished() {
  Published published;
  for (const PublishedFile& file : PublishedFiles()) {
    if (absl::EndsWith(file.path, "coverage.textproto")) {
      RETURN_IF_ERROR(ParseTextproto(file.text, file.path, &published.coverage));
    } else {
      published.works.emplace_back();
      RETURN_IF_ERROR(ParseTextproto(file.text, file.path, &published.works.back()));
    }
  }
  RETURN_IF_ERROR(CheckPublished(published));
  return published;
}

absl::Status CheckPublished(const Published& published) {
  std::set<std::string> ids;
  for (const CoverageRow& row : published.coverage.row()) RETURN_IF_ERROR(CheckRow(row, &ids));
  for (const PublishedWork& work : published.works) {
    if (work.name().empty() || work.hardware().empty() || work.caveat().empty()) {
      return Wrong(absl::StrCat("work \"", work.name(), "\""), "name, hardware and caveat", "less");
    }
    for (const PublishedResult& result : work.result()) RETURN_IF_ERROR(CheckResult(work, result, ids));
  }
  return absl::OkStatus();
}

}  // namespace earshot
