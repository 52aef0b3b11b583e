#include "asr/checkpoint/safetensors.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/json_cursor.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

struct TypeInfo {
  SafetensorsType type;
  absl::string_view name;
  int64_t size;
};
constexpr TypeInfo kTypes[] = {{SafetensorsType::kF64, "F64", 8},
                               {SafetensorsType::kF32, "F32", 4},
                               {SafetensorsType::kI64, "I64", 8},
                               {SafetensorsType::kI32, "I32", 4},
                               {SafetensorsType::kU8, "U8", 1}};
constexpr absl::string_view kMetadataKey = "__metadata__";

// A tensor as the header describes it.
struct Entry {
  SafetensorsTensor tensor;
  int64_t at = 0;                // byte of its name in the file
  int64_t begin = -1, end = -1;  // of its data, from the end of the header
};

// Quoted for a message: short, and nothing that a terminal would obey.
std::string Quote(absl::string_view text) {
  std::string quoted = "\"";
  for (unsigned char c : text.substr(0, 64)) quoted.push_back(c >= 0x20 && c < 0x7F ? static_cast<char>(c) : '?');
  return quoted + (text.size() > 64 ? "...\"" : "\"");
}

// The number of bytes that the shape asks for; -1 when it is beyond 63 bits.
int64_t DataSize(const SafetensorsTensor& tensor) {
  int64_t size = SafetensorsTypeSize(tensor.type);
  if (std::count(tensor.shape.begin(), tensor.shape.end(), 0) > 0) return 0;
  for (int64_t d : tensor.shape) {
    if (__builtin_mul_overflow(size, d, &size)) return -1;
  }
  return size;
}

class HeaderReader {
 public:
  // `header` is the file's first bytes, up to the data.
  HeaderReader(absl::string_view header, int64_t file_size, absl::string_view name)
      : data_begin_(header.size()), data_size_(file_size - data_begin_), cursor_(header, 8, data_begin_, name) {}

  // Everything but the tensors' data. ranges[i] is where those of tensor i begin and end in the file.
  absl::StatusOr<Safetensors> Read(std::vector<std::pair<int64_t, int64_t>>* ranges) {
    RETURN_IF_ERROR(cursor_.Object([this](std::string key, int64_t at) {
      return key == kMetadataKey ? ReadMetadata(at) : ReadEntry(std::move(key), at);
    }));
    RETURN_IF_ERROR(cursor_.End());
    RETURN_IF_ERROR(CheckNames());
    RETURN_IF_ERROR(CheckRanges());
    for (Entry& entry : entries_) {
      content_.tensors.push_back(std::move(entry.tensor));
      ranges->emplace_back(data_begin_ + entry.begin, data_begin_ + entry.end);
    }
    return std::move(content_);
  }

 private:
  absl::Status CheckName(const std::string& name, int64_t at) const {
    if (!name.empty() && name.size() <= kSafetensorsMaxNameBytes) return absl::OkStatus();
    return cursor_.Error(at, absl::StrCat("a name of 1 to ", kSafetensorsMaxNameBytes, " bytes"),
                         absl::StrCat("one of ", name.size()));
  }

