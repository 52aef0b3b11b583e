#include "asr/checkpoint/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/testing/read_once.h"

namespace earshot {
namespace {

constexpr char kTestdata[] = "asr/checkpoint/testdata/";

// A file with this JSON header and `data_bytes` zeros behind it.
std::string File(absl::string_view json, int data_bytes) {
  std::string file;
  for (int i = 0; i < 8; ++i) file.push_back(static_cast<char>(json.size() >> (8 * i) & 0xFF));
  return absl::StrCat(file, json, std::string(data_bytes, '\0'));
}

std::string Error(absl::string_view file) {
  const auto content = ReadSafetensors(file, "f");
  return content.ok() ? "ok" : std::string(content.status().message());
}

template <typename T>
std::vector<T> Values(const SafetensorsTensor& tensor) {
  std::vector<T> values(tensor.data.size() / sizeof(T));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

const SafetensorsTensor& Find(const Safetensors& content, absl::string_view name) {
  for (const SafetensorsTensor& tensor : content.tensors) {
    if (tensor.name == name) return tensor;
  }
  ADD_FAILURE() << "no tensor " << name;
  return content.tensors[0];
}

TEST(SafetensorsTest, ReadsFileOfThePythonPackage) {
  const auto file = ReadFile(absl::StrCat(kTestdata, "golden.safetensors"), 1 << 20);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto content = ReadSafetensors(*file, "golden");
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(content->metadata.size(), 2u);
  for (const auto& [key, value] : content->metadata) {
    EXPECT_EQ(value, key == "run" ? "7" : "\u00e9 \"\\\" \n \U0001F642") << key;
  }
  ASSERT_EQ(content->tensors.size(), 7u);
  const SafetensorsTensor& weight = Find(*content, "layer.weight");
  EXPECT_EQ(weight.type, SafetensorsType::kF32);
  EXPECT_EQ(weight.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(Values<float>(weight), (std::vector<float>{-0.2713f, -0.397f, -0.0841f, 0.8406f, 0.9688f, -0.7718f}));
  EXPECT_EQ(Values<float>(Find(*content, "layer.bias")), (std::vector<float>{-0.2705f, -0.2156f, -0.7146f}));
  EXPECT_EQ(Values<double>(Find(*content, "double")), (std::vector<double>{1.0 / 3, -1e300}));
  const SafetensorsTensor& step = Find(*content, "step");
  EXPECT_EQ(step.type, SafetensorsType::kI64);
  EXPECT_TRUE(step.shape.empty());
  EXPECT_EQ(Values<int64_t>(step), std::vector<int64_t>{123456789012345});
  EXPECT_EQ(Values<int32_t>(Find(*content, "ids")), (std::vector<int32_t>{-1, 2147483647}));
  EXPECT_EQ(Values<uint8_t>(Find(*content, "bytes")), (std::vector<uint8_t>{0, 127, 255}));
  EXPECT_EQ(Find(*content, "nothing").shape, (std::vector<int64_t>{2, 0}));
}

// Python's package once wrote such files corrupt.
TEST(SafetensorsTest, ReadsAndWritesMetadataWithoutTensors) {
  const auto file = ReadFile(absl::StrCat(kTestdata, "metadata_only.safetensors"), 1 << 20);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto content = ReadSafetensors(*file, "f");
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_EQ(content->metadata.size(), 2u);
  EXPECT_TRUE(content->tensors.empty());

  const auto header = SafetensorsHeader(*content);
  ASSERT_TRUE(header.ok());
  const auto again = ReadSafetensors(*header, "f");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->metadata, content->metadata);
}

TEST(SafetensorsTest, ReadsDataThatAreNotAligned) {
  const std::string json = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  ASSERT_NE(json.size() % 4, 0u);
  std::string file = File(json, 0);
  const float value = -1.5f;
  file.append(reinterpret_cast<const char*>(&value), sizeof(value));
  const auto content = ReadSafetensors(file, "f");
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_EQ(Values<float>(content->tensors[0]), std::vector<float>{-1.5f});
}

TEST(SafetensorsTest, WrittenFileIsAlignedAndReadsTheSame) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};
  const std::string bytes = "xyz";
  Safetensors content;
  content.metadata = {{"z", "quote \" backslash \\ tab \t bell \a \u00e9"}, {"a", ""}};
  content.tensors.push_back({"a", SafetensorsType::kF32, {2, 3}, {reinterpret_cast<const char*>(a.data()), 24}});
  content.tensors.push_back({"name with \"quotes\"", SafetensorsType::kU8, {3}, bytes});
  content.tensors.push_back({"empty", SafetensorsType::kF64, {0}, ""});
  const auto header = SafetensorsHeader(content);
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->size() % 8, 0u);
  const std::string file = absl::StrCat(*header, content.tensors[0].data, bytes);
  const auto read = ReadSafetensors(file, "f");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->metadata, content.metadata);
  ASSERT_EQ(read->tensors.size(), 3u);
  EXPECT_EQ(Values<float>(Find(*read, "a")), a);
  EXPECT_EQ(Find(*read, "name with \"quotes\"").data, bytes);
  EXPECT_EQ(Find(*read, "empty").type, SafetensorsType::kF64);
}

