// Answers to claims that are no mere ratio of two rows.
#ifndef EARSHOT_BENCH_HTML_CLAIM_LINES_H_
#define EARSHOT_BENCH_HTML_CLAIM_LINES_H_

#include "bench/html/claims.h"
#include "bench/html/records.h"

namespace earshot {

ClaimAnswer VariableLength(const Records& records);
ClaimAnswer Deviations(const Records& records);
ClaimAnswer RowsAConfiguration(const Records& records);
ClaimAnswer Copies(const Records& records);
ClaimAnswer LossAlone(const Records& records);
ClaimAnswer LossShare(const Records& records);
ClaimAnswer FastestRows(const Records& records);
ClaimAnswer LossAndLength(const Records& records);
ClaimAnswer ManySequences(const Records& records);
ClaimAnswer Dynamics(const Records& records);
ClaimAnswer CurvesComplete(const Records& records);
ClaimAnswer Libraries(const Records& records);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_CLAIM_LINES_H_
