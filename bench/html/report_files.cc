#include "bench/html/report_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "bench/html/page.h"
#include "bench/html/records.h"
#include "bench/html/style.h"
#include "bench/published/published.h"
#include "bench/steps_csv.h"

namespace earshot {
namespace {

absl::Status WriteFigures(const Page& page, const std::string& folder) {
  RETURN_IF_ERROR(MakeDirectories(folder));
  for (const Figure& figure : page.figures) {
    const std::string path = absl::StrCat(folder, "/", figure.id, ".svg");
    RETURN_IF_ERROR(WriteFileAtomically(path, {StandaloneSvg(figure)}));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> WriteReportFiles(const std::vector<NamedReport>& reports, const ReportFiles& files) {
  std::vector<Record> all;
  std::string csv = StepsCsvHeader();
  for (const NamedReport& named : reports) {
    csv += StepsCsv(named.report);
    all.push_back(MakeRecord(named.file, named.report));
  }
  ASSIGN_OR_RETURN(const Published published, ReadPublished());
  const Page page = RenderPage(Records(std::move(all)), published);
  if (!files.page.empty()) RETURN_IF_ERROR(WriteFileAtomically(files.page, {page.html}));
  if (!files.svg_dir.empty()) RETURN_IF_ERROR(WriteFigures(page, files.svg_dir));
  if (!files.csv.empty()) RETURN_IF_ERROR(WriteFileAtomically(files.csv, {csv}));
  return static_cast<int>(page.figures.size());
}

}  // namespace earshot
