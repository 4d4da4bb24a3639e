#include "runtime/graph/facts.h"

namespace gpy::rt {

static bool may_know(const Array& array) {
  return !array.storage().lent() &&
         covers(array.layout(), static_cast<int64_t>(array.value()->bytes()));
}

Facts::Facts(const Array& array)
    : value_(may_know(array) ? array.value().get() : nullptr), dtype_(array.dtype()) {}

std::optional<std::pair<int64_t, int64_t>> Facts::range() const {
  return value_ && value_->range_dtype_ == dtype_ ? value_->range_ : std::nullopt;
}

void Facts::remember_range(std::pair<int64_t, int64_t> range) {
  if (!value_) return;
  value_->range_dtype_ = dtype_;
  value_->range_ = range;
}

}  // namespace gpy::rt
