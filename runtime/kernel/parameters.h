#pragma once

// The parameters of user kernels, and the dtypes they take in a call.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/array.h"

namespace gpy::rt {

struct KernelParameter {
  KernelParameter() = default;
  KernelParameter(std::string type, std::string name, bool raw = false, std::string variable = {});

  // A placeholder ("T"), a NumPy name ("float32"), or empty: whatever the argument is.
  std::string type;
  std::string name;
  bool raw = false;  // indexable as a whole, takes no part in broadcasting
  // Its variable in the text, where that is not its name: of kernels whose text nobody wrote.
  std::string variable;
  std::optional<DType> named;  // what a type that is a NumPy name says

  const std::string& in_text() const { return variable.empty() ? name : variable; }
};

// CuPy's form: "T x, raw float32 y". Throws kValue for anything else, reserved names included.
std::vector<KernelParameter> parse_parameters(std::string_view text);

// Throws kValue for names that a kernel may not use: i, n and whatever begins with _.
void check_parameter_name(std::string_view name);
// Throws kValue for a word of C++, which no parameter of a kernel in C++ may have as its name.
void check_cpp_name(std::string_view name);

// One letter stands for a type that each call decides.
bool is_placeholder(std::string_view type);

// The dtypes of one call, for as long as its parameters are there.
class TypeBinding {
 public:
  // Arrays decide placeholders, and must be what a named type says; numbers follow. Throws kType
  // "NAME: x is float64, but T is float32 here".
  TypeBinding(std::string_view kernel, std::span<const KernelParameter> parameters,
              std::span<const Operand> arguments);
  // One parameter more; a number's dtype is not `strong`.
  void bind(const KernelParameter& parameter, DType dtype, bool strong = true);

  // Throws kType where no argument decides the type.
  DType dtype_of(const KernelParameter& parameter) const;
  std::optional<DType> try_dtype_of(const KernelParameter& parameter) const;
  // By their letters, in alphabetical order.
  using Types = std::vector<std::pair<std::string_view, DType>>;
  const Types& placeholders() const { return placeholders_; }

 private:
  std::string_view kernel_;
  Types placeholders_;
  Types untyped_;  // by the parameter's name
};

// "float32" -> "float", "int64" -> "long long", "complex64" -> "complex<float>".
std::string_view cuda_type(DType dtype);

}  // namespace gpy::rt