TEST(SafetensorsTest, RefusesToWriteWhatItWouldNotRead) {
  const auto error = [](const Safetensors& content) {
    return std::string(SafetensorsHeader(content).status().message());
  };
  const SafetensorsTensor a = {"a", SafetensorsType::kU8, {1}, "x"};
  EXPECT_EQ(error({{}, {a, a}}), "header: byte 61: expected one tensor \"a\", found a second one");
  EXPECT_EQ(error({{}, {{"a", SafetensorsType::kU8, {2}, "x"}}}),
            "header: byte 9: expected 2 bytes of data for U8 [2] \"a\", found 1");
  EXPECT_EQ(error({{}, {{"", SafetensorsType::kU8, {1}, "x"}}}),
            "header: byte 9: expected a name of 1 to 255 bytes, found one of 0");
  EXPECT_EQ(error({{{"k", "\xff"}}, {}}), "header: byte 30: expected UTF-8, found 0xff");
  EXPECT_EQ(error({{{"k", "1"}, {"k", "2"}}, {}}),
            "header: byte 9: expected different metadata keys, found \"k\" twice");
}

struct Hostile {
  const char* what;
  std::string file;
  std::string error;
};

std::string One(absl::string_view dtype, absl::string_view shape, absl::string_view offsets, int data_bytes) {
  return File(absl::StrCat(R"({"a":{"dtype":")", dtype, R"(","shape":)", shape, R"(,"data_offsets":)", offsets, "}}"),
              data_bytes);
}

std::string Two(absl::string_view offsets1, absl::string_view offsets2, int data_bytes) {
  return File(absl::StrCat(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)", offsets1,
                           R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)", offsets2, "}}"),
              data_bytes);
}

