#include "bench/html/escape.h"

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(EscapeTest, MarkupStaysText) {
  EXPECT_EQ(Escape("</text><script>alert(\"1\")</script>&'"),
            "&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
}

TEST(EscapeTest, WhatXmlHasNoPlaceForIsReplaced) {
  EXPECT_EQ(Escape(absl::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(Escape("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(Escape("\xff\xc3\x28"), "\xEF\xBF\xBD\xEF\xBF\xBD(");
  EXPECT_EQ(Escape("\xE2\x80\xAE"), "\xEF\xBF\xBD");  // U+202E turns text around
  EXPECT_EQ(Escape("\xEF\xBF\xBF"), "\xEF\xBF\xBD");  // U+FFFF
}

TEST(EscapeTest, OrdinaryTextStays) { EXPECT_EQ(Escape("Zürich: 1.0× \n\tµs"), "Zürich: 1.0× \n\tµs"); }

TEST(SlugTest, LettersDigitsAndUnderscores) {
  EXPECT_EQ(Slug("torch:lstm 2"), "torch_lstm_2");
  EXPECT_EQ(Slug("../../etc"), "______etc");
  EXPECT_EQ(Slug(""), "_");
}

}  // namespace
}  // namespace earshot
