#include "src/kernel/inspection.h"

#include <algorithm>

#include "runtime/core/interrupt.h"
#include "src/kernel/grid_objects.h"
#include "src/kernel/kernel_objects.h"
#include "src/kernel/kernel_raises.h"
#include "src/objects/containers.h"

namespace gpy {

namespace {

// --- the versions of each kind of kernel ---------------------------------------------------------

std::vector<KernelVersion> versions_of(std::span<const rt::CompiledVersion> compiled) {
  std::vector<KernelVersion> out;
  for (const rt::CompiledVersion& each : compiled)
    out.push_back({each.arguments, each.place, each.text, each.function});
  return out;
}

// Compiled for the current device now.
KernelVersion version_of(Interpreter& vm, rt::RawKernel& kernel) {
  rt::Session& runtime = session(vm);
  const rt::Space space = runtime.device_space();
  return {"", runtime.place_of(space), kernel.module()->source().code,
          kernel.function(runtime, space)};
}

std::string types_text(const rt::typed::Function& function) {
  std::string out;
  for (int i = 0; i < function.parameters - tells_raises(function); ++i) {
    const rt::typed::Variable& each = function.variables[static_cast<size_t>(i)];
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", each.name,
                       rt::typed::type_text(each.type));
  }
  return out;
}

std::vector<KernelVersion> versions_of(const GridObject& kernel) {
  std::vector<KernelVersion> out;
  for (const auto& [key, version] : kernel.versions) {
    for (const auto& [place, function] : version->compiled())
      out.push_back({types_text(version->entry()), place, version->source(), function});
  }
  return out;
}

std::vector<KernelVersion> kernel_versions(Interpreter& vm, const Value& kernel) {
  if (const auto* own = kernel.try_as<ElementwiseObject>())
    return versions_of(own->kernel->versions());
  if (const auto* own = kernel.try_as<ReductionObject>())
    return versions_of(own->kernel->versions());
  if (const auto* own = kernel.try_as<ScanObject>()) return versions_of(own->kernel->versions());
  if (const auto* own = kernel.try_as<StencilObject>()) return versions_of(own->kernel->versions());
  if (const auto* own = kernel.try_as<RawKernelObject>()) return {version_of(vm, *own->kernel)};
  return versions_of(*kernel.as<GridObject>());
}

bool is_kernel(const Value& value) {
  return value.is<ElementwiseObject>() || value.is<ReductionObject>() || value.is<ScanObject>() ||
         value.is<StencilObject>() || value.is<RawKernelObject>() || value.is<GridObject>();
}

// --- attributes ----------------------------------------------------------------------------------

KernelVersion newest(Interpreter& vm, const Value& kernel) {
  std::vector<KernelVersion> all = kernel_versions(vm, kernel);
  if (all.empty()) {
    vm.raise_runtime_error("{} has not been called: it is compiled for the types of a call",
                           vm.repr(kernel));
  }
  return std::move(all.back());
}

double fraction(const rt::Occupancy& occupancy) {
  return occupancy.most_threads ? static_cast<double>(occupancy.threads) / occupancy.most_threads
                                : 0;
}

// With the size of block that suits it best.
double best_occupancy(rt::UserFunction& function) {
  constexpr int kWarp = 32;
  const int most = function.attribute(rt::FunctionAttribute::kMaxThreadsPerBlock);
  double best = 0;
  for (int threads = kWarp; threads <= most; threads += kWarp) {
    const double found = fraction(function.occupancy(threads, 0));
    best = std::max(best, found);
    if (found == 0 || best == 1) break;
  }
  return best;
}

Value get_source(Interpreter& vm, const Value& self) { return vm.str(newest(vm, self).source); }
Value get_ptx(Interpreter& vm, const Value& self) {
  return vm.str(newest(vm, self).function->ptx());
}
Value get_sass(Interpreter& vm, const Value& self) {
  const rt::InterruptScope scope(session(vm).interrupt);
  return vm.str(newest(vm, self).function->sass());
}

Value get_attributes(Interpreter& vm, const Value& self) {
  const std::shared_ptr<rt::UserFunction> function = newest(vm, self).function;
  const Ref<Dict> out = vm.dict();
  for (const AttributeName& each : kAttributeNames)
    out->set(vm, vm.str(each.name), Value::integer(function->attribute(each.attribute)));
  out->set(vm, vm.str("occupancy"), Value::real(best_occupancy(*function)));
  return Value(out.get());
}

// --- parameters, for help() ----------------------------------------------------------------------

std::string parameters_text(const std::vector<std::string>& names, size_t required) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{}{}", i ? ", " : "", names[i], i < required ? "" : "=None");
  return "(" + out + ")";
}

// Outputs may be left out.
template <class Text> std::string declared_parameters(const Text& text) {
  std::vector<std::string> names;
  for (const auto* list : {&text.inputs, &text.outputs}) {
    for (const rt::KernelParameter& each : *list) names.push_back(each.name);
  }
  return parameters_text(names, text.inputs.size());
}

