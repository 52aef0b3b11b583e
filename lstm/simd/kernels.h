// The arithmetic of the simd implementation, compiled once an instruction set: a table of functions that a level takes
// at its creation, so that nothing is dispatched inside a step.
//
// Hidden units are worked on in blocks of L, the lanes of a vector; H is filled up with zeros to whole blocks. A gate
// matrix has a row a frame, [rows, 4 Hp], Hp = H rounded up to L, with the gates interleaved: block u holds i, f, g, o
// of its L units, 4 L columns. The same 4 L columns are one panel of a packed right-hand side of a product: [panels, K,
// 4 L].
//
// Every sum has one fixed order (that of its terms), whatever the tile that computes it: the same bits for any cut of
// rows and columns among threads.
#ifndef EARSHOT_LSTM_SIMD_KERNELS_H_
#define EARSHOT_LSTM_SIMD_KERNELS_H_

#include <cstdint>

namespace earshot {

// c [rows, columns] = start + a [rows, k] b [k, columns]
struct RowProduct {
  enum class Start { kZero, kBias, kAdd };  // 0; a row `bias` [panels * 4 L]; what c holds
  int64_t rows = 0, k = 0;
  const float* a = nullptr;
  int64_t a_stride = 0;
  const int32_t* a_rows = nullptr;          // [rows] which row of a is meant; null: 0, 1, ...
  const float* b = nullptr;                 // packed
  int64_t first_panel = 0, last_panel = 0;  // of b and c that are computed: [first, last)
  bool backwards = false;  // the last panel first: products that take turns find what the one before left in the cache
  float* c = nullptr;
  int64_t c_stride = 0;
  const int32_t* c_rows = nullptr;
  int64_t columns = 0;  // of c: what a panel has beyond them is not stored
  Start start = Start::kZero;
  const float* bias = nullptr;
};

// One step of `rows` utterances, units of the blocks [first, last). Rows of padded arrays are Hp wide.
struct GateRows {
  int64_t rows = 0, hidden = 0;  // H
  int64_t first_block = 0, last_block = 0;
  float* gates = nullptr;            // [rows, 4 Hp]
  const float* c_prev = nullptr;     // [rows, Hp]
  const float* peepholes = nullptr;  // w_ci, w_cf, w_co [3, Hp], or null
  const float* mask = nullptr;       // [rows, Hp] recurrent mask, or null
  const int32_t* frames = nullptr;   // [rows] row of y and dy that belongs to the row
  int64_t frame_stride = 0;          // of y and dy
};

struct ForwardGates : GateRows {
  float* c = nullptr;  // [rows, Hp] out
  float* y = nullptr;  // out: h; not padded
  // Where there is a mask:
  int64_t next_rows = 0;    // that go on to the next step
  float* h_next = nullptr;  // [next_rows, Hp] out: mask * h
};

struct BackwardGates : GateRows {  // gates: in, the activations; out, the gradients at the pre-activations
  const float* c = nullptr;        // [rows, Hp]
  const float* dy = nullptr;
  int64_t first_dy = 0;     // rows before this one have no gradient from above: their dy is 0
  int64_t next_rows = 0;    // the first rows have a gradient from the next step:
  const float* dh[2] = {};  // [next_rows, .] by mask * h, the halves of its sum
  int64_t dh_stride = 0;
  float* dc = nullptr;  // [rows, Hp] in: by c from the next step; out: by c_prev
  // What the step before this one will read (gates, c_prev, and dy by its frames; it has these rows and perhaps more)
  // is fetched into the cache meanwhile; null: nothing.
  const float* gates_ahead = nullptr;
  const float* c_ahead = nullptr;
  const int32_t* frames_ahead = nullptr;
};

// Adds the gradients of the rows of some gates: vector v of a gate row is gate v % 4 of block v / 4.
struct WeightGradients {
  int64_t rows = 0, hidden = 0, input = 0;
  const float* dgates = nullptr;  // [rows, 4 Hp]
  int64_t first_vector = 0, last_vector = 0;
  const float* x = nullptr;  // [., I]
  int64_t x_stride = 0;
  const int32_t* x_rows = nullptr;  // [rows] row of x that belongs to the row; null: 0, 1, ...
  // The input of the recurrent product: of the first rows h_own [own_rows, Hp], of row r after them row h_rows[r] of h.
  const float* h_own = nullptr;
  int64_t own_rows = 0;
  const float* h = nullptr;
  int64_t h_stride = 0;
  const int32_t* h_rows = nullptr;
  float *dw_ih = nullptr, *dw_hh = nullptr, *dbias = nullptr;  // [4H, I], [4H, H], [4H], added to
  float* scratch = nullptr;  // aligned, weight_gradients_scratch() floats, of one thread
};

// Adds the gradients of peephole weights of the blocks [first, last) over one step.
struct PeepholeGradients {
  int64_t rows = 0, hidden = 0;
  int64_t first_block = 0, last_block = 0;
  const float *dgates = nullptr, *c_prev = nullptr, *c = nullptr;  // [rows, 4 Hp], [rows, Hp], [rows, Hp]
  float* sums = nullptr;                                           // [3, Hp], added to
};

struct Kernels {
  const char* instruction_set;  // as Highway names it
  int64_t lanes;                // L
  void (*product)(const RowProduct&);
  void (*gates)(const ForwardGates&);
  void (*gate_gradients)(const BackwardGates&);
  void (*weight_gradients)(const WeightGradients&);
  int64_t (*weight_gradients_scratch)(int64_t vectors, int64_t input, int64_t hidden);
  void (*peephole_gradients)(const PeepholeGradients&);
};

// Of the best instruction set of this machine.
const Kernels& BestKernels();

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_KERNELS_H_
