#include "base/textproto.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

namespace pb = google::protobuf;

class ErrorList : public pb::io::ErrorCollector {
 public:
  explicit ErrorList(absl::string_view name) : name_(name) {}
  void AddError(int line, int column, const std::string& message) override {
    errors_.push_back(absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ", message));
  }
  std::string text() const { return absl::StrJoin(errors_, "\n"); }

 private:
  std::string name_;
  std::vector<std::string> errors_;
};

// Clears in `message` every repeated field that `overlay` has, at any depth, so that MergeFrom replaces it.
void ClearReplacedFields(const pb::Message& overlay, pb::Message* message) {
  std::vector<const pb::FieldDescriptor*> fields;
  overlay.GetReflection()->ListFields(overlay, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    const pb::Reflection* reflection = message->GetReflection();
    if (field->is_repeated()) {
      reflection->ClearField(message, field);
    } else if (field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE && reflection->HasField(*message, field)) {
      ClearReplacedFields(overlay.GetReflection()->GetMessage(overlay, field),
                          reflection->MutableMessage(message, field));
    }
  }
}

}  // namespace

absl::Status ParseTextproto(absl::string_view text, absl::string_view name, pb::Message* message) {
  if (static_cast<int64_t>(text.size()) > kTextprotoMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": ", text.size(), " bytes of text, expected at most ", kTextprotoMaxBytes));
  }
  ErrorList errors(name);
  pb::TextFormat::Parser parser;
  parser.SetRecursionLimit(kTextprotoMaxDepth);
  parser.RecordErrorsTo(&errors);
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, message)) return absl::InvalidArgumentError(errors.text());
  return absl::OkStatus();
}

absl::Status ReadTextproto(const std::string& path, pb::Message* message) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kTextprotoMaxBytes));
  return ParseTextproto(text, path, message);
}

absl::Status MergeTextproto(absl::string_view text, absl::string_view name, pb::Message* message) {
  std::unique_ptr<pb::Message> overlay(message->New());
  RETURN_IF_ERROR(ParseTextproto(text, name, overlay.get()));
  ClearReplacedFields(*overlay, message);
  message->MergeFrom(*overlay);
  return absl::OkStatus();
}

std::string PrintTextproto(const pb::Message& message) {
  std::string text;
  pb::TextFormat::PrintToString(message, &text);
  return text;
}

}  // namespace earshot
