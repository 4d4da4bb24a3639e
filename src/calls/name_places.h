#pragma once
// Finds the positions of names in a row of them: one by one, or by a table where that would take
// many comparisons.

#include <string_view>
#include <unordered_map>

namespace gpy {

// `name_at(i)` is the i-th of `count` names, all different.
template <class NameAt> class NamePlaces {
 public:
  NamePlaces(size_t count, size_t lookups, NameAt name_at) : count_(count), name_at_(name_at) {
    constexpr size_t kFew = 1024;  // comparisons: less than a table costs
    if (count == 0 || lookups <= kFew / count) return;
    for (size_t i = 0; i < count; ++i) table_.emplace(name_at(i), i);
  }
  // The position of the name; `count` where it is not there.
  size_t of(std::string_view name) const {
    if (table_.empty()) return search(name);
    const auto found = table_.find(name);
    return found == table_.end() ? count_ : found->second;
  }

 private:
  size_t search(std::string_view name) const {
    size_t i = 0;
    while (i < count_ && name_at_(i) != name) ++i;
    return i;
  }

  const size_t count_;
  const NameAt name_at_;
  std::unordered_map<std::string_view, size_t> table_;
};

}  // namespace gpy
