// What every softmax here begins with: the exponentials of a row of logits, in double and in vector code.
#ifndef EARSHOT_LOSSES_EXPS_H_
#define EARSHOT_LOSSES_EXPS_H_

namespace earshot {

// n doubles filled up to whole vectors of every instruction set.
constexpr int WholeVectors(int n) { return (n + 7) / 8 * 8; }

// exps [WholeVectors(n)] = exp(x - max x), zeros behind n. Leaves out the element `left_out` (-1: none): its place is
// 0, and the sum, which is returned, is that of the others. NaN when an x, left out or not, is not finite. Results
// below 1e-307 are 0. exps_test.cc states the error.
double ComputeExps(const float* x, int n, int left_out, double* exps, double* largest);
double ComputeExps(const double* x, int n, int left_out, double* exps, double* largest);

// out [n] = factor * exps.
void ScaleExps(const double* exps, int n, double factor, float* out);
void ScaleExps(const double* exps, int n, double factor, double* out);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_EXPS_H_
