#include "bench/html/environment_tables.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/html/scale.h"
#include "bench/html/table.h"
#include "bench/machine.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

// Versions of the libraries that are built in, and of the frameworks that ran.
std::string Versions(const BenchReport& report) {
  std::vector<std::string> versions(report.machine().versions().begin(), report.machine().versions().end());
  for (const BenchRow& row : report.rows()) {
    const std::string& version = row.peer().version();
    if (version.empty() || std::find(versions.begin(), versions.end(), version) != versions.end()) continue;
    versions.push_back(version);
  }
  return absl::StrJoin(versions, ", ");
}

std::string Machine(const MachineRecord& m) {
  std::string text = absl::StrFormat("%s; %s on %d cores; %s; OpenBLAS %s; %s", m.cpu(), ThreadsText(m), m.cores(),
                                     m.instruction_set(), m.openblas_kernels(), m.kernel());
  if (m.has_governor()) absl::StrAppend(&text, "; governor ", m.governor());
  return absl::StrCat(text, m.flush_denormals() ? "; denormals flushed" : "; denormals NOT flushed");
}

std::string Quiet(const BenchReport& report) {
  const MachineRecord& m = report.machine();
  std::string text =
      absl::StrFormat("load %.2f, then %.2f; in %.0f s others computed %.1f s, the host took %.1f s", m.load_before(),
                      m.load_after(), m.run_seconds(), m.other_cpu_seconds(), m.steal_seconds());
  int disturbed = 0;
  for (const BlockRecord& block : report.blocks()) disturbed += block.disturbed();
  if (report.blocks_size() > 0)
    absl::StrAppend(&text, "; ", disturbed, " of ", report.blocks_size(), " processes disturbed");
  return Disturbed(m) ? absl::StrCat("<span class=\"bad\">DISTURBED: ", text, "</span>") : text;
}

// "4 x 320, bidirectional, peepholes".
std::string Net(const LstmConfig& lstm) {
  std::vector<std::string> sizes;
  for (const LstmConfig::Level& level : lstm.level()) sizes.push_back(absl::StrCat(level.hidden_size()));
  std::string net =
      sizes.empty() ? absl::StrCat(lstm.num_levels(), " × ", lstm.hidden_size()) : absl::StrJoin(sizes, "/");
  absl::StrAppend(&net, lstm.bidirectional() ? " bidirectional" : "");
  absl::StrAppend(&net, lstm.peepholes() ? ", peepholes" : "", lstm.trainable_initial_state() ? ", initial state" : "");
  return net;
}

std::string LossName(const LossConfig& loss) {
  switch (loss.kind()) {
    case LossConfig::CTC:
      return "CTC";
    case LossConfig::CROSS_ENTROPY_LAST_FRAME:
      return "cross-entropy, last frame";
    default:
      return "cross-entropy, each frame";
  }
}

std::string Lengths(const BenchBatch& batch) {
  const int low = batch.has_min_frames() ? batch.min_frames() : batch.max_frames();
  return low == batch.max_frames() ? CountText(low)
                                   : absl::StrCat(CountText(low), " to ", CountText(batch.max_frames()));
}

// Configurations in which a row was timed, absent or wrong.
struct Seen {
  std::vector<std::string> timed, wrong;
  std::string version, absent;
  bool loss_alone = true;
};
std::map<std::string, Seen> SeenRows(const Records& records) {
  std::map<std::string, Seen> seen;
  for (const Record& record : records.all()) {
    for (const BenchRow& row : record.report.rows()) {
      Seen& one = seen[row.implementation()];
      if (record.report.config().measured() != BenchConfig::LOSS) one.loss_alone = false;
      if (row.peer().has_version()) one.version = row.peer().version();
      if (row.peer().has_absent()) one.absent = row.peer().absent();
      std::vector<std::string>* list = Timed(row) ? &one.timed : row.peer().has_absent() ? nullptr : &one.wrong;
      const std::string& name = record.report.config().name();
      if (list != nullptr && std::find(list->begin(), list->end(), name) == list->end()) list->push_back(name);
    }
  }
  return seen;
}

std::string SeenText(const Seen& seen) {
  std::vector<std::string> parts;
  if (!seen.timed.empty()) parts.push_back(absl::StrCat("timed: ", absl::StrJoin(seen.timed, ", ")));
  if (!seen.wrong.empty()) parts.push_back(absl::StrCat("wrong: ", absl::StrJoin(seen.wrong, ", ")));
  if (!seen.absent.empty()) parts.push_back(absl::StrCat("not here: ", seen.absent));
  return parts.empty() ? "not in these records" : absl::StrJoin(parts, "; ");
}

// The variants of the works that a row stands for: "B-L3 PyTorch cuDNNLSTM (nn.LSTM)".
std::string VariantsOf(const Published& published, const std::string& base_name) {
  std::string variants;
  for (const CoverageRow& row : published.coverage.row()) {
    const auto& evidence = row.evidence();
    const bool is_one = std::any_of(evidence.begin(), evidence.end(),
                                    [&](const CoverageRow::Evidence& one) { return one.row() == base_name; });
    if (row.group() != CoverageRow::VARIANT || !is_one) continue;
    absl::StrAppend(&variants, variants.empty() ? "" : "; ", row.id(), " ", row.what());
  }
  return variants;
}

}  // namespace

