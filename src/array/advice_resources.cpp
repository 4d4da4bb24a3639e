// Devices, memory, and matrices that linear algebra cannot do.
#include <algorithm>

#include "runtime/backend.h"
#include "runtime/core/layout.h"
#include "runtime/core/size_text.h"
#include "src/array/advice.h"
#include "src/array/convert.h"
#include "src/array/held_memory.h"

namespace gpy {

namespace ast = syntax;

// --- devices -------------------------------------------------------------------------------------

// The operands that are arrays, and the arrays in operands that are lists.
static std::vector<FailedOperand> array_operands(const Failure& failure) {
  std::vector<FailedOperand> found;
  auto add = [&](const FailedOperand& operand) {
    if (array_of(operand)) found.push_back(operand);
    for (const FailedOperand& part : parts_of(failure, operand)) {
      if (array_of(part)) found.push_back(part);
    }
  };
  if (failure.receiver.node) add(failure.receiver);
  for (const FailedOperand& each : failure.operands) add(each);
  return found;
}

static std::string place_text(const rt::Array& array) {
  if (array.space().is_host()) return "on the host";
  return fmt::format("on device {}", array.space().device);
}

static bool is_about_place(const Failure& failure) {
  for (const char* start : {"Unsupported type <class 'numpy.ndarray'>", "Implicit conversion",
                            "Array device must be same"}) {
    if (failure.message.starts_with(start)) return true;
  }
  return false;
}

static std::string copy_between_devices(const FailedOperand& operand, rt::Space to) {
  const bool has_name = ast::try_as<ast::Name>(operand.node) != nullptr;
  return fmt::format("`with cp.cuda.Device({}): {} = cp.array({})` copies {}", to.device,
                     has_name ? operand.text : "copy", operand.text,
                     rt::size_text(static_cast<double>(array_of(operand)->bytes())));
}

Advice advise_device(const Failure& failure) {
  if (!is_about_place(failure)) return {};
  const std::vector<FailedOperand> operands = array_operands(failure);
  if (operands.empty()) return {};
  const FailedOperand* first = &operands[0];
  const auto second =
      std::find_if(operands.begin(), operands.end(), [&](const FailedOperand& each) {
        return array_of(each)->space() != array_of(*first)->space();
      });
  if (second == operands.end()) {
    if (!array_of(*first)->space().is_device()) return {};
    return {"", fmt::format("`{}.get()` copies {} to the host", operand_text(*first),
                            rt::size_text(static_cast<double>(array_of(*first)->bytes())))};
  }
  const rt::Array &a = *array_of(*first), &b = *array_of(*second);
  if (a.space() == b.space() || a.space().is_auto() || b.space().is_auto()) return {};
  const std::string detail = fmt::format("`{}` is {}, `{}` is {}", first->text, place_text(a),
                                         second->text, place_text(b));
  if (a.space().is_device() && b.space().is_device()) {
    return {detail, copy_between_devices(*second, a.space())};
  }
  const FailedOperand& on_host = a.space().is_host() ? *first : *second;
  const FailedOperand& on_device = a.space().is_host() ? *second : *first;
  return {detail, fmt::format("`cp.asarray({})` brings it to the device, `{}.get()` to the host",
                              on_host.text, operand_text(on_device))};
}

// --- memory --------------------------------------------------------------------------------------

Advice advise_memory(const Failure& failure) {
  if (!is_raised_as(failure, failure.vm.types.memory_error)) return {};
  const bool on_device = is_raised_as(failure, arrays(failure.vm).out_of_memory_error);
  const std::string largest = largest_holders(failure.vm, on_device);
  Advice advice{failure.exception->detail, ""};
  if (largest.empty()) return advice;
  advice.detail += (advice.detail.empty() ? "the largest arrays: " : "; the largest arrays: ");
  advice.detail += largest;
  return advice;
}

// --- linear algebra ------------------------------------------------------------------------------

static bool has_function(Interpreter& vm, const char* name) {
  const Value module = vm.import_module("numpy.linalg");
  return vm.try_get_attribute(module, vm.intern(name)).is_defined();
}

// Another function of the namespace of the call: `np.linalg.NAME` for `np.linalg.solve`.
static std::string function_beside(const Failure& failure, const char* name) {
  const std::string function(failure.text(*ast::as<ast::Call>(*failure.node()).func));
  return function.substr(0, function.rfind('.') + 1) + name;
}

// Suggests a matrix that has a Cholesky factor, or a function that takes this one.
Advice advise_cholesky(const Failure& failure) {
  if (!is_raised_as(failure, arrays(failure.vm).linalg_error)) return {};
  if (!failure.message.ends_with("not positive definite")) return {};
  Advice advice{failure.exception->detail, ""};
  const rt::Array* matrix = failure.operands.empty() ? nullptr : array_of(failure.operands[0]);
  if (!matrix || failure.called() != "cholesky") return advice;
  const std::string name = operand_text(failure.operands[0]);
  if (advice.detail.find("not symmetric") == std::string::npos) {
    advice.hint = fmt::format("`{}({})` takes any matrix", function_beside(failure, "qr"),
                              failure.operands[0].text);
  } else {
    const bool is_complex = rt::is_complex(matrix->dtype());
    advice.hint =
        fmt::format("`({0} + {0}{1}{2}) / 2` is {3}", name, is_complex ? ".conj()" : "",
                    matrix->rank() == 2 ? ".T" : ".mT", is_complex ? "hermitian" : "symmetric");
  }
  return advice;
}

Advice advise_linalg(const Failure& failure) {
  if (!is_raised_as(failure, arrays(failure.vm).linalg_error)) return {};
  Advice advice{failure.exception->detail, ""};
  const rt::Array* matrix = failure.operands.empty() ? nullptr : array_of(failure.operands[0]);
  if (!matrix || matrix->rank() != 2) return advice;
  const bool is_square = matrix->shape()[0] == matrix->shape()[1];
  if (failure.called() == "solve" && failure.operands.size() == 2 &&
      has_function(failure.vm, "lstsq")) {
    advice.hint =
        fmt::format("`{}({}, {})` gives a least-squares answer", function_beside(failure, "lstsq"),
                    failure.operands[0].text, failure.operands[1].text);
  } else if (failure.called() == "inv" && has_function(failure.vm, "pinv")) {
    advice.hint = fmt::format("`{}({})` gives the pseudo-inverse", function_beside(failure, "pinv"),
                              failure.operands[0].text);
  }
  if (!is_square && advice.detail.empty()) {
    advice.detail =
        fmt::format("`{}` has shape {}", failure.operands[0].text, rt::shape_text(matrix->shape()));
  }
  return advice;
}

}  // namespace gpy
