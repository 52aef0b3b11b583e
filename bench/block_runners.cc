#include "bench/block_runners.h"

#include <google/protobuf/util/json_util.h>
#include <stdlib.h>
#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "bench/own_subjects.h"
#include "bench/peer_subject.h"
#include "bench/report_json.h"
#include "data/subprocess.h"

namespace earshot {

absl::StatusOr<std::vector<std::unique_ptr<Subject>>> SubjectsOf(const BlockRequest& request, ThreadPool* pool) {
  // A framework whose steps grow faster than their frames (packed ragged batches in PyTorch) would take all day for
  // one.
  const double timeout_seconds = 90 + 2 * request.seconds_at_most();
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const BlockRequest::Row& row : request.row()) {
    if (row.name().find(':') == std::string::npos) {
      ASSIGN_OR_RETURN(std::unique_ptr<Subject> own, OwnSubject(request.config(), row.name(), pool));
      subjects.push_back(std::move(own));
    } else {
      ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Subject>> peers,
                       PeerSubjects({row.name()}, pool->num_threads(), timeout_seconds));
      subjects.push_back(std::move(peers.front()));
    }
  }
  return subjects;
}

BlockRunner ProcessRunner(std::string program, const std::atomic<bool>* stop) {
  return [program, stop](const BlockRequest& request) -> absl::StatusOr<BenchReport> {
    std::string json;
    if (!google::protobuf::util::MessageToJsonString(request, &json).ok()) {
      return absl::InternalError("block request as JSON");
    }
    char path[] = "/tmp/earshot-block-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return absl::InternalError(absl::StrCat("cannot create ", path));
    close(file);
    absl::Status written = WriteFileAtomically(path, {json});
    SubprocessOptions options;
    options.stop = stop;
    // Generously: a step that has begun is finished, and the reference is slow.
    options.timeout_seconds = 3600;
    absl::StatusOr<std::string> output =
        written.ok() ? RunProgram({program, absl::StrCat("--block=", path)}, options) : written;
    unlink(path);
    RETURN_IF_ERROR(output.status());
    return ParseReportJson(*output, "a block's report");
  };
}

}  // namespace earshot
