#include "src/array/told_addresses.h"

#include "runtime/graph/storage.h"

namespace gpy {

void ToldAddresses::tell(const rt::Array& array, uintptr_t first) {
  forget_dead();
  const auto size = static_cast<int64_t>(array.storage().bytes());
  rt::Layout whole{rt::DType::kUInt8, {size}, {1}, 0};
  by_first_.insert_or_assign(first,
                             rt::Array(array.storage_ref(), std::move(whole), rt::Space::host()));
}

std::optional<ToldAddresses::Found> ToldAddresses::find(uintptr_t address) {
  forget_dead();
  const auto behind = by_first_.upper_bound(address);
  if (behind == by_first_.begin()) return std::nullopt;
  const auto& [first, bytes] = *std::prev(behind);
  const auto offset = static_cast<int64_t>(address - first);
  if (offset >= bytes.size()) return std::nullopt;
  return Found{bytes, offset};
}

bool ToldAddresses::forget_dead() {
  return std::erase_if(by_first_, [](const auto& each) {
           return each.second.storage_ref()->use_count() == 1;
         }) > 0;
}

}  // namespace gpy