std::string EnvironmentTable(const Records& records) {
  HtmlTable machines("B-T1. Machines and libraries.");
  for (const char* title : {"environment", "machine", "versions"}) machines.AddColumn(title, Column::kText);
  HtmlTable runs("B-T1. Runs.");
  for (const char* title : {"record", "environment", "how quiet it was", "command line"}) {
    runs.AddColumn(title, Column::kText);
  }
  std::vector<std::string> seen;
  for (const Record& record : records.all()) {
    const BenchReport& report = record.report;
    const std::string machine = Machine(report.machine()), versions = Versions(report);
    const auto known = std::find(seen.begin(), seen.end(), machine + versions);
    const std::string number = absl::StrCat(known - seen.begin() + 1);
    if (known == seen.end()) {
      machines.AddRow({number, Escape(machine), Escape(versions)});
      seen.push_back(machine + versions);
    }
    const MachineRecord& m = report.machine();
    runs.AddRow({absl::StrCat("<a href=\"#record-", record.anchor, "\">", Escape(report.config().name()),
                              "</a><br><span class=\"muted\">", Escape(record.file), "<br>commit ",
                              Escape(m.has_commit() ? m.commit().substr(0, 12) : "unknown"), "</span>"),
                 number,
                 absl::StrCat(absl::StrFormat("%s; peak %.0f, matrix product %.0f GFLOP/s", Quiet(report),
                                              report.peak_gflops(), report.gemm_gflops()),
                              report.memory_gb_per_second() > 0
                                  ? absl::StrFormat(", memory %.0f GB/s", report.memory_gb_per_second())
                                  : ""),
                 absl::StrCat("<code>", Escape(absl::StrJoin(report.flags(), " ")), "</code>")});
  }
  return machines.Html() + runs.Html();
}

std::string ImplementationTable(const Records& records, const Published& published) {
  std::map<std::string, Seen> seen = SeenRows(records);
  HtmlTable table("B-T2. Rows of ours from the registry, then the frameworks' from the records.");
  for (const char* title : {"row", "how", "stands for", "kind", "in these records"})
    table.AddColumn(title, Column::kText);
  for (const LstmImplementation& row : LstmImplementations()) {
    const std::string name(row.name);
    Seen& one = seen[name];
    const absl::Status available = row.available();
    if (!available.ok()) one.absent = std::string(available.message());
    table.AddRow(
        {Escape(name), Escape(row.summary), Escape(row.stands_for), KindName(KindOf(name)), Escape(SeenText(one))});
    seen.erase(name);
  }
  for (const auto& [name, one] : seen) {
    table.AddRow({Escape(name), Escape(one.version.empty() ? FamilyName(FamilyOf(name)) : one.version),
                  Escape(VariantsOf(published, BaseName(name))),
                  one.loss_alone ? "the loss alone" : KindName(KindOf(name)), Escape(SeenText(one))});
  }
  return table.Html();
}

std::string BenchmarkTable(const Records& records) {
  HtmlTable table("B-T3. What was measured, from the configurations in the records.");
  table.AddColumn("configuration", Column::kText);
  for (const char* title : {"stands for", "net", "loss", "batch"}) table.AddColumn(title, Column::kText);
  for (const char* title : {"classes", "labels", "parameters"}) table.AddColumn(title, Column::kNumber);
  std::vector<std::string> names;
  for (const Record& record : records.all()) {
    const BenchConfig& config = record.report.config();
    if (!config.has_batch() || std::find(names.begin(), names.end(), config.name()) != names.end()) continue;
    names.push_back(config.name());
    const LossConfig& loss = config.train().loss();
    const int parameters = record.report.rows_size() > 0 ? record.report.rows(0).parameters() : 0;
    std::string name = absl::StrCat("<a href=\"#record-", record.anchor, "\">", Escape(config.name()), "</a>");
    if (config.has_axis()) absl::StrAppend(&name, "<br><span class=\"muted\">over ", Escape(config.axis()), "</span>");
    table.AddRow(
        {name,
         Escape(config.has_stands_for()          ? config.stands_for()
                : record.config == config.name() ? ""
                                                 : record.config),
         config.measured() == BenchConfig::LOSS ? "none: the loss alone" : Net(config.train().model().lstm()),
         LossName(loss),
         absl::StrCat(config.batch().utterances(), " × ", Lengths(config.batch()), " × ", config.batch().input_size()),
         absl::StrCat(config.batch().classes()),
         loss.kind() == LossConfig::CTC ? absl::StrCat(config.batch().labels_per_utterance()) : "1",
         parameters > 0 ? CountText(parameters) : ""});
  }
  return table.Html();
}

std::string PublishedErrorTable(const Published& published) {
  HtmlTable points("R-M3, R-F1. Points of the published error curves (CHiME; another task than the curves above).");
  points.AddColumn("implementation", Column::kText);
  points.AddColumn("point", Column::kText);
  for (const char* title : {"epoch", "error", "cross-entropy"}) points.AddColumn(title, Column::kNumber);
  HtmlTable times("R-M4. Seconds until the validation error was first at most so much, derived from the works' logs.");
  times.AddColumn("implementation", Column::kText);
  for (const char* title : {"25 %", "22 %", "20 %", "19 %"}) times.AddColumn(title, Column::kNumber);
  for (const PublishedWork& work : published.works) {
    std::map<std::string, std::map<double, std::string>> seconds;
    for (const PublishedError& one : work.error()) {
      points.AddRow({Escape(one.implementation()), Escape(one.what()), absl::StrCat(one.epoch()),
                     one.has_error() ? absl::StrFormat("%.2f %%", one.error()) : "",
                     one.has_cross_entropy() ? absl::StrFormat("%.3f", one.cross_entropy()) : ""});
    }
    for (const PublishedTimeToError& one : work.time_to_error()) {
      seconds[one.implementation()][one.error()] = CountText(static_cast<long long>(one.seconds()));
    }
    for (auto& [name, at] : seconds) times.AddRow({Escape(name), at[25], at[22], at[20], at[19]});
  }
  return points.Html() + times.Html();
}

}  // namespace earshot
