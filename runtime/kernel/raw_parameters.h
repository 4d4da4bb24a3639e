#pragma once

// The parameters of raw kernels, as their C declarations say.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/dtype.h"

namespace gpy::rt {

struct RawParameter {
  std::string type;  // without const and *: "float", "unsigned int"
  std::string name;
  std::optional<DType> dtype;  // of the number or of what is pointed to, where it is known
  bool pointer = false;
  bool constant = false;
  // A value of one of CUDA's vector types, or of a struct that the source defines: its bytes are
  // passed as they are.
  bool is_struct = false;
  size_t struct_bytes = 0;  // 0: they are not known
};

// The dtype of a type of C or CUDA: "unsigned int", "float2". nullopt for others.
std::optional<DType> c_dtype(std::string_view type);

// The parameter list of a kernel: "const float* x, int n".
std::vector<RawParameter> parse_raw_parameters(std::string_view text);
// The same of a kernel that whole source text declares. `name` may be an instance of a template,
// as in "f<float>". nullopt if it is not there.
std::optional<std::vector<RawParameter>> find_raw_parameters(std::string_view source,
                                                             std::string_view name);

// The names of all kernels of a source, in its order.
std::vector<std::string> find_kernel_names(std::string_view source);
// Whether a name stands for something that the compiler must be asked for: "f<float>", "ns::f".
bool is_instance_name(std::string_view name);
// "ns::f<float>" -> "f"
std::string_view template_name(std::string_view name);

}  // namespace gpy::rt
