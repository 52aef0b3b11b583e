#include "data/kaldi_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/kaldi_encode.h"
#include "data/kaldi_text.h"
#include "data/limits.h"

namespace earshot {
namespace {

// "ark,t:a.ark" taken apart.
struct Specifier {
  bool ark = false, scp = false, text = false, permissive = false;
  std::string rest;  // behind the colon
};

constexpr absl::string_view kIgnoredOptions[] = {"b", "bg", "cs", "f", "ncs", "nf", "no", "np", "ns", "o", "s"};

absl::StatusOr<Specifier> ParseSpecifier(absl::string_view text, absl::string_view expected) {
  const auto error = [&](absl::string_view found) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(text), ": expected ", expected, ", found ", found));
  };
  const size_t colon = text.find(':');
  if (colon == text.npos) return error("no colon");
  Specifier specifier;
  specifier.rest = std::string(absl::StripAsciiWhitespace(text.substr(colon + 1)));
  for (absl::string_view option : absl::StrSplit(text.substr(0, colon), ',')) {
    if (option == "ark" && !specifier.ark && !specifier.scp) {
      specifier.ark = true;
    } else if (option == "scp" && !specifier.scp) {
      specifier.scp = true;
    } else if (option == "t") {
      specifier.text = true;
    } else if (option == "p") {
      specifier.permissive = true;
    } else if (std::find(std::begin(kIgnoredOptions), std::end(kIgnoredOptions), option) == std::end(kIgnoredOptions)) {
      return error(Quoted(option));
    }
  }
  const absl::string_view file = specifier.rest;
  if (file.empty()) return error("no file");
  if (file.front() == '|' || file.back() == '|') return error("a command");
  if (file == "-") return error("\"-\", the standard input or output");
  return specifier;
}

}  // namespace

bool LooksLikeKaldiTable(absl::string_view text) {
  const size_t colon = text.find(':');
  const absl::string_view kind = text.substr(0, std::min(colon, text.find(',')));
  return colon != text.npos && (kind == "ark" || kind == "scp");
}

absl::StatusOr<std::unique_ptr<KaldiTableReader>> KaldiTableReader::Open(const std::string& rspecifier) {
  constexpr absl::string_view kExpected = "ark:FILE, scp:FILE or scp,p:FILE";
  ASSIGN_OR_RETURN(const Specifier specifier, ParseSpecifier(rspecifier, kExpected));
  if (specifier.ark == specifier.scp) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(rspecifier), ": expected ", kExpected, ", found ",
                                                   specifier.ark ? "both" : "neither ark nor scp"));
  }
  std::unique_ptr<KaldiTableReader> reader(new KaldiTableReader());
  if (specifier.ark) {
    ASSIGN_OR_RETURN(reader->archive_, KaldiArchiveReader::Open(specifier.rest));
    return reader;
  }
  reader->scp_ = specifier.rest;
  reader->permissive_ = specifier.permissive;
  ASSIGN_OR_RETURN(const std::string content, ReadFile(specifier.rest, kMaxListBytes));
  ASSIGN_OR_RETURN(reader->entries_, ReadScp(content, specifier.rest));
  return reader;
}

absl::StatusOr<bool> KaldiTableReader::Next(std::string* key, Tensor<float, 2>* matrix) {
  if (archive_ != nullptr) return archive_->Next(key, matrix);
  while (next_ < entries_.size()) {
    const ScpEntry& entry = entries_[next_++];
    const absl::Status status = reader_.Read(entry.location, matrix);
    if (status.ok()) {
      *key = entry.key;
      return true;
    }
    const absl::Status named = Annotate(status, absl::StrCat(scp_, ": key ", Quoted(entry.key)));
    if (!permissive_) return named;
    ++skipped_;
    last_skipped_ = named;
  }
  return false;
}

absl::StatusOr<std::unique_ptr<KaldiTableWriter>> KaldiTableWriter::Open(const std::string& wspecifier,
                                                                         KaldiCompression compression) {
  constexpr absl::string_view kExpected = "ark:FILE, ark,t:FILE or ark,scp:ARK,SCP";
  ASSIGN_OR_RETURN(const Specifier specifier, ParseSpecifier(wspecifier, kExpected));
  const std::vector<std::string> files = absl::StrSplit(specifier.rest, ',');
  const bool complete = std::none_of(files.begin(), files.end(), [](const std::string& file) { return file.empty(); });
  if (!specifier.ark || !complete || files.size() != (specifier.scp ? 2 : 1) ||
      files.front() == (specifier.scp ? files.back() : "")) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(wspecifier), ": expected ", kExpected, ", found ",
                                                   specifier.ark ? "other files" : "no ark"));
  }
  std::unique_ptr<KaldiTableWriter> writer(new KaldiTableWriter());
  writer->text_ = specifier.text;
  writer->compression_ = compression;
  ASSIGN_OR_RETURN(writer->ark_, FileWriter::Create(files[0]));
  if (specifier.scp) {
    ASSIGN_OR_RETURN(writer->scp_, FileWriter::Create(files[1]));
  }
  return writer;
}

absl::Status KaldiTableWriter::Write(absl::string_view key, TensorView<const float, 2> matrix) {
  const std::string problem = IdProblem(key);
  if (!problem.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(ark_->path(), ": expected a key of at most ", kMaxIdBytes, " bytes, found ", problem));
  }
  entry_.assign(key.data(), key.size());
  entry_.push_back(' ');
  const int64_t offset = ark_->size() + static_cast<int64_t>(entry_.size());
  if (text_) {
    AppendKaldiText(matrix, &entry_);
  } else {
    const absl::Status status = AppendKaldiBinary(matrix, compression_, &entry_);
    if (!status.ok()) return Annotate(status, absl::StrCat(ark_->path(), ": key ", Quoted(key)));
  }
  RETURN_IF_ERROR(ark_->Append(entry_));
  last_location_ = absl::StrCat(ark_->path(), ":", offset);
  if (scp_ == nullptr) return absl::OkStatus();
  return scp_->Append(absl::StrCat(key, " ", last_location_, "\n"));
}

absl::Status KaldiTableWriter::Close() {
  RETURN_IF_ERROR(ark_->Close());
  return scp_ == nullptr ? absl::OkStatus() : scp_->Close();
}

}  // namespace earshot
