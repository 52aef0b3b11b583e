// Where Kaldi's scp files say that an object lies: "PATH", "PATH:OFFSET", either with a range "[ROWS]", "[ROWS,COLS]".
#ifndef EARSHOT_DATA_KALDI_LOCATION_H_
#define EARSHOT_DATA_KALDI_LOCATION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/kaldi_matrix.h"

namespace earshot {

// First and last, counted from 0, both inclusive. last -1: all.
struct KaldiInterval {
  int64_t first = 0;
  int64_t last = -1;
};

struct KaldiLocation {
  std::string path;
  int64_t offset = -1;  // of the object (behind its key and the space) in an archive; -1: a file of its own
  bool has_range = false;
  KaldiInterval rows, cols;
};

// "a.ark:17[0:9,2:5]". ROWS and COLS are "FIRST:LAST"; ":" or nothing means all. The range is what stands in the last
// brackets at the end, the offset what are digits behind the last colon. Commands ("... |", "| ...") and "-" are
// refused. Errors name the location.
absl::StatusOr<KaldiLocation> ParseKaldiLocation(absl::string_view location);

// The part of a matrix of rows x cols that the location wants. As in Kaldi, the last row may lie up to 3 rows behind
// the matrix's last (durations that were rounded) and is then that one. Of a vector (rows is 1) one range counts
// elements, with the same tolerance (a vector in text cannot be told from a matrix of one row, and is one). Anything
// else outside of the matrix is an error that names `text`, the location.
absl::StatusOr<KaldiCrop> CropFor(const KaldiLocation& location, absl::string_view text, int64_t rows, int64_t cols,
                                  bool is_vector);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_LOCATION_H_
