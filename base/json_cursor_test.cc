#include "base/json_cursor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

std::string Repeat(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, text);
  return all;
}

// The value, or the error.
std::string Number(absl::string_view json) {
  JsonCursor cursor(json, 0, json.size(), "f");
  double value = 0;
  const absl::Status status = cursor.Number(&value);
  return status.ok() ? absl::StrCat(value, "|", json.substr(cursor.at())) : std::string(status.message());
}

std::string Skip(absl::string_view json) {
  JsonCursor cursor(json, 0, json.size(), "f");
  absl::Status status = cursor.Skip();
  if (status.ok()) status = cursor.End();
  return status.ok() ? "ok" : std::string(status.message());
}

TEST(JsonCursorTest, Numbers) {
  EXPECT_EQ(Number("0"), "0|");
  EXPECT_EQ(Number(" -0.5,"), "-0.5|,");
  EXPECT_EQ(Number("12.25e+2 "), "1225| ");
  EXPECT_EQ(Number("1E-3]"), "0.001|]");
  EXPECT_EQ(Number("0x10"), "0|x10");  // what follows is the caller's to judge
  EXPECT_EQ(Number("01"), "f: byte 0: expected a number, found '0'");
  EXPECT_EQ(Number("-"), "f: byte 0: expected a number, found '-'");
  EXPECT_EQ(Number("+1"), "f: byte 0: expected a number, found '+'");
  EXPECT_EQ(Number(".5"), "f: byte 0: expected a number, found '.'");
  EXPECT_EQ(Number("1."), "f: byte 2: expected a digit, found the end of the JSON");
  EXPECT_EQ(Number("1.e3"), "f: byte 2: expected a digit, found 'e'");
  EXPECT_EQ(Number("1e"), "f: byte 2: expected a digit, found the end of the JSON");
  EXPECT_EQ(Number("  NaN"), "f: byte 2: expected a number, found 'N'");
  EXPECT_EQ(Number("Infinity"), "f: byte 0: expected a number, found 'I'");
  EXPECT_EQ(Number("\"1\""), "f: byte 0: expected a number, found '\"'");
  EXPECT_EQ(Number("-1e999"), "f: byte 0: expected a number that a double can hold, found \"-1e999\"");
}

TEST(JsonCursorTest, NumbersAreTheNearestDoubles) {
  const std::string json = "[0.1, 1225.1499999999999, 5e-324, 1.7976931348623157e308, 9007199254740993]";
  JsonCursor cursor(json, 0, json.size(), "f");
  std::vector<double> values;
  ASSERT_TRUE(cursor
                  .Array([&] {
                    values.push_back(0);
                    return cursor.Number(&values.back());
                  })
                  .ok());
  EXPECT_EQ(values, (std::vector<double>{0.1, 1225.1499999999999, 5e-324, 1.7976931348623157e308, 9007199254740992}));
}

TEST(JsonCursorTest, BooleansAndNull) {
  const std::string json = "[true,false , null,nul]";
  JsonCursor cursor(json, 0, json.size(), "f");
  bool a = false, b = true, c = false;
  int element = 0;
  const absl::Status status = cursor.Array([&]() -> absl::Status {
    ++element;
    if (element == 1) return cursor.Bool(&a);
    if (element == 2) return cursor.Bool(&b);
    if (cursor.ConsumeNull()) return absl::OkStatus();
    return cursor.Bool(&c);
  });
  EXPECT_TRUE(a);
  EXPECT_FALSE(b);
  EXPECT_EQ(element, 4);
  EXPECT_EQ(status.message(), "f: byte 19: expected true or false, found 'n'");
}

TEST(JsonCursorTest, SkipsAnyValue) {
  for (absl::string_view json : {"0", "-1.5e3", "\"a\\u00e9\\n\"", "true", " false ", "null", "[]", "{}",
                                 R"( {"a": [1, {"b": null}, "c"], "a": {}} )"}) {
    EXPECT_EQ(Skip(json), "ok") << json;
  }
}

TEST(JsonCursorTest, SkippingIsAsStrictAsReading) {
  EXPECT_EQ(Skip(""), "f: byte 0: expected a value, found the end of the JSON");
  EXPECT_EQ(Skip("{\"a\":}"), "f: byte 5: expected a value, found '}'");
  EXPECT_EQ(Skip("[1,]"), "f: byte 3: expected a value, found ']'");
  EXPECT_EQ(Skip("{'a':1}"), "f: byte 1: expected a string, found 0x27");
  EXPECT_EQ(Skip("[nul]"), "f: byte 1: expected null, found 'n'");
  EXPECT_EQ(Skip("[tru]"), "f: byte 1: expected true or false, found 't'");
  EXPECT_EQ(Skip("[NaN]"), "f: byte 1: expected a value, found 'N'");
  EXPECT_EQ(Skip("\"\xff\""), "f: byte 1: expected UTF-8, found 0xff");
  EXPECT_EQ(Skip("1 2"), "f: byte 2: expected only spaces after the JSON, found '2'");
}

TEST(JsonCursorTest, NestingIsLimited) {
  EXPECT_EQ(Skip(absl::StrCat(Repeat("[", 64), Repeat("]", 64))), "ok");
  const std::string error = "expected at most 64 levels of nesting, found more";
  EXPECT_EQ(Skip(absl::StrCat(Repeat("[", 65), Repeat("]", 65))), absl::StrCat("f: byte 64: ", error));
  EXPECT_EQ(Skip(Repeat("{\"a\":", 100000)), absl::StrCat("f: byte 320: ", error));
}

TEST(JsonCursorTest, PeeksAtTheNextValue) {
  JsonCursor cursor(" \n[", 0, 3, "f");
  EXPECT_EQ(cursor.Peek(), '[');
  EXPECT_EQ(cursor.Peek(), '[');
  JsonCursor end("  ", 0, 2, "f");
  EXPECT_EQ(end.Peek(), '\0');
}

}  // namespace
}  // namespace earshot
