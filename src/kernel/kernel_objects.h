#pragma once
// User kernels as values: the results of kernel statements, and CuPy's classes, which are the same
// objects.

#include <memory>
#include <optional>
#include <string>

#include "grammar/ast.h"
#include "runtime/kernel/elementwise_kernel.h"
#include "runtime/kernel/raw_kernel.h"
#include "runtime/kernel/reduction_kernel.h"
#include "runtime/kernel/scan_kernel.h"
#include "runtime/kernel/stencil_kernel.h"
#include "src/array/arrays.h"

namespace gpy {

struct ElementwiseObject : Object {
  static constexpr ObjectLayout kLayout = kElementwiseLayout;
  ElementwiseObject(Type* type, rt::ElementwiseText text)
      : Object(type), kernel(std::make_shared<rt::ElementwiseKernel>(std::move(text))) {}
  std::shared_ptr<rt::ElementwiseKernel> kernel;
  bool return_tuple = false, no_return = false;
  Value globals;  // a body in gpy finds its names there
  Value doc;      // of a body in gpy, or None
};

struct ReductionObject : Object {
  static constexpr ObjectLayout kLayout = kReductionLayout;
  ReductionObject(Type* type, rt::ReductionText text)
      : Object(type), kernel(std::make_shared<rt::ReductionKernel>(std::move(text))) {}
  std::shared_ptr<rt::ReductionKernel> kernel;
  bool reduce_dims = true;
};

struct ScanObject : Object {
  static constexpr ObjectLayout kLayout = kScanLayout;
  ScanObject(Type* type, rt::ScanText text)
      : Object(type), kernel(std::make_shared<rt::ScanKernel>(std::move(text))) {}
  std::shared_ptr<rt::ScanKernel> kernel;
};

struct StencilObject : Object {
  static constexpr ObjectLayout kLayout = kStencilLayout;
  StencilObject(Type* type, rt::StencilText text)
      : Object(type), kernel(std::make_shared<rt::StencilKernel>(std::move(text))) {}
  std::shared_ptr<rt::StencilKernel> kernel;
};

// What a raw kernel or module was made with, as CuPy's attributes tell it.
struct RawFacts {
  std::string code, path;  // empty: there is none
  std::vector<std::string> options;
  std::string backend = "nvrtc";
  std::optional<std::vector<std::string>> name_expressions;
  bool translate_cucomplex = false, cooperative = false, jitify = false;
  bool checked = false;  // a kernel block's: launches must fit the declaration
};

struct RawKernelObject : Object {
  static constexpr ObjectLayout kLayout = kRawKernelLayout;
  RawKernelObject(Type* type, std::shared_ptr<rt::RawModule> module,
                  std::shared_ptr<const RawFacts> facts, std::string name)
      : Object(type),
        kernel(std::make_shared<rt::RawKernel>(std::move(module), std::move(name), facts->checked)),
        facts(std::move(facts)) {}
  std::shared_ptr<rt::RawKernel> kernel;
  std::shared_ptr<const RawFacts> facts;
};

struct RawModuleObject : Object {
  static constexpr ObjectLayout kLayout = kRawModuleLayout;
  RawModuleObject(Type* type, std::shared_ptr<rt::RawModule> module,
                  std::shared_ptr<const RawFacts> facts, std::string name)
      : Object(type), module(std::move(module)), facts(std::move(facts)), name(std::move(name)) {}
  std::shared_ptr<rt::RawModule> module;
  std::shared_ptr<const RawFacts> facts;
  std::string name;
};

// `add_func[grid, block]`: a kernel with its launch's shape.
struct RawLaunchObject : Object {
  static constexpr ObjectLayout kLayout = kRawLaunchLayout;
  RawLaunchObject(Type* type, std::shared_ptr<rt::RawKernel> kernel, rt::LaunchShape shape,
                  Value stream)
      : Object(type), kernel(std::move(kernel)), shape(shape), stream(std::move(stream)) {}
  std::shared_ptr<rt::RawKernel> kernel;
  rt::LaunchShape shape;
  Value stream;  // None: the current one
};

// The result of cupy.fuse: the function, run lazily even where the session is eager.
struct FusedObject : Object {
  static constexpr ObjectLayout kLayout = kFusedLayout;
  FusedObject(Type* type, Value function, Value name)
      : Object(type), function(std::move(function)), name(std::move(name)) {}
  Value function;  // None: the decorator of one
  Value name;      // None: the function's own
};

// Makes the types and sets the hook for kernel statements. Called after install_arrays.
void install_kernels(Interpreter& vm);
// ElementwiseKernel, ReductionKernel, RawKernel, RawModule and fuse, as a module's names.
void add_kernel_names(Interpreter& vm, Module& module);

void setup_elementwise(Arrays& state);
void setup_reductions(Arrays& state);
void setup_block_kernels(Arrays& state);  // scan and stencil
void setup_kernel_parameters(Arrays& state);
void setup_raw_kernels(Arrays& state);
void setup_raw_modules(Arrays& state);
void setup_fused(Arrays& state);

std::shared_ptr<rt::RawModule> make_raw_module(const RawFacts& facts, std::string binary,
                                               std::string name);
// An argument of a call, as errors name it.
struct KernelArgument {
  std::string_view kernel;
  size_t place;
  std::string_view parameter;  // empty: it is not known
};
// A value that the launch of a raw kernel passes: also None for a null pointer, an address, and a
// record, which is passed by value.
rt::RawArgument raw_argument(Interpreter& vm, const Value& value, const KernelArgument& argument);

// Reading of arguments that the kernel types share.
rt::Operand kernel_operand(Interpreter& vm, const Value& value, const KernelArgument& argument);
// Of the inputs, or the outputs, of a kernel's text.
template <class Text> KernelArgument argument_of(const Text& text, size_t place) {
  const size_t inputs = text.inputs.size();
  const auto& list = place < inputs ? text.inputs : text.outputs;
  const size_t at = place < inputs ? place : place - inputs;
  return {text.name, place, at < list.size() ? std::string_view(list[at].name) : ""};
}
template <class Text>
std::vector<rt::Operand> kernel_operands(Interpreter& vm, const Text& text,
                                         std::span<const Value> values) {
  std::vector<rt::Operand> out;
  for (const Value& value : values)
    out.push_back(kernel_operand(vm, value, argument_of(text, out.size())));
  return out;
}
// Text for the compiler, which would stop reading at a null character: ValueError for one.
std::string kernel_text(Interpreter& vm, std::string_view text, const char* parameter);
std::string kernel_text(Interpreter& vm, const Value& value, const char* parameter);
// ValueError for a backend that there is not.
std::string kernel_backend(Interpreter& vm, std::string_view name);
std::vector<std::string> kernel_options(Interpreter& vm, const Value& value);
// The name of a kernel given as an argument: ValueError "Invalid kernel name" for what is none.
std::string kernel_name(Interpreter& vm, const Value& value);
// A keyword argument of a call; null if it is not given, or None.
const Value* given_keyword(const CallArgs& arguments, std::string_view name);
// Outputs that a call gives after its inputs; None is one that is to be made.
template <class Text>
std::vector<std::optional<rt::Operand>> output_operands(Interpreter& vm, const Text& text,
                                                        std::span<const Value> values) {
  std::vector<std::optional<rt::Operand>> out;
  for (const Value& value : values) {
    const KernelArgument argument = argument_of(text, text.inputs.size() + out.size());
    out.push_back(value.is_none() ? std::nullopt
                                  : std::optional(kernel_operand(vm, value, argument)));
  }
  return out;
}
// What a call gives for its outputs: the arrays that it was given, and those that were made.
Value wrap_outputs(Interpreter& vm, std::span<const rt::Array> results,
                   std::span<const Value> given, bool as_tuple);
// TypeError for a keyword that is not among `known`.
void refuse_unknown(Interpreter& vm, std::string_view kernel, const CallArgs& arguments,
                    std::initializer_list<std::string_view> known);

// The parameters of a kernel statement whose body is in C++, or in gpy. Throws kValue for names
// that a kernel may not use.
std::vector<rt::KernelParameter> kernel_parameters(std::span<const syntax::KernelParameter> list,
                                                   bool in_cpp);

}  // namespace gpy
