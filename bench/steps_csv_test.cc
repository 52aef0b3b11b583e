#include "bench/steps_csv.h"

#include <gtest/gtest.h>

#include "base/textproto.h"

namespace earshot {
namespace {

BenchReport Report(const char* text) {
  BenchReport report;
  EXPECT_TRUE(ParseTextproto(text, "report", &report).ok());
  return report;
}

TEST(StepsCsvTest, OneRowAStep) {
  const BenchReport report = Report(
      R"(machine { commit: "abc" } config { name: "lstm_ctc" }
         rows { implementation: "simd" at: 0.5
                blocks { block: 3 step_seconds: 0.25 step_seconds: 0.125 warm_up: 1 losses: 2.5 } }
         rows { config: "other" implementation: "torch:lstm" peer { version: "torch 2" }
                blocks { step_seconds: 1 } blocks { block: 1 step_seconds: 2 losses: 7 } })");
  EXPECT_EQ(StepsCsv(report),
            "lstm_ctc,0.5,simd,,3,0,1,0.25,2.5,abc\r\n"
            "lstm_ctc,0.5,simd,,3,1,0,0.125,,abc\r\n"
            "other,,torch:lstm,torch 2,0,0,0,1,,abc\r\n"
            "other,,torch:lstm,torch 2,1,0,0,2,7,abc\r\n");
}

TEST(StepsCsvTest, TheHeaderNamesTheColumns) {
  EXPECT_EQ(StepsCsvHeader(), "config,at,implementation,version,block,step,warm_up,seconds,loss,commit\r\n");
}

TEST(StepsCsvTest, QuotesAsRfc4180Says) {
  const BenchReport report = Report(
      R"(rows { config: "a,b" implementation: "say \"hi\"" peer { version: "two\nlines" } blocks { step_seconds: 1 } })");
  EXPECT_EQ(StepsCsv(report), "\"a,b\",,\"say \"\"hi\"\"\",\"two\nlines\",0,0,0,1,,\r\n");
}

}  // namespace
}  // namespace earshot
