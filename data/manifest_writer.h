// Writes manifests of the kinds that data/manifest.h reads.
#ifndef EARSHOT_DATA_MANIFEST_WRITER_H_
#define EARSHOT_DATA_MANIFEST_WRITER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/manifest.h"
#include "data/utterance_source.h"

namespace earshot {

// Writes `sources` in their order to `path`, packed with gzip where its name ends in ".gz". Of kLhotseRecordings and
// kLhotseSupervisions both are written: `path` is the file of the kind that is asked for, with that word in its name,
// and the other one lies beside it.
//
// Paths become absolute. NeMo's gets fields of our own where they say something: id, speaker, channel, recording;
// offset where the utterance is not the whole file. Lhotse's recordings have the id that the sources give, or that of
// their only utterance, or the file's name. The headers of audio files are read where a length is needed: always for
// Lhotse, for NeMo where no duration is known. Times beyond the end of a recording are cut there for Lhotse, which
// refuses them.
//
// InvalidArgument, by the id, for what has no place in the kind: no audio (features only), a command in Lhotse's (its
// length is not known), a channel that the file lacks. What was written is read back first, as by data/manifest.h, so
// that nothing is ever written that could not be. `warnings` gets a line where features beside the audio are left out.
absl::Status WriteManifest(ManifestKind kind, const std::vector<UtteranceSource>& sources, const std::string& path,
                           std::vector<std::string>* warnings);

}  // namespace earshot

#endif  // EARSHOT_DATA_MANIFEST_WRITER_H_
