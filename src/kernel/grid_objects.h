#pragma once
// Kernels in gpy that are launched on a grid: `kernel raw f(x): ...`, numba.cuda.jit and
// cupyx.jit.rawkernel.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "grammar/ast.h"
#include "runtime/kernel/launch_shape.h"
#include "runtime/typed/grid_function.h"
#include "src/array/arrays.h"
#include "src/kernel/typed_arguments.h"
#include "src/translate/translation.h"

namespace gpy {

// A kernel, and what has been compiled of it by the types of the arguments.
struct GridObject : Object {
  static constexpr ObjectLayout kLayout = kGridFunctionLayout;
  using Translate = std::function<TranslatedFunction(const std::vector<TypedType>&)>;
  GridObject(Type* type, Dialect dialect, std::string name, std::vector<std::string> parameters,
             Translate translate)
      : Object(type),
        dialect(dialect),
        name(std::move(name)),
        parameters(std::move(parameters)),
        translate(std::move(translate)) {}

  Dialect dialect;
  std::string name;
  std::vector<std::string> parameters;
  Translate translate;
  Value origin;  // the function, or the globals in which the body finds its names
  Value doc;     // of a kernel statement
  std::vector<std::string> options;
  std::vector<std::vector<TypedType>> declared;  // the signatures; none: it takes any types
  std::map<std::string, std::shared_ptr<rt::typed::GridFunction>> versions;
  std::map<const rt::typed::GridFunction*, ProgramValues> values;  // of those that raise
  bool debug = false;  // Numba's: what a kernel raises is raised by its launch
};

// `f[grid, block]`: a kernel with its launch's shape.
struct GridLaunchObject : Object {
  static constexpr ObjectLayout kLayout = kGridLaunchLayout;
  GridLaunchObject(Type* type, Value kernel, rt::LaunchShape shape, Value stream)
      : Object(type), kernel(std::move(kernel)), shape(shape), stream(std::move(stream)) {}
  Value kernel;
  rt::LaunchShape shape;
  Value stream;
};

// The code for arguments of these types.
std::shared_ptr<rt::typed::GridFunction> grid_version(Interpreter& vm, GridObject& kernel,
                                                      std::span<const TypedArgument> arguments);

void setup_grid_kernels(Arrays& state);
// `kernel raw saxpy(a, x, y): ...`
Value make_grid_kernel(Interpreter& vm, const syntax::KernelDef& def);
// A function by Numba's rules, or cupyx.jit's.
Value make_grid_function(Interpreter& vm, const Value& function, Dialect dialect,
                         std::vector<std::string> options, bool debug);
// `shared`, `stream`: undefined or None where they are not given.
void launch_grid(Interpreter& vm, GridObject& kernel, const rt::LaunchShape& shape,
                 const Value& stream, std::span<const Value> arguments);

}  // namespace gpy
