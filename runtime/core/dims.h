#pragma once

// A short vector of extents or strides. Up to four live inside the object. It never holds more than
// kMaxRank, NumPy's limit, so no array has more axes, however it is made.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

namespace gpy::rt {

inline constexpr int kMaxRank = 64;

// Throws kValue: "maximum supported dimension for an ndarray is currently 64, found ...".
[[noreturn]] void fail_rank(int64_t rank);

class Dims {
 public:
  Dims() : inline_{} {}
  Dims(std::initializer_list<int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  explicit Dims(std::span<const int64_t> values) : inline_{} { assign(values); }
  Dims(int64_t count, int64_t value) : inline_{} { resize(count, value); }
  Dims(const Dims& other) { copy(other); }
  Dims(Dims&& other) noexcept : size_(other.size_), heap_(std::move(other.heap_)) {
    std::memcpy(inline_, other.inline_, sizeof(inline_));
    other.size_ = 0;
  }
  Dims& operator=(const Dims& other) {
    if (this != &other) copy(other);
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    std::memcpy(inline_, other.inline_, sizeof(inline_));
    other.size_ = 0;
    return *this;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return heap_ ? heap_.get() : inline_; }
  const int64_t* data() const { return heap_ ? heap_.get() : inline_; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  int64_t& operator[](int64_t i) { return data()[i]; }
  int64_t operator[](int64_t i) const { return data()[i]; }
  int64_t& back() { return data()[size_ - 1]; }
  int64_t back() const { return data()[size_ - 1]; }
  std::span<const int64_t> span() const { return {data(), static_cast<size_t>(size_)}; }
  operator std::span<const int64_t>() const { return span(); }

  void clear() { size_ = 0; }
  void resize(int64_t count, int64_t fill = 0) {
    reserve(count);
    if (count > size_) std::fill(end(), data() + count, fill);
    size_ = static_cast<int>(count);
  }
  void push_back(int64_t value) {
    resize(size_ + 1);
    back() = value;
  }
  void insert(int64_t at, int64_t value) {
    resize(size_ + 1);
    std::copy_backward(begin() + at, end() - 1, end());
    (*this)[at] = value;
  }
  void erase(int64_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }

  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.size_ != b.size_) return false;
    const int64_t *x = a.data(), *y = b.data();
    for (int i = 0; i < a.size_; ++i) {
      if (x[i] != y[i]) return false;
    }
    return true;
  }

 private:
  static constexpr int kInline = 4;

  void reserve(int64_t count) {
    if (count > kInline && !(heap_ && count <= kMaxRank)) grow(count);
  }
  void grow(int64_t count);
  void assign(std::span<const int64_t> values);
  // Most arrays have few axes.
  [[gnu::always_inline]] void copy(const Dims& other) {
    if (heap_ || other.heap_) [[unlikely]]
      return assign(other);
    size_ = other.size_;
    std::memcpy(inline_, other.inline_, sizeof(inline_));
  }

  int size_ = 0;
  int64_t inline_[kInline];
  std::unique_ptr<int64_t[]> heap_;
};

}  // namespace gpy::rt
