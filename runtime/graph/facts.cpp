#include "runtime/graph/facts.h"

#include <atomic>

#include "runtime/graph/recording.h"

namespace gpy::rt {

// What a graph reads may be another content at each launch.
static bool may_know(const Array& array) {
  return !array.storage().lent() && !is_recorded(array) &&
         covers(array.layout(), static_cast<int64_t>(array.value()->bytes()));
}

Facts::Facts(const Array& array)
    : value_(may_know(array) ? array.value().get() : nullptr), dtype_(array.dtype()) {}

std::optional<std::pair<int64_t, int64_t>> Facts::range() const {
  return value_ && value_->fact_dtype_ == dtype_ ? value_->range_ : std::nullopt;
}

void Facts::remember_range(std::pair<int64_t, int64_t> range) {
  if (!value_) return;
  know_as_dtype();
  value_->range_ = range;
}

bool Facts::distinct() const {
  return value_ && value_->fact_dtype_ == dtype_ && value_->distinct_;
}

void Facts::remember_distinct() {
  if (!value_) return;
  know_as_dtype();
  value_->distinct_ = true;
}

bool Facts::rising() const { return value_ && value_->fact_dtype_ == dtype_ && value_->rising_; }

void Facts::remember_rising() {
  if (!value_) return;
  know_as_dtype();
  value_->rising_ = true;
}

uint64_t Facts::content() {
  static std::atomic<uint64_t> last = 0;
  if (!value_) return 0;
  if (value_->content_ == 0) value_->content_ = ++last;
  return value_->content_;
}

void Facts::know_as_dtype() {
  if (value_->fact_dtype_ == dtype_) return;
  value_->forget_integers();
  value_->fact_dtype_ = dtype_;
}

}  // namespace gpy::rt
