// The answers to the claims and the coverage table, from the reports in bench/testdata (make_reports.py).
#include "bench/html/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/html/coverage.h"
#include "bench/html/testing/test_records.h"

namespace earshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ClaimsTest, EveryClaimHasAnAnswerOrSaysWhatItNeeds) {
  const absl::StatusOr<Published> published = ReadPublished();
  const Records none = Read({}), all = Read(AllNames());
  int claims = 0;
  for (const CoverageRow& row : published->coverage.row()) {
    if (row.group() != CoverageRow::CLAIM) continue;
    ++claims;
    ASSERT_TRUE(KnowsClaim(row.id())) << row.id();
    const ClaimAnswer unknown = AnswerClaim(row.id(), none), known = AnswerClaim(row.id(), all);
    EXPECT_EQ(unknown.text, "") << row.id();
    EXPECT_NE(unknown.needs, "") << row.id();
    EXPECT_EQ(known.text.empty(), !known.needs.empty()) << row.id();
  }
  EXPECT_EQ(claims, 22);
}

TEST(ClaimsTest, AnswersAreComputedFromTheRows) {
  const Records records = Read(AllNames());
  const auto text = [&](const char* id) { return AnswerClaim(id, records).text; };
  const auto seconds = [&](const char* config, const char* row) { return records.Row(config, row)->median_seconds(); };
  // 5.9 to 6.5: tf:while over simd of the later record.
  EXPECT_EQ(text("B-O1"), absl::StrFormat("slowest flexible over fastest: B-C2 %.1f× (tf:while over simd)",
                                          seconds("B-C2", "tf:while") / seconds("B-C2", "simd")));
  EXPECT_EQ(text("B-O6"), absl::StrFormat("tf:keras over tf:while: B-C2 %.2f×",
                                          seconds("B-C2", "tf:keras") / seconds("B-C2", "tf:while")));
  EXPECT_THAT(text("B-O4"), testing::StartsWith("B-C2, torch:basic: torch 1.13.1 over torch 2.15.0 1.4"));
  EXPECT_EQ(text("B-O5"), "");  // pytensor:scan is of another function there
  EXPECT_EQ(AnswerClaim("B-O5", records).needs, "tf:keras and pytensor:scan on one of B-C1 to B-C4");
  EXPECT_THAT(text("B-O12"), AllOf(HasSubstr("ctc_loss by ctc 12."), HasSubstr("torch:ctc 4")));
  EXPECT_THAT(text("R-O1"), AllOf(HasSubstr("simd 6.0× from 1 to 128"), HasSubstr("torch:lstm 10")));
  EXPECT_THAT(text("R-O3"), HasSubstr("simd 5 of 5"));
  EXPECT_EQ(AnswerClaim("R-O1", records).figure, "lstm_batch_sweep_frame");
}

TEST(CoverageTest, SaysWhatTheRecordsShow) {
  const absl::StatusOr<Published> published = ReadPublished();
  const Records records = Read(AllNames());
  const auto evidence = [&](const std::string& id) {
    for (const CoverageRow& row : published->coverage.row()) {
      if (row.id() == id) return EvidenceText(row, records);
    }
    return std::string("no such row");
  };
  EXPECT_EQ(evidence("B-C1"), "not in these records: B-C1");
  EXPECT_EQ(evidence("B-C2"), "B-C2: 18 rows timed");
  EXPECT_THAT(evidence("B-L1"), testing::StartsWith("torch:basic on B-C2 9"));
  EXPECT_EQ(evidence("R-F1"), "training curves");
  EXPECT_THAT(evidence("B-F6"), HasSubstr(" on B-C2"));
  EXPECT_EQ(evidence("B-V2"), "");
}

TEST(CoverageTest, TheTableHasEveryRow) {
  const absl::StatusOr<Published> published = ReadPublished();
  const std::string html = Render(Read({"ce_long"})).html;
  for (const CoverageRow& row : published->coverage.row()) {
    EXPECT_THAT(html, HasSubstr(absl::StrCat("scope=\"row\">", row.id(), "</th>"))) << row.id();
  }
}

}  // namespace
}  // namespace earshot
