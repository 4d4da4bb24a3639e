#include "runtime/cpp_text/names.h"

namespace gpy::rt {

std::string_view cpp_type_name(DType dtype) {
  static constexpr std::string_view kNames[kTypeCodes] = {
      "bool", "i8",   "u8",  "i16", "u16",          "i32",          "u32",   "i64",
      "u64",  "Half", "f32", "f64", "Complex<f32>", "Complex<f64>", "BFloat"};
  return kNames[dtype.index()];
}

std::string_view cpp_memory_type_name(DType dtype) {
  return cpp_type_name(dtype == DType::kBool ? DType::kUInt8 : dtype);
}

}  // namespace gpy::rt
