#include "asr/feature_sink.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/feature_config.h"
#include "data/feature_file.h"
#include "data/htk_file.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_table.h"
#include "data/kaldi_writer.h"
#include "data/npy.h"

namespace earshot {
namespace {

enum class Format { kNpy, kHtk };

// How HTK names these features. HTK's order of columns has the energy, or c0, behind the others of each block.
struct HtkLayout {
  uint16_t kind = kHtkUser;
  int32_t frame_shift = 100000;  // in units of 100 ns
  int block = 0;                 // columns of statics whose first one goes to the end; 0: all stay
};

HtkLayout MakeHtkLayout(const FeatureConfig& config) {
  HtkLayout layout;
  layout.frame_shift = static_cast<int32_t>(std::lround(config.frame_shift_ms() * 10000));
  if (config.precomputed_dims() > 0) return layout;
  const bool mfcc = config.kind() == FeatureConfig::MFCC, energy = config.energy() != FeatureConfig::NO_ENERGY;
  layout.kind = mfcc ? kHtkMfcc : kHtkFbank;
  if (energy) layout.kind |= kHtkEnergy;
  if (mfcc && !energy) layout.kind |= kHtkZerothCepstrum;
  if (config.delta_order() > 0) layout.kind |= kHtkDeltas;
  if (config.delta_order() > 1) layout.kind |= kHtkAccelerations;
  const bool in_htk_order = mfcc && config.htk_compatible();
  if ((mfcc || energy) && !in_htk_order) layout.block = NumStatics(config);
  return layout;
}

absl::StatusOr<std::string> Encode(Format format, const HtkLayout& htk, bool ready,
                                   TensorView<const float, 2> features) {
  if (format == Format::kNpy) return EncodeNpy(features);
  if (ready) return EncodeHtk(features, kHtkUser, htk.frame_shift);
  if (htk.block == 0) return EncodeHtk(features, htk.kind, htk.frame_shift);
  Tensor<float, 2> ordered(features.shape());
  for (int64_t t = 0; t < features.dim(0); ++t) {
    const absl::Span<const float> from = features.row(t);
    const absl::Span<float> to = ordered.view().row(t);
    for (int64_t begin = 0; begin < features.dim(1); begin += htk.block) {
      std::rotate_copy(&from[begin], &from[begin] + 1, &from[begin] + htk.block, &to[begin]);
    }
  }
  return EncodeHtk(ordered.view(), htk.kind, htk.frame_shift);
}

// One file for the only utterance, or one for each in a folder.
class FileSink : public FeatureSink {
 public:
  FileSink(Format format, HtkLayout htk, std::string path, bool is_folder)
      : format_(format), htk_(htk), path_(std::move(path)), is_folder_(is_folder) {}

 private:
  absl::Status DoWrite(const UtteranceSource& source, bool ready, TensorView<const float, 2> features) override {
    std::string path = path_;
    if (is_folder_) {
      if (absl::StrContains(source.id, '/')) {
        return absl::InvalidArgumentError(absl::StrCat(path_, ": the utterance ", Quoted(source.id),
                                                       " cannot be a file's name; expected no \"/\" in its id"));
      }
      absl::StrAppend(&path, "/", source.id, format_ == Format::kNpy ? ".npy" : ".htk");
    } else if (++written_ > 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          path_, ": expected one utterance, found more; npy:FOLDER, htk:FOLDER and ark,scp:FILE,FILE take many"));
    }
    const absl::StatusOr<std::string> content = Encode(format_, htk_, ready, features);
    if (!content.ok()) return Annotate(content.status(), path);
    return WriteFileAtomically(path, {*content});
  }

  const Format format_;
  const HtkLayout htk_;
  const std::string path_;
  const bool is_folder_;
  int written_ = 0;
};

// A Kaldi archive, and the data directory around it if `folder` is not empty.
class KaldiSink : public FeatureSink {
 public:
  KaldiSink(std::unique_ptr<KaldiTableWriter> table, std::string folder)
      : table_(std::move(table)), folder_(std::move(folder)) {}

  absl::Status Close() override {
    RETURN_IF_ERROR(table_->Close());
    return folder_.empty() ? absl::OkStatus() : WriteKaldiDirectory(folder_, sources_);
  }

 private:
  absl::Status DoWrite(const UtteranceSource& source, bool /*ready*/, TensorView<const float, 2> features) override {
    RETURN_IF_ERROR(table_->Write(source.id, features));
    if (folder_.empty()) return absl::OkStatus();
    sources_.push_back(source);
    sources_.back().features = table_->last_location();
    sources_.back().features_is_command = false;
    return absl::OkStatus();
  }