Value get_parameters(Interpreter& vm, const Value& self) {
  if (const auto* own = self.try_as<ElementwiseObject>())
    return vm.str(declared_parameters(own->kernel->text()));
  if (const auto* own = self.try_as<ReductionObject>())
    return vm.str(declared_parameters(own->kernel->text()));
  if (const auto* own = self.try_as<ScanObject>())
    return vm.str(declared_parameters(own->kernel->text()));
  if (const auto* own = self.try_as<StencilObject>())
    return vm.str(declared_parameters(own->kernel->text()));
  if (const auto* own = self.try_as<GridObject>())
    return vm.str(parameters_text(own->parameters, own->parameters.size()));
  std::vector<std::string> names;
  const rt::RawKernel& kernel = *self.as<RawKernelObject>()->kernel;
  while (const rt::RawParameter* each = kernel.parameter(names.size())) names.push_back(each->name);
  return vm.str(names.empty() ? "(...)" : parameters_text(names, names.size()));
}

constexpr NativeGetter kGetters[] = {
    {"__text_signature__", get_parameters},
    {"source", get_source, nullptr, "The text that was compiled last."},
    {"ptx", get_ptx, nullptr, "The PTX of what was compiled last, on a GPU."},
    {"sass", get_sass, nullptr, "Its machine code, as CUDA's nvdisasm shows it."},
    {"attributes", get_attributes, nullptr,
     "What the driver knows of what was compiled last, and the greatest part of a "
     "multiprocessor's threads that it can fill: `occupancy`. On the CPU what a GPU alone has "
     "is 0."},
};

// --- explain -------------------------------------------------------------------------------------

std::string place_text(rt::Place place) {
  return place == rt::kHostPlace ? "the CPU" : fmt::format("cuda:{}", place - 1);
}

std::string attribute_text(rt::UserFunction& function) {
  using A = rt::FunctionAttribute;
  return fmt::format(
      "  {} registers a thread; {} bytes of local, {} of shared, {} of constant memory; at most "
      "{} threads a block; occupancy {:.0f} % at best\n",
      function.attribute(A::kNumRegs), function.attribute(A::kLocalSizeBytes),
      function.attribute(A::kSharedSizeBytes), function.attribute(A::kConstSizeBytes),
      function.attribute(A::kMaxThreadsPerBlock), 100 * best_occupancy(function));
}

std::string occupancy_text(rt::UserFunction& function, const rt::LaunchShape& shape) {
  const int threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  const rt::Occupancy found = function.occupancy(threads, shape.shared_bytes);
  return fmt::format(
      "  a multiprocessor runs {} of these blocks at once, {} of {} threads (occupancy {:.0f} %)\n",
      found.blocks, found.threads, found.most_threads, 100 * fraction(found));
}

std::string shape_text(const rt::LaunchShape& shape) {
  const auto [grid, block, shared] = shape;
  return fmt::format("{} blocks of {} threads, {} bytes of dynamic shared memory\n",
                     uint64_t{grid.x} * grid.y * grid.z, uint64_t{block.x} * block.y * block.z,
                     shared);
}

// `shape`: of a launch, or null.
std::string explain(std::string_view name, std::span<const KernelVersion> versions,
                    const rt::LaunchShape* shape) {
  std::string out = fmt::format("kernel {}: ", name);
  if (shape) out += shape_text(*shape);
  if (versions.empty()) return out + "not compiled yet, which a call's types decide\n";
  if (!shape) out += fmt::format("{} version{}\n", versions.size(), versions.size() > 1 ? "s" : "");
  for (const KernelVersion& each : versions) {
    out += fmt::format("{}{}on {}\n", each.arguments, each.arguments.empty() ? "" : " ",
                       place_text(each.place));
    if (each.place == rt::kHostPlace) continue;
    out += attribute_text(*each.function);
    if (shape) out += occupancy_text(*each.function, *shape);
  }
  return out;
}

std::string name_of(Interpreter& vm, const Value& kernel) {
  return std::string(vm.get_attribute(kernel, vm.intern("__name__")).as<Str>()->view());
}

}  // namespace

void add_inspection(Type& kernel_type) { kernel_type.getters.push_back(kGetters); }

std::string explain_kernel(Interpreter& vm, const Value& kernel) {
  if (is_kernel(kernel)) return explain(name_of(vm, kernel), kernel_versions(vm, kernel), nullptr);
  if (const auto* launch = kernel.try_as<RawLaunchObject>()) {
    const KernelVersion version = version_of(vm, *launch->kernel);
    return explain(launch->kernel->name(), std::span(&version, 1), &launch->shape);
  }
  if (const auto* launch = kernel.try_as<GridLaunchObject>()) {
    const auto& own = *launch->kernel.as<GridObject>();
    return explain(own.name, versions_of(own), &launch->shape);
  }
  return "";
}

}  // namespace gpy
