// Manifests: one file (Lhotse: or two) that lists utterances. NeMo's and WeNet's JSONL, Lhotse's JSONL, TSV.
#ifndef EARSHOT_DATA_MANIFEST_H_
#define EARSHOT_DATA_MANIFEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/manifest_builder.h"

namespace earshot {

enum class ManifestKind { kNemo, kTsv, kLhotseCuts, kLhotseRecordings, kLhotseSupervisions };

// What a text is, judged by its first line that is not empty (of a gzip file: unpacked). An error says what was looked
// for.
absl::StatusOr<ManifestKind> RecognizeManifest(absl::string_view content, absl::string_view name);
absl::StatusOr<ManifestKind> RecognizeManifestFile(const std::string& path);

// Reads a manifest of any kind, recognised by its content; of Lhotse's recordings and supervisions either is enough:
// the other is the file beside it with the other word in its name ("a_supervisions_train.jsonl.gz"), packed or not. A
// relative path of audio starts from the manifest's folder (for Common Voice, from clips/ in it, if that is there), as
// NeMo has it; if there is no such file, from where the user typed the command, as Lhotse has it. The first utterance
// of each folder of audio decides for that folder.
absl::StatusOr<Manifest> ReadManifest(const std::string& path, const ManifestOptions& options = {});

// The file name that belongs to Lhotse's recordings or supervisions at `path`: the other word in its place. Empty where
// the name does not have the word.
std::string LhotsePartnerName(const std::string& path, ManifestKind kind);
// The file of that name, packed or not; empty when neither is there.
std::string LhotsePartner(const std::string& path, ManifestKind kind);

}  // namespace earshot

#endif  // EARSHOT_DATA_MANIFEST_H_
