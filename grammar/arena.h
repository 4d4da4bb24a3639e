#pragma once

// Bump allocation for a tree: nodes are trivially destructible and go all at once, so that no
// destructor recurses, however deep the tree.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpy::syntax {

class Arena {
 public:
  template <class T> T* make(const T& value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }

  // The elements are uninitialised.
  template <class T> T* make_array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
  }

  template <class T> std::span<T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    if (items.empty()) return {};
    auto* out = static_cast<T*>(allocate(items.size_bytes(), alignof(T)));
    std::memcpy(static_cast<void*>(out), items.data(), items.size_bytes());
    return {out, items.size()};
  }

  std::string_view copy(std::string_view text) {
    auto kept = copy(std::span<const char>(text.data(), text.size()));
    return {kept.data(), kept.size()};
  }

 private:
  static constexpr size_t kFirstBlock = 4 << 10;
  static constexpr size_t kLargestBlock = 1 << 20;

  void* allocate(size_t size, size_t alignment) {
    size_t start = (used_ + alignment - 1) & ~(alignment - 1);
    if (start + size > capacity_) {
      add_block(size);
      start = 0;
    }
    used_ = start + size;
    return block_ + start;
  }

  void add_block(size_t at_least) {
    next_ = std::min(next_ * 2, kLargestBlock);
    capacity_ = std::max(next_, at_least);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity_));
    block_ = blocks_.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* block_ = nullptr;
  size_t used_ = 0;
  size_t capacity_ = 0;
  size_t next_ = kFirstBlock / 2;
};

}  // namespace gpy::syntax
