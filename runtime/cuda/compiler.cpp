#include "runtime/cuda/compiler.h"

#include <vector>

#include "runtime/core/error.h"

namespace gpy::rt::cuda {

Compiler::Compiler(std::unique_ptr<Nvrtc> nvrtc, int compute_capability, std::string cache_folder,
                   Counters& counters)
    : nvrtc_(std::move(nvrtc)),
      architecture_(fmt::format("sm_{}", target_of(*nvrtc_, compute_capability))),
      cache_(std::move(cache_folder)),
      counters_(counters) {}

// Code for sm_86 runs on 8.9, code for sm_90 does not run on 10.0.
int Compiler::target_of(const Nvrtc& nvrtc, int compute_capability) {
  for (int target = compute_capability; target / 10 == compute_capability / 10; --target) {
    if (nvrtc.supports(target)) return target;
  }
  return 0;
}

std::string Compiler::identity_of(const Unit& unit) const {
  std::string identity =
      fmt::format("{}\n{}\n{}\n", nvrtc_->version(), architecture_, unit.name_expression);
  for (const std::string& option : unit.options) identity += option + '\n';
  return identity + unit.source;
}

Compiler::Binary Compiler::compile(const Unit& unit) {
  const std::string identity = identity_of(unit);
  if (unit.keep) {
    if (std::optional<std::string> stored = cache_.load(identity)) {
      ++counters_.kernels_loaded;
      const size_t line = stored->find('\n');
      return {stored->substr(line + 1), stored->substr(0, line), true};
    }
  }
  return build(unit, identity);
}

Compiler::Binary Compiler::recompile(const Unit& unit) {
  if (!warned_.exchange(true)) {
    fmt::print(stderr, "gpy: warning: a kernel in {} does not load and will be made again\n",
               cache_.folder());
  }
  const std::string identity = identity_of(unit);
  cache_.discard(identity);
  return build(unit, identity);
}

// Stored as the lowered name, a line end, the cubin.
Compiler::Binary Compiler::build(const Unit& unit, const std::string& identity) {
  std::vector<std::string> options = {"--gpu-architecture=" + architecture_};
  options.insert(options.end(), unit.options.begin(), unit.options.end());
  Nvrtc::Result result = nvrtc_->compile(unit.source, unit.name, options, unit.name_expression);
  if (!result.ok)
    fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", unit.name, result.log);
  ++counters_.kernels_compiled;
  if (unit.keep) cache_.store(identity, result.lowered_name + '\n' + result.cubin);
  return {std::move(result.cubin), std::move(result.lowered_name), false};
}

}  // namespace gpy::rt::cuda