  absl::Status ReadMetadata(int64_t at) {
    if (has_metadata_) return cursor_.Error(at, "one \"__metadata__\"", "a second one");
    has_metadata_ = true;
    std::vector<std::string> keys;
    RETURN_IF_ERROR(cursor_.Object([&](std::string key, int64_t key_at) {
      RETURN_IF_ERROR(CheckName(key, key_at));
      if (content_.metadata.size() == kSafetensorsMaxMetadata) {
        return cursor_.Error(key_at, absl::StrCat("at most ", kSafetensorsMaxMetadata, " metadata keys"), "more");
      }
      keys.push_back(key);
      content_.metadata.emplace_back(std::move(key), "");
      return cursor_.String(&content_.metadata.back().second);
    }));
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) return absl::OkStatus();
    return cursor_.Error(at, "different metadata keys", absl::StrCat(Quote(*twice), " twice"));
  }

  absl::Status ReadEntry(std::string name, int64_t at) {
    RETURN_IF_ERROR(CheckName(name, at));
    if (entries_.size() == kSafetensorsMaxTensors) {
      return cursor_.Error(at, absl::StrCat("at most ", kSafetensorsMaxTensors, " tensors"), "more");
    }
    Entry entry;
    entry.at = at;
    entry.tensor.name = std::move(name);
    int seen[3] = {0, 0, 0};
    RETURN_IF_ERROR(cursor_.Object([&](std::string key, int64_t key_at) {
      constexpr absl::string_view kFields[] = {"dtype", "shape", "data_offsets"};
      const int field = std::find(kFields, kFields + 3, key) - kFields;
      if (field == 3) return cursor_.Error(key_at, "dtype, shape or data_offsets", Quote(key));
      if (seen[field]++ > 0) return cursor_.Error(key_at, absl::StrCat("one ", key), "a second one");
      return field == 0 ? ReadType(&entry) : field == 1 ? ReadShape(&entry) : ReadOffsets(&entry);
    }));
    if (seen[0] + seen[1] + seen[2] != 3) {
      return cursor_.Error(at, "dtype, shape and data_offsets", absl::StrCat("fewer for ", Quote(entry.tensor.name)));
    }
    entries_.push_back(std::move(entry));
    return CheckSize(entries_.back());
  }

  absl::Status ReadType(Entry* entry) {
    const int64_t at = cursor_.at();
    std::string name;
    RETURN_IF_ERROR(cursor_.String(&name));
    for (const TypeInfo& info : kTypes) {
      if (info.name != name) continue;
      entry->tensor.type = info.type;
      return absl::OkStatus();
    }
    return cursor_.Error(at, "dtype F64, F32, I64, I32 or U8", Quote(name));
  }

  absl::Status ReadShape(Entry* entry) {
    return cursor_.Array([&] {
      const int64_t at = cursor_.at();
      int64_t d = 0;
      RETURN_IF_ERROR(cursor_.Integer(&d));
      if (d > kSafetensorsMaxDimension) return cursor_.Error(at, "a dimension of at most 2^31", absl::StrCat(d));
      if (entry->tensor.shape.size() == kSafetensorsMaxRank) {
        return cursor_.Error(at, absl::StrCat("at most ", kSafetensorsMaxRank, " dimensions"), "more");
      }
      entry->tensor.shape.push_back(d);
      return absl::OkStatus();
    });
  }

  absl::Status ReadOffsets(Entry* entry) {
    const int64_t at = cursor_.at();
    int count = 0;
    RETURN_IF_ERROR(cursor_.Array([&] {
      int64_t ignored = 0;
      ++count;
      return cursor_.Integer(count == 1 ? &entry->begin : count == 2 ? &entry->end : &ignored);
    }));
    if (count != 2) return cursor_.Error(at, "two data_offsets", absl::StrCat(count));
    if (entry->begin <= entry->end && entry->end <= data_size_) return absl::OkStatus();
    return cursor_.Error(at, absl::StrCat("data_offsets that rise to at most ", data_size_),
                         absl::StrCat("[", entry->begin, ",", entry->end, "]"));
  }

  absl::Status CheckSize(const Entry& entry) const {
    const int64_t size = DataSize(entry.tensor);
    if (size == entry.end - entry.begin) return absl::OkStatus();
    return cursor_.Error(entry.at,
                         absl::StrCat(size < 0 ? "fewer than 2^63" : absl::StrCat(size), " bytes of data for ",
                                      SafetensorsTypeName(entry.tensor.type), " [",
                                      absl::StrJoin(entry.tensor.shape, ","), "] ", Quote(entry.tensor.name)),
                         absl::StrCat(entry.end - entry.begin));
  }

  absl::Status CheckNames() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.tensor.name, a.at) < std::tie(b.tensor.name, b.at);
    });
    for (size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].tensor.name != entries_[i - 1].tensor.name) continue;
      return cursor_.Error(entries_[i].at, absl::StrCat("one tensor ", Quote(entries_[i].tensor.name)), "a second one");
    }
    return absl::OkStatus();
  }

  // Sorts the tensors by their data, which must cover the rest of the file exactly.
  absl::Status CheckRanges() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.begin, a.end, a.at) < std::tie(b.begin, b.end, b.at);
    });
    int64_t covered = 0;
    for (Entry& entry : entries_) {
      if (entry.begin != covered) {
        return cursor_.Error(entry.at, absl::StrCat(Quote(entry.tensor.name), " to begin at offset ", covered),
                             absl::StrCat(entry.begin, entry.begin < covered ? " (an overlap)" : " (a hole)"));
      }
      covered = entry.end;
    }
    if (covered == data_size_) return absl::OkStatus();
    return cursor_.Error(data_begin_ + covered, "the end of the file",
                         absl::StrCat(data_size_ - covered, " bytes more"));
  }

  const int64_t data_begin_, data_size_;
  JsonCursor cursor_;
  Safetensors content_;
  std::vector<Entry> entries_;
  bool has_metadata_ = false;
};

}  // namespace

