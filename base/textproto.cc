#include "base/textproto.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <memory>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

namespace pb = google::protobuf;

// The first error; the parser goes on after a few kinds of them.
class FirstError : public pb::io::ErrorCollector {
 public:
  explicit FirstError(absl::string_view name) : name_(name) {}
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ");
    for (unsigned char c : message.substr(0, kMaxMessage)) {  // it quotes the file
      if (absl::ascii_isprint(c)) {
        text_.push_back(static_cast<char>(c));
      } else {
        absl::StrAppend(&text_, "\\x", absl::Hex(c, absl::kZeroPad2));
      }
    }
    if (message.size() > kMaxMessage) text_ += "...";
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr size_t kMaxMessage = 200;
  std::string name_, text_;
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
    return ByteError(name, kTextprotoMaxBytes,
                     absl::StrCat("the end of a text of at most ", kTextprotoMaxBytes, " bytes"),
                     absl::StrCat(text.size(), " bytes"));
  }
  FirstError error(name);
  pb::TextFormat::Parser parser;
  parser.SetRecursionLimit(kTextprotoMaxDepth);
  parser.RecordErrorsTo(&error);
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, message)) return absl::InvalidArgumentError(error.text());
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
