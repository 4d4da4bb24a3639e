#pragma once
// Elements of arrays on the host, in C order, as plain vectors, and back.

#include <span>
#include <vector>

#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "src/array/convert.h"
#include "src/array/namespace.h"

namespace gpy::lib {

template <class T> constexpr rt::DType kDTypeOf = rt::DType::kFloat64;
template <> inline constexpr rt::DType kDTypeOf<uint8_t> = rt::DType::kUInt8;

template <class T> std::vector<T> elements(Interpreter& vm, const rt::Array& array) {
  const rt::Array dense =
      rt::astype(session(vm), array, kDTypeOf<T>, rt::Casting::kUnsafe, false, 'C');
  const rt::HostRead read(session(vm), dense);
  const auto* data = reinterpret_cast<const T*>(read.data());
  return {data, data + dense.size()};
}

template <class T>
Value array_of_elements(Interpreter& vm, std::span<const T> data, const rt::Dims& shape) {
  return wrap_array(vm,
                    rt::from_host(session(vm), kDTypeOf<T>, shape, data.data(), rt::Space::host()));
}

}  // namespace gpy::lib