int64_t SafetensorsTypeSize(SafetensorsType type) { return kTypes[static_cast<int>(type)].size; }
absl::string_view SafetensorsTypeName(SafetensorsType type) { return kTypes[static_cast<int>(type)].name; }

absl::StatusOr<Safetensors> ReadSafetensors(absl::string_view file, absl::string_view name) {
  const JsonCursor cursor(file, 0, file.size(), name);
  if (file.size() < 8) {
    return cursor.Error(0, "the header's length in 8 bytes", absl::StrCat("a file of ", file.size()));
  }
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(file[i]);
  const uint64_t limit = std::min<uint64_t>(kSafetensorsMaxHeaderBytes, file.size() - 8);
  if (length > limit)
    return cursor.Error(0, absl::StrCat("a header of at most ", limit, " bytes"), absl::StrCat(length));
  std::vector<std::pair<int64_t, int64_t>> ranges;
  ASSIGN_OR_RETURN(Safetensors content, HeaderReader(file.substr(0, 8 + length), file.size(), name).Read(&ranges));
  for (size_t i = 0; i < ranges.size(); ++i) {
    content.tensors[i].data = file.substr(ranges[i].first, ranges[i].second - ranges[i].first);
  }
  return content;
}

absl::StatusOr<std::string> SafetensorsHeader(const Safetensors& content) {
  std::string json = "{";
  if (!content.metadata.empty()) {
    absl::StrAppend(&json, "\"", kMetadataKey, "\":{");
    for (const auto& [key, value] : content.metadata) {
      absl::StrAppend(&json, JsonString(key), ":", JsonString(value), ",");
    }
    json.back() = '}';
    json.push_back(',');
  }
  int64_t offset = 0;
  for (const SafetensorsTensor& tensor : content.tensors) {
    const int64_t end = offset + static_cast<int64_t>(tensor.data.size());
    absl::StrAppend(&json, JsonString(tensor.name), ":{\"dtype\":\"", SafetensorsTypeName(tensor.type),
                    "\",\"shape\":[", absl::StrJoin(tensor.shape, ","), "],\"data_offsets\":[", offset, ",", end,
                    "]},");
    offset = end;
  }
  if (json.size() > 1) json.pop_back();
  json.push_back('}');
  json.append((8 - json.size() % 8) % 8, ' ');

  std::string header;
  for (int i = 0; i < 8; ++i) header.push_back(static_cast<char>(json.size() >> (8 * i) & 0xFF));
  header += json;
  // What this program writes, it must be able to read.
  std::vector<std::pair<int64_t, int64_t>> ranges;
  RETURN_IF_ERROR(HeaderReader(header, header.size() + offset, "header").Read(&ranges).status());
  return header;
}

}  // namespace earshot
