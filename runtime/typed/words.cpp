#include "runtime/typed/words.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

size_t word_count(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return 0;
    case Type::Kind::kNumber: return 2;
    case Type::Kind::kArray: return 2 + 2 * static_cast<size_t>(type.rank);
    case Type::Kind::kList:
    case Type::Kind::kMap: return 3;
    case Type::Kind::kInstance: return 1;
    case Type::Kind::kTuple: break;
  }
  size_t count = 0;
  for (const Type& item : type.items) count += word_count(item);
  return count;
}

std::string argument_text(const Function& function, std::string_view words) {
  std::string text;
  size_t at = 0;
  for (int i = 0; i < function.parameters; ++i) {
    const Type& type = function.variables[static_cast<size_t>(i)].type;
    text += fmt::format("{}Words<{}>::get({} + {})", i ? ", " : "", cpp_type(type), words, at);
    at += word_count(type);
  }
  return text;
}

void ArgumentWords::add(const Type& type, const Data& data, std::string_view name) {
  switch (type.kind) {
    case Type::Kind::kNone: return;
    case Type::Kind::kNumber: return add_number(type.dtype, data.number);
    case Type::Kind::kArray: return add_array(type, data.array, name);
    case Type::Kind::kList:
    case Type::Kind::kMap: words_.insert(words_.end(), 2, 0); [[fallthrough]];
    case Type::Kind::kInstance: return words_.push_back(data.identity ? record_of(type, data) : 0);
    case Type::Kind::kTuple: break;
  }
  for (size_t i = 0; i < type.items.size(); ++i) add(type.items[i], data.items[i], name);
}

void ArgumentWords::add_number(DType dtype, const Scalar& number) {
  uint64_t both[2] = {};
  number.store(dtype, both);
  words_.insert(words_.end(), both, both + 2);
}

void ArgumentWords::add_array(const Type& type, const Array& array, std::string_view name) {
  const bool write = writes_ && !type.constant;
  memory_.emplace_back(session_, array, place_,
                       write ? LentMemory::Use::kWrite : LentMemory::Use::kRead);
  const auto* address = static_cast<const std::byte*>(memory_.back().address());
  lent_.push_back({&array, address, name});
  words_.push_back(reinterpret_cast<uint64_t>(address));
  words_.push_back(0);
  for (const int64_t extent : array.shape()) words_.push_back(static_cast<uint64_t>(extent));
  for (const int64_t stride : array.strides()) words_.push_back(static_cast<uint64_t>(stride));
}

template <class F> void ArgumentWords::add_into(std::vector<uint64_t>& words, F&& add) {
  std::swap(words_, words);
  add();
  std::swap(words_, words);
}

uint64_t ArgumentWords::record_of(const Type& type, const Data& data) {
  if (const auto known = records_.find(data.identity); known != records_.end())
    return known->second;
  Given& record = *given_.emplace_back(std::make_unique<Given>());
  record.type = type;
  record.identity = data.identity;
  record.words.resize(kRecordHead);
  std::vector<uint64_t>& content = type.is_instance() ? record.words : record.items;
  add_into(content, [&] {
    for (size_t i = 0; i < data.items.size(); ++i) add(type.item(i), data.items[i]);
  });
  if (!type.is_instance()) {
    record.words.push_back(reinterpret_cast<uint64_t>(record.items.data()));
    record.words.push_back(data.items.size() / (type.is_map() ? 2 : 1));
  }
  const auto address = reinterpret_cast<uint64_t>(record.words.data());
  records_.emplace(data.identity, address);
  given_at_.emplace(address, &record);
  return address;
}

const ArgumentWords::Given* ArgumentWords::given_at(uint64_t address) const {
  const auto found = given_at_.find(address);
  return found == given_at_.end() ? nullptr : found->second;
}

const Array* ArgumentWords::array_at(const std::byte* address, int64_t& offset) const {
  for (const Lent& each : lent_) {
    const int64_t at = address - each.address + each.array->offset();
    const auto [low, high] = byte_range(each.array->layout());
    if (at < low || at > high) continue;
    offset = at;
    return each.array;
  }
  return nullptr;
}

}  // namespace gpy::rt::typed