TEST(SafetensorsTest, HostileFiles) {
  const std::string nothing = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += R"({"a":)";
  std::string many = "{";
  for (int i = 0; i <= kSafetensorsMaxTensors; ++i) absl::StrAppend(&many, i > 0 ? "," : "", "\"", i, "\":", nothing);
  many += "}";
  const Hostile cases[] = {
      {"no file", "", "f: byte 0: expected the header's length in 8 bytes, found a file of 0"},
      {"half a length", "1234567", "f: byte 0: expected the header's length in 8 bytes, found a file of 7"},
      {"header length 0", File("", 0), "f: byte 8: expected '{', found the end of the JSON"},
      {"header length > file", std::string("\x10\0\0\0\0\0\0\0{}", 10),
       "f: byte 0: expected a header of at most 2 bytes, found 16"},
      {"header length > limit", File(std::string((16 << 20) + 1, ' '), 0),
       "f: byte 0: expected a header of at most 16777216 bytes, found 16777217"},
      {"header length 2^64-1", std::string(8, '\xff') + "{}",
       "f: byte 0: expected a header of at most 2 bytes, found 18446744073709551615"},
      {"not an object", File("[1]", 0), "f: byte 8: expected '{', found '['"},
      {"not UTF-8", File("{\"\xc0\xaf\":1}", 0), "f: byte 10: expected UTF-8, found 0xc0"},
      {"surrogate in UTF-8", File("{\"\xed\xa0\x80\":1}", 0), "f: byte 10: expected UTF-8, found 0xed"},
      {"lone surrogate", File(R"({"\ud800x":1})", 0), "f: byte 16: expected a pair of surrogates, found 'x'"},
      {"bad escape", File(R"({"\x41":1})", 0), "f: byte 11: expected an escape of JSON, found 'x'"},
      {"control character", File("{\"a\nb\":1}", 0), "f: byte 11: expected an escaped control character, found 0x0a"},
      {"open string", File("{\"abc", 0), "f: byte 13: expected '\"', found the end of the JSON"},
      {"deep JSON", File(deep, 0), "f: byte 14: expected dtype, shape or data_offsets, found \"a\""},
      {"something after the object", File("{}x", 0), "f: byte 10: expected only spaces after the JSON, found 'x'"},
      {"trailing comma", File("{\"a\":" + nothing + ",}", 0), "f: byte 61: expected a string, found '}'"},
      {"single quotes", File("{'a':1}", 0), "f: byte 9: expected a string, found 0x27"},
      {"no tensor object", File(R"({"a":1})", 0), "f: byte 13: expected '{', found '1'"},
      {"empty name", File("{\"\":" + nothing + "}", 0), "f: byte 9: expected a name of 1 to 255 bytes, found one of 0"},
      {"long name", File("{\"" + std::string(256, 'n') + "\":" + nothing + "}", 0),
       "f: byte 9: expected a name of 1 to 255 bytes, found one of 256"},
      {"duplicate tensor", File("{\"a\":" + nothing + ",\"a\":" + nothing + "}", 0),
       "f: byte 61: expected one tensor \"a\", found a second one"},
      {"duplicate dtype", File(R"({"a":{"dtype":"U8","dtype":"F32"}})", 0),
       "f: byte 27: expected one dtype, found a second one"},
      {"missing dtype", File(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1),
       "f: byte 9: expected dtype, shape and data_offsets, found fewer for \"a\""},
      {"unknown field", File(R"({"a":{"pickle":"x"}})", 0),
       "f: byte 14: expected dtype, shape or data_offsets, found \"pickle\""},
      {"unknown dtype", One("F31", "[1]", "[0,4]", 4),
       "f: byte 22: expected dtype F64, F32, I64, I32 or U8, found \"F31\""},
      {"dtype no string", File(R"({"a":{"dtype":7}})", 0), "f: byte 22: expected a string, found '7'"},
      {"shape x size > range", One("F32", "[2]", "[0,4]", 4),
       "f: byte 9: expected 8 bytes of data for F32 [2] \"a\", found 4"},
      {"shape product overflow", One("F32", "[2147483648,2147483648,4]", "[0,0]", 0),
       "f: byte 9: expected fewer than 2^63 bytes of data for F32 [2147483648,2147483648,4] \"a\", found 0"},
      {"dimension beyond 2^31", One("U8", "[2147483649]", "[0,0]", 0),
       "f: byte 36: expected a dimension of at most 2^31, found 2147483649"},
      {"dimension beyond 2^63", One("U8", "[9223372036854775808]", "[0,0]", 0),
       "f: byte 36: expected an integer below 2^63, found a larger one"},
      {"dimension -1", One("U8", "[-1]", "[0,0]", 0), "f: byte 36: expected an integer of at least 0, found '-'"},
      {"dimension 1.5", One("U8", "[1.5]", "[0,0]", 0), "f: byte 37: expected a whole number, found '.'"},
      {"dimension 1e30", One("U8", "[1e30]", "[0,0]", 0), "f: byte 37: expected a whole number, found 'e'"},
      {"dimension 01", One("U8", "[01]", "[0,1]", 1), "f: byte 36: expected an integer of at least 0, found '0'"},
      {"dimension text", One("U8", R"(["1"])", "[0,1]", 1),
       "f: byte 36: expected an integer of at least 0, found '\"'"},
      {"rank 9", One("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]", 1), "f: byte 52: expected at most 8 dimensions, found more"},
      {"negative offset", One("U8", "[1]", "[-1,0]", 0), "f: byte 55: expected an integer of at least 0, found '-'"},
      {"reversed offsets", One("U8", "[1]", "[1,0]", 1),
       "f: byte 54: expected data_offsets that rise to at most 1, found [1,0]"},
      {"offset past the end", One("U8", "[2]", "[0,2]", 1),
       "f: byte 54: expected data_offsets that rise to at most 1, found [0,2]"},
      {"one offset", One("U8", "[1]", "[0]", 1), "f: byte 54: expected two data_offsets, found 1"},
      {"three offsets", One("U8", "[1]", "[0,1,2]", 1), "f: byte 54: expected two data_offsets, found 3"},
      {"overlap", Two("[0,4]", "[3,7]", 7), "f: byte 61: expected \"b\" to begin at offset 4, found 3 (an overlap)"},
      {"hole", Two("[0,4]", "[5,9]", 9), "f: byte 61: expected \"b\" to begin at offset 4, found 5 (a hole)"},
      {"hole at the start", One("U8", "[1]", "[1,2]", 2),
       "f: byte 9: expected \"a\" to begin at offset 0, found 1 (a hole)"},
      {"data after the last tensor", One("U8", "[1]", "[0,1]", 3),
       "f: byte 62: expected the end of the file, found 2 bytes more"},
      {"too many tensors of size 0", File(many, 0), "f: byte 906403: expected at most 16384 tensors, found more"},
      {"tensor named __metadata__", File("{\"__metadata__\":" + nothing + "}", 0),
       "f: byte 46: expected a string, found '['"},
      {"metadata twice", File(R"({"__metadata__":{},"__metadata__":{}})", 0),
       "f: byte 27: expected one \"__metadata__\", found a second one"},
      {"metadata key twice", File(R"({"__metadata__":{"k":"1","k":"2"}})", 0),
       "f: byte 9: expected different metadata keys, found \"k\" twice"},
      {"metadata number", File(R"({"__metadata__":{"k":1}})", 0), "f: byte 29: expected a string, found '1'"},
      {"name with a terminal escape", File("{\"a\\u001b[2J\":" + nothing + ",\"a\\u001b[2J\":" + nothing + "}", 0),
       "f: byte 70: expected one tensor \"a?[2J\", found a second one"},
  };
  for (const Hostile& c : cases) EXPECT_EQ(Error(c.file), c.error) << c.what;
}

// What costs most memory a byte of the file.
TEST(SafetensorsTest, CrowdedHeadersStayWithinTheirMemory) {
  std::string tensors = "{", metadata = R"({"__metadata__":{)", shape = R"({"a":{"shape":[)";
  for (int i = 0; i < 300000; ++i) {
    absl::StrAppend(&tensors, i > 0 ? "," : "", "\"", i, R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})");
    absl::StrAppend(&metadata, i > 0 ? "," : "", "\"", i, "\":\"\"");
    shape += "0,";
  }
  for (const std::string& json :
       {tensors + "}", metadata + "}}", shape + "0]}}", "{\"" + std::string(1 << 20, 'x') + "\":1}"}) {
    const ReadOutcome outcome = ReadOnce(File(json, 0), [](absl::string_view content, absl::string_view name) {
      return ReadSafetensors(content, name).status();
    });
    EXPECT_TRUE(outcome.refused);
    EXPECT_EQ(outcome.broken, "");
  }
}

}  // namespace
}  // namespace earshot
