#include "bench/json_message.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json_cursor.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

namespace pb = google::protobuf;

class MessageReader {
 public:
  explicit MessageReader(JsonCursor* cursor) : cursor_(*cursor) {}

  absl::Status ReadMessage(pb::Message* message) {
    if (depth_ == kMaxJsonNesting) {
      return cursor_.Error(cursor_.at(), absl::StrCat("at most ", kMaxJsonNesting, " messages in each other"), "more");
    }
    std::set<const pb::FieldDescriptor*> seen;
    ++depth_;
    const absl::Status status = cursor_.Object([&](const std::string& key, int64_t key_at) -> absl::Status {
      const pb::FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(key);
      if (field == nullptr) {
        return cursor_.Error(key_at, absl::StrCat("a field of ", message->GetDescriptor()->name()), Quoted(key));
      }
      if (!seen.insert(field).second)
        return cursor_.Error(key_at, "every field once", absl::StrCat(Quoted(key), " again"));
      if (field->is_map()) return ReadMap(*field, message);
      if (!field->is_repeated()) return ReadValue(*field, message);
      return cursor_.Array([&]() { return ReadValue(*field, message); });
    });
    --depth_;
    return status;
  }

 private:
  // {"key": value}: an entry each, which is a message with a key and a value.
  absl::Status ReadMap(const pb::FieldDescriptor& field, pb::Message* message) {
    std::set<std::string> keys;
    return cursor_.Object([&](const std::string& key, int64_t key_at) -> absl::Status {
      const pb::FieldDescriptor& key_field = *field.message_type()->map_key();
      if (!keys.insert(key).second) return cursor_.Error(key_at, "every key once", absl::StrCat(Quoted(key), " again"));
      if (key_field.cpp_type() != pb::FieldDescriptor::CPPTYPE_STRING) {
        return cursor_.Error(key_at, "no map with other keys than strings", Quoted(key));
      }
      pb::Message* entry = message->GetReflection()->AddMessage(message, &field);
      entry->GetReflection()->SetString(entry, &key_field, key);
      return ReadValue(*field.message_type()->map_value(), entry);
    });
  }

  // Sets the field, or adds to a repeated one.
  absl::Status ReadValue(const pb::FieldDescriptor& field, pb::Message* message) {
    const pb::Reflection& r = *message->GetReflection();
    const bool many = field.is_repeated();
    switch (field.cpp_type()) {
      case pb::FieldDescriptor::CPPTYPE_MESSAGE:
        return ReadMessage(many ? r.AddMessage(message, &field) : r.MutableMessage(message, &field));
      case pb::FieldDescriptor::CPPTYPE_STRING: {
        std::string value;
        RETURN_IF_ERROR(cursor_.String(&value));
        many ? r.AddString(message, &field, value) : r.SetString(message, &field, value);
        return absl::OkStatus();
      }
      case pb::FieldDescriptor::CPPTYPE_BOOL: {
        bool value = false;
        RETURN_IF_ERROR(cursor_.Bool(&value));
        many ? r.AddBool(message, &field, value) : r.SetBool(message, &field, value);
        return absl::OkStatus();
      }
      case pb::FieldDescriptor::CPPTYPE_ENUM:
        return ReadEnum(field, message);
      case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      case pb::FieldDescriptor::CPPTYPE_FLOAT:
        return ReadReal(field, message);
      default:
        return ReadInteger(field, message);
    }
  }

  absl::Status ReadEnum(const pb::FieldDescriptor& field, pb::Message* message) {
    std::string name;
    cursor_.Peek();
    const int64_t at = cursor_.at();
    RETURN_IF_ERROR(cursor_.String(&name));
    const pb::EnumValueDescriptor* value = field.enum_type()->FindValueByName(name);
    if (value == nullptr)
      return cursor_.Error(at, absl::StrCat("a value of ", field.enum_type()->name()), Quoted(name));
    const pb::Reflection& r = *message->GetReflection();
    field.is_repeated() ? r.AddEnum(message, &field, value) : r.SetEnum(message, &field, value);
    return absl::OkStatus();
  }

