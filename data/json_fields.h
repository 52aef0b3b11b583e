// The members of JSON objects in manifests, whatever order and names they come in.
#ifndef EARSHOT_DATA_JSON_FIELDS_H_
#define EARSHOT_DATA_JSON_FIELDS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/json_cursor.h"

namespace earshot {

// A name under which a field may be found. Of several names of one field that are there, the first in the table wins.
struct FieldName {
  absl::string_view name;
  int field;  // 0 to 31
};

// Walks over one object. `read` gets the field of each member whose name is in `names` and reads its value; null counts
// as absent; other members are skipped. A name of the table that is there twice is an error.
absl::Status ReadFields(absl::Span<const FieldName> names, JsonCursor* cursor,
                        absl::FunctionRef<absl::Status(int field)> read);

// A string, or a whole number, which stands for its digits: ids and speakers.
absl::Status ReadName(JsonCursor* cursor, std::string* name);

}  // namespace earshot

#endif  // EARSHOT_DATA_JSON_FIELDS_H_
