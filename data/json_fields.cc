#include "data/json_fields.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {

absl::Status ReadFields(absl::Span<const FieldName> names, JsonCursor* cursor,
                        absl::FunctionRef<absl::Status(int field)> read) {
  constexpr int kFields = 32;
  size_t rank[kFields];  // of the name that each field was found under
  std::fill_n(rank, kFields, names.size());
  return cursor->Object([&](const std::string& key, int64_t key_at) -> absl::Status {
    const auto name =
        std::find_if(names.begin(), names.end(), [&](const FieldName& candidate) { return candidate.name == key; });
    if (name == names.end() || cursor->Peek() == 'n') return cursor->Skip();
    const size_t found = name - names.begin();
    size_t& best = rank[name->field];
    if (found == best) return cursor->Error(key_at, absl::StrCat("one ", Quoted(key)), "a second one");
    if (found > best) return cursor->Skip();
    best = found;
    return read(name->field);
  });
}

absl::Status ReadName(JsonCursor* cursor, std::string* name) {
  if (!absl::ascii_isdigit(cursor->Peek())) return cursor->String(name);
  int64_t number = 0;
  RETURN_IF_ERROR(cursor->Integer(&number));
  *name = absl::StrCat(number);
  return absl::OkStatus();
}

}  // namespace earshot