  absl::Status ReadReal(const pb::FieldDescriptor& field, pb::Message* message) {
    double value = 0;
    cursor_.Peek();
    const int64_t at = cursor_.at();
    RETURN_IF_ERROR(cursor_.Number(&value));
    const pb::Reflection& r = *message->GetReflection();
    if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_DOUBLE) {
      field.is_repeated() ? r.AddDouble(message, &field, value) : r.SetDouble(message, &field, value);
      return absl::OkStatus();
    }
    if (std::abs(value) > std::numeric_limits<float>::max()) return cursor_.Error(at, "a float", absl::StrCat(value));
    const float single = static_cast<float>(value);
    field.is_repeated() ? r.AddFloat(message, &field, single) : r.SetFloat(message, &field, single);
    return absl::OkStatus();
  }

  // Of 32 or 64 bits. None of our fields means anything below zero.
  absl::Status ReadInteger(const pb::FieldDescriptor& field, pb::Message* message) {
    cursor_.Peek();
    const int64_t at = cursor_.at();
    uint64_t value = 0;
    if (cursor_.Peek() == '"') {
      std::string digits;
      RETURN_IF_ERROR(cursor_.String(&digits));
      if (!absl::SimpleAtoi(digits, &value)) return cursor_.Error(at, "a whole number", Quoted(digits));
    } else {
      int64_t number = 0;
      RETURN_IF_ERROR(cursor_.Integer(&number));
      value = static_cast<uint64_t>(number);
    }
    const uint64_t most = Most(field.cpp_type());
    if (value > most) return cursor_.Error(at, absl::StrCat("at most ", most), absl::StrCat(value));
    SetInteger(field, value, message);
    return absl::OkStatus();
  }

  static uint64_t Most(pb::FieldDescriptor::CppType type) {
    switch (type) {
      case pb::FieldDescriptor::CPPTYPE_INT32:
        return std::numeric_limits<int32_t>::max();
      case pb::FieldDescriptor::CPPTYPE_UINT32:
        return std::numeric_limits<uint32_t>::max();
      case pb::FieldDescriptor::CPPTYPE_INT64:
        return std::numeric_limits<int64_t>::max();
      default:
        return std::numeric_limits<uint64_t>::max();
    }
  }

  static void SetInteger(const pb::FieldDescriptor& field, uint64_t value, pb::Message* message) {
    const pb::Reflection& r = *message->GetReflection();
    const bool many = field.is_repeated();
    switch (field.cpp_type()) {
      case pb::FieldDescriptor::CPPTYPE_INT32:
        many ? r.AddInt32(message, &field, static_cast<int32_t>(value))
             : r.SetInt32(message, &field, static_cast<int32_t>(value));
        break;
      case pb::FieldDescriptor::CPPTYPE_UINT32:
        many ? r.AddUInt32(message, &field, static_cast<uint32_t>(value))
             : r.SetUInt32(message, &field, static_cast<uint32_t>(value));
        break;
      case pb::FieldDescriptor::CPPTYPE_INT64:
        many ? r.AddInt64(message, &field, static_cast<int64_t>(value))
             : r.SetInt64(message, &field, static_cast<int64_t>(value));
        break;
      default:
        many ? r.AddUInt64(message, &field, value) : r.SetUInt64(message, &field, value);
    }
  }

  JsonCursor& cursor_;
  int depth_ = 0;
};

}  // namespace

absl::Status ParseJsonMessage(absl::string_view json, absl::string_view name, pb::Message* message) {
  JsonCursor cursor(json, 0, static_cast<int64_t>(json.size()), name);
  message->Clear();
  RETURN_IF_ERROR(MessageReader(&cursor).ReadMessage(message));
  return cursor.End();
}

}  // namespace earshot
