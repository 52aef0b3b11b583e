// TensorView: a pointer and a shape, row-major and contiguous. Tensor: owns 64-byte aligned memory and only ever grows,
// so that a warm training step allocates nothing.
#ifndef EARSHOT_BASE_TENSOR_H_
#define EARSHOT_BASE_TENSOR_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "absl/types/span.h"
#include "base/check.h"
#include "base/tensor_memory.h"

namespace earshot {

template <typename T, int Rank>
class TensorView {
 public:
  using Shape = std::array<int64_t, Rank>;

  TensorView() = default;  // empty: every dimension 0
  TensorView(T* data, Shape shape) : data_(data), shape_(shape) {}
  // A view of mutable elements is also a view of constant ones.
  template <typename U, typename = std::enable_if_t<std::is_same<const U, T>::value>>
  TensorView(const TensorView<U, Rank>& other) : data_(other.data()), shape_(other.shape()) {}  // NOLINT: implicit

  T* data() const { return data_; }
  const Shape& shape() const { return shape_; }
  int64_t dim(int axis) const { return shape_[axis]; }
  int64_t size() const {
    int64_t product = 1;
    for (int64_t d : shape_) product *= d;
    return product;
  }
  bool empty() const { return size() == 0; }
  absl::Span<T> span() const { return absl::MakeSpan(data_, size()); }

  // Element access, not bounds-checked: inner loops use it.
  template <typename... Index>
  T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == Rank, "one index a dimension");
    const std::array<int64_t, Rank> at = {static_cast<int64_t>(index)...};
    int64_t offset = 0;
    for (int i = 0; i < Rank; ++i) offset = offset * shape_[i] + at[i];
    return data_[offset];
  }

  // The i-th slice along the first axis.
  TensorView<T, Rank - 1> slice(int64_t i) const {
    static_assert(Rank >= 2, "a vector has no slices");
    std::array<int64_t, Rank - 1> rest;
    std::copy(shape_.begin() + 1, shape_.end(), rest.begin());
    int64_t stride = 1;
    for (int64_t d : rest) stride *= d;
    return TensorView<T, Rank - 1>(data_ + i * stride, rest);
  }
  // Row i of a matrix.
  absl::Span<T> row(int64_t i) const {
    static_assert(Rank == 2, "rows belong to matrices");
    return absl::MakeSpan(data_ + i * shape_[1], shape_[1]);
  }

 private:
  T* data_ = nullptr;
  Shape shape_ = {};
};

template <typename T, int Rank>
class Tensor {
 public:
  using Shape = typename TensorView<T, Rank>::Shape;
  static_assert(std::is_trivially_copyable<T>::value, "elements are plain numbers");

  Tensor() = default;
  explicit Tensor(Shape shape) {
    Resize(shape);
    Fill(T());
  }

  // Changes the shape. Keeps the memory when it is large enough; the content is then unspecified.
  void Resize(Shape shape) {
    const int64_t needed = TensorView<T, Rank>(nullptr, shape).size();
    CHECK_GE(needed, 0);
    if (needed > capacity_ || data_ == nullptr) {  // null: new, or moved from
      const int64_t bytes = needed * static_cast<int64_t>(sizeof(T));
      data_.reset();  // before the new memory is taken: never both at a time
      data_ = std::unique_ptr<T, Free>(static_cast<T*>(AllocateTensor(bytes)), Free{bytes});
      capacity_ = needed;
    }
    shape_ = shape;
  }
  void Fill(T value) { std::fill_n(data_.get(), size(), value); }

  TensorView<T, Rank> view() { return {data_.get(), shape_}; }
  TensorView<const T, Rank> view() const { return {data_.get(), shape_}; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  int64_t dim(int axis) const { return shape_[axis]; }
  int64_t size() const { return view().size(); }
  bool empty() const { return size() == 0; }
  absl::Span<T> span() { return view().span(); }
  absl::Span<const T> span() const { return view().span(); }

 private:
  struct Free {
    int64_t bytes = 0;
    void operator()(T* p) const { FreeTensor(p, bytes); }
  };
  std::unique_ptr<T, Free> data_;
  int64_t capacity_ = 0;
  Shape shape_ = {};
};

}  // namespace earshot

#endif  // EARSHOT_BASE_TENSOR_H_