  std::unique_ptr<KaldiTableWriter> table_;
  const std::string folder_;
  std::vector<UtteranceSource> sources_;
};

absl::StatusOr<KaldiCompression> ParseCompression(const std::string& name) {
  if (name.empty()) return KaldiCompression::kNone;
  if (name == "cm") return KaldiCompression::kSpeechFeature;
  if (name == "cm2") return KaldiCompression::kTwoByteAuto;
  if (name == "cm3") return KaldiCompression::kOneByteAuto;
  return absl::InvalidArgumentError(absl::StrCat("--compress=", name, ": expected cm, cm2 or cm3"));
}

// "ark,scp:a,b" with the user's paths made absolute: programs do not run where the user is.
std::string AbsolutePaths(const std::string& wspecifier) {
  const size_t colon = wspecifier.find(':');
  std::vector<std::string> paths = absl::StrSplit(wspecifier.substr(colon + 1), ',');
  for (std::string& path : paths) {
    const absl::string_view name = absl::StripAsciiWhitespace(path);
    if (name != "-" && !absl::StrContains(name, '|')) path = UserPath(name);  // the others are refused as they are
  }
  return absl::StrCat(wspecifier.substr(0, colon + 1), absl::StrJoin(paths, ","));
}

absl::StatusOr<std::unique_ptr<FeatureSink>> CreateKaldiSink(const std::string& out, KaldiCompression compression) {
  const std::string folder = KaldiFolder(out);
  if (folder.empty()) {
    ASSIGN_OR_RETURN(std::unique_ptr<KaldiTableWriter> table, KaldiTableWriter::Open(AbsolutePaths(out), compression));
    return std::make_unique<KaldiSink>(std::move(table), "");
  }
  if (LooksLikeKaldiDirectory(folder)) {
    return absl::AlreadyExistsError(absl::StrCat(folder, ": is a Kaldi data directory already; expected a new folder"));
  }
  RETURN_IF_ERROR(MakeDirectories(folder));
  ASSIGN_OR_RETURN(std::unique_ptr<KaldiTableWriter> table,
                   KaldiTableWriter::Open(absl::StrCat("ark:", folder, "/feats.ark"), compression));
  return std::make_unique<KaldiSink>(std::move(table), folder);
}

}  // namespace

std::string KaldiFolder(const std::string& out) {
  absl::string_view folder = out;
  if (!absl::ConsumePrefix(&folder, "kaldi:")) return "";
  folder = absl::StripAsciiWhitespace(folder);  // as that of an archive's name
  return folder.empty() ? "" : UserPath(folder);
}

absl::StatusOr<std::unique_ptr<FeatureSink>> FeatureSink::Create(const std::string& out, const std::string& compress,
                                                                 const FeatureConfig& config) {
  ASSIGN_OR_RETURN(const KaldiCompression compression, ParseCompression(compress));
  if (LooksLikeKaldiTable(out) || !KaldiFolder(out).empty()) return CreateKaldiSink(out, compression);
  if (compression != KaldiCompression::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat("--compress=", compress, ": only archives are compressed, not ", out));
  }
  absl::string_view path = out;
  const bool npy_folder = absl::ConsumePrefix(&path, "npy:"), htk_folder = absl::ConsumePrefix(&path, "htk:");
  const bool npy = npy_folder || (!htk_folder && absl::EndsWith(path, ".npy"));
  if (path.empty() || !(npy || htk_folder || HasHtkExtension(path))) {
    return absl::InvalidArgumentError(absl::StrCat("--out=", out,
                                                   ": expected FILE.npy, FILE.htk, npy:FOLDER, htk:FOLDER, "
                                                   "ark:FILE, ark,scp:FILE,FILE or kaldi:FOLDER"));
  }
  const std::string absolute = UserPath(std::string(path));
  if (npy_folder || htk_folder) RETURN_IF_ERROR(MakeDirectories(absolute));
  return std::make_unique<FileSink>(npy ? Format::kNpy : Format::kHtk, MakeHtkLayout(config), absolute,
                                    npy_folder || htk_folder);
}

absl::Status FeatureSink::Write(const UtteranceSource& source, bool ready, TensorView<const float, 2> features) {
  if (!ids_.insert(source.id).second) {
    return absl::InvalidArgumentError(absl::StrCat("utterance ", Quoted(source.id), ": comes twice in the inputs"));
  }
  return DoWrite(source, ready, features);
}

}  // namespace earshot
