// Weights in the order in which the products of kernels.h read them. L lanes; absent units and columns become 0.
#ifndef EARSHOT_LSTM_SIMD_PACK_H_
#define EARSHOT_LSTM_SIMD_PACK_H_

#include <cstdint>

#include "base/thread_pool.h"

namespace earshot {

// w [4H, K] transposed: panels [H / L, K, 4 gates, L].
void PackTransposed(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, float* packed);

// Columns [first, last) of the panel of unit block `block` alone: [last - first, 4 gates, L].
void PackTransposedPanel(const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t block, int64_t first,
                         int64_t last, float* packed);

// The rows of w [4H, K] of the unit blocks [first, last): panels [K / 4L, rows (block, gate, unit), 4L].
void PackRows(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t first, int64_t last,
              float* packed);

// Rows [first, last) of all those alone, of the panels [first_panel, last_panel): [panels, last - first, 4L].
void PackRowsPanels(const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t first, int64_t last,
                    int64_t first_panel, int64_t last_panel, float* packed);

// v [4H] as [H / L, 4 gates, L].
void PackVector(const float* v, int64_t hidden, int64_t lanes, float* packed);

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_PACK_H_
