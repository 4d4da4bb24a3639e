#include "runtime/typed/element_text.h"

#include <fmt/format.h>

#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

// Kernels' own texts and the support of operations each have a float16 and a complex of their own.
bool differs(DType dtype) { return is_narrow_float(dtype) || is_complex(dtype); }

std::string inner_type(const Type& type) {
  if (is_complex(type.dtype) && !type.is_array()) {
    return fmt::format("{}::Complex<{}>", kNamespace,
                       type.dtype == DType::kComplex64 ? "float" : "double");
  }
  return fmt::format("{}::{}", kNamespace, cpp_type(type));
}

std::string input_text(const Type& type, const std::string& name) {
  if (type.is_array()) {
    const std::string element = cpp_type(Type::number(type.dtype));
    return fmt::format("{0}::raw_array<{0}::{1}>((void*){2}.data, {2}.count)", kNamespace,
                       type.dtype == DType::kBool ? "u8" : element, name);
  }
  if (is_narrow_float(type.dtype))
    return fmt::format("{}::from_bits({}.bits)", inner_type(type), name);
  if (is_complex(type.dtype)) return fmt::format("{0}({1}.re, {1}.im)", inner_type(type), name);
  return name;
}

class BodyWriter {
 public:
  BodyWriter(const Program& program, const ElementwiseText& kernel)
      : program_(program), entry_(*program.functions[0]), kernel_(kernel) {}

  ElementwiseBody write() {
    for (const KernelParameter& each : kernel_.inputs) add_input(each.in_text());
    add("i");
    add("n");
    variable_ += 2;
    for (const KernelParameter& each : kernel_.outputs) {
      if (each.raw) add_input(each.in_text());
    }
    for (const KernelParameter& each : kernel_.outputs) {
      if (!each.raw) add_output(each.in_text());
    }
    add_dtypes();
    body_.statements =
        fmt::format("{}{}::{}({});\n{}", before_, kNamespace, entry_.symbol, arguments_, after_);
    body_.functions = program_text(program_, body_.statements);
    auto names = std::make_shared<ArrayNames>();
    for (const KernelParameter& each : kernel_.inputs) names->push_back(each.name);
    for (const KernelParameter& each : kernel_.outputs) names->push_back(each.name);
    body_.checked_functions = program_text(program_, body_.statements, false, names.get());
    body_.names = std::move(names);
    return std::move(body_);
  }

 private:
  const Type& next_type() { return entry_.variables[variable_++].type; }
  void add(std::string_view argument) {
    arguments_ += fmt::format("{}{}", arguments_.empty() ? "" : ", ", argument);
  }

  void add_input(const std::string& name) { add(input_text(next_type(), name)); }

  void add_output(const std::string& name) {
    const Type& type = next_type();
    if (!differs(type.dtype)) return add(name);
    before_ += fmt::format("{} _out_{};\n", inner_type(type), name);
    after_ += is_narrow_float(type.dtype)
                  ? fmt::format("{0}.bits = _out_{0}.bits;\n", name)
                  : fmt::format("{0}.re = _out_{0}.re;\n{0}.im = _out_{0}.im;\n", name);
    add("_out_" + name);
  }

  // In the kernel's order, where raw outputs may stand between the others.
  void add_dtypes() {
    size_t raw = kernel_.inputs.size() + 2;
    auto plain = static_cast<size_t>(entry_.parameters);
    for (const KernelParameter& each : kernel_.outputs)
      body_.outputs.push_back(entry_.variables[each.raw ? raw++ : plain++].type.dtype);
  }

  const Program& program_;
  const Function& entry_;
  const ElementwiseText& kernel_;
  size_t variable_ = 0;
  std::string arguments_, before_, after_;
  ElementwiseBody body_;
};

}  // namespace

ElementwiseBody element_body(const Program& program, const ElementwiseText& kernel) {
  return BodyWriter(program, kernel).write();
}

}  // namespace gpy::rt::typed
