#pragma once
// User kernels as values: the results of kernel statements, and CuPy's classes, which are the same
// objects.

#include <memory>
#include <string>

#include "runtime/kernel/elementwise_kernel.h"
#include "runtime/kernel/raw_kernel.h"
#include "runtime/kernel/reduction_kernel.h"
#include "src/array/arrays.h"

namespace gpy {

struct ElementwiseObject : Object {
  static constexpr ObjectLayout kLayout = kElementwiseLayout;
  ElementwiseObject(Type* type, rt::ElementwiseText text)
      : Object(type), kernel(std::make_shared<rt::ElementwiseKernel>(std::move(text))) {}
  std::shared_ptr<rt::ElementwiseKernel> kernel;
  bool return_tuple = false, no_return = false;
  Value globals;  // a body in gpy finds its names there
};

struct ReductionObject : Object {
  static constexpr ObjectLayout kLayout = kReductionLayout;
  ReductionObject(Type* type, rt::ReductionText text)
      : Object(type), kernel(std::make_shared<rt::ReductionKernel>(std::move(text))) {}
  std::shared_ptr<rt::ReductionKernel> kernel;
};

struct RawKernelObject : Object {
  static constexpr ObjectLayout kLayout = kRawKernelLayout;
  RawKernelObject(Type* type, std::shared_ptr<rt::RawModule> module, std::string name, bool checked)
      : Object(type),
        kernel(std::make_shared<rt::RawKernel>(std::move(module), std::move(name), checked)) {}
  std::shared_ptr<rt::RawKernel> kernel;
};

struct RawModuleObject : Object {
  static constexpr ObjectLayout kLayout = kRawModuleLayout;
  RawModuleObject(Type* type, std::shared_ptr<rt::RawModule> module, std::string name, bool checked)
      : Object(type), module(std::move(module)), name(std::move(name)), checked(checked) {}
  std::shared_ptr<rt::RawModule> module;
  std::string name;
  bool checked;
};

// `add_func[grid, block]`: a kernel with its launch's shape.
struct RawLaunchObject : Object {
  static constexpr ObjectLayout kLayout = kRawLaunchLayout;
  RawLaunchObject(Type* type, std::shared_ptr<rt::RawKernel> kernel, rt::LaunchShape shape)
      : Object(type), kernel(std::move(kernel)), shape(shape) {}
  std::shared_ptr<rt::RawKernel> kernel;
  rt::LaunchShape shape;
};

// The result of cupy.fuse: the function, run lazily even where the session is eager.
struct FusedObject : Object {
  static constexpr ObjectLayout kLayout = kFusedLayout;
  FusedObject(Type* type, Value function) : Object(type), function(std::move(function)) {}
  Value function;
};

// Makes the types and sets the hook for kernel statements. Called after install_arrays.
void install_kernels(Interpreter& vm);
// ElementwiseKernel, ReductionKernel, RawKernel, RawModule and fuse, as a module's names.
void add_kernel_names(Interpreter& vm, Module& module);

void setup_generated_kernels(Arrays& state);  // elementwise and reduction
void setup_raw_kernels(Arrays& state);
void setup_fused(Arrays& state);

// Reading of arguments that the kernel types share.
rt::Operand kernel_operand(Interpreter& vm, const Value& value);
std::vector<rt::Operand> kernel_operands(Interpreter& vm, std::span<const Value> values);
// Text for the compiler, which would stop reading at a null character: ValueError for one.
std::string kernel_text(Interpreter& vm, std::string_view text, const char* parameter);
std::string kernel_text(Interpreter& vm, const Value& value, const char* parameter);
std::vector<std::string> kernel_options(Interpreter& vm, const Value& value);
// TypeError for a keyword that is not among `known`.
void refuse_unknown(Interpreter& vm, std::string_view kernel, const CallArgs& arguments,
                    std::initializer_list<std::string_view> known);

}  // namespace gpy
