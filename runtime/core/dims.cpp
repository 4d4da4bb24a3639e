#include "runtime/core/dims.h"

#include "runtime/core/error.h"

namespace gpy::rt {

void fail_rank(int64_t rank) {
  fail(ErrorKind::kValue, "maximum supported dimension for an ndarray is currently {}, found {}",
       kMaxRank, rank);
}

void Dims::grow(int64_t count) {
  if (count > kMaxRank) fail_rank(count);
  auto heap = std::make_unique<int64_t[]>(kMaxRank);
  std::copy(begin(), end(), heap.get());
  heap_ = std::move(heap);
}

void Dims::assign(std::span<const int64_t> values) {
  size_ = 0;
  resize(static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), begin());
}

}  // namespace gpy::rt
