#include "runtime/cuda/compiler.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/notes.h"

namespace gpy::rt::cuda {

// Changes the text's own version, which is in its first line of that kind.
static std::string relabelled(std::string ptx, int version) {
  constexpr std::string_view kLabel = "\n.version ";
  const size_t label = ptx.find(kLabel);
  if (label == ptx.npos) return ptx;
  const size_t begin = label + kLabel.size();
  return ptx.replace(begin, ptx.find('\n', begin) - begin,
                     fmt::format("{}.{}", version / 10, version % 10));
}

static std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(' ', start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::string option_of(const CodeForm& form, int target) {
  return fmt::format("--gpu-architecture={}_{}", form.ptx_version ? "compute" : "sm", target);
}

std::string in_form(const CodeForm& form, std::string code) {
  return form.ptx_version ? relabelled(std::move(code), form.ptx_version) : code;
}

Compiler::Compiler(std::unique_ptr<Nvrtc> nvrtc, int compute_capability, CodeForm form,
                   std::string cache_folder, Counters& counters)
    : nvrtc_(std::move(nvrtc)),
      form_(form),
      target_(target_of(*nvrtc_, compute_capability)),
      cache_(std::move(cache_folder), "cuda"),
      counters_(counters) {}

// Code for sm_86 runs on 8.9, code for sm_90 does not run on 10.0.
int Compiler::target_of(const Nvrtc& nvrtc, int compute_capability) {
  for (int target = compute_capability; target / 10 == compute_capability / 10; --target) {
    if (nvrtc.supports(target)) return target;
  }
  return 0;
}

std::string Compiler::identity_of(const Unit& unit) const {
  std::string identity = fmt::format("{}\nsm_{}\n{}\n", nvrtc_->version(), target_,
                                     fmt::join(unit.name_expressions, " and "));
  if (form_.ptx_version) identity += fmt::format("ptx {}\n", form_.ptx_version);
  for (const std::string& option : unit.options) identity += option + '\n';
  return identity + unit.source;
}

// A binary is stored as the lowered names, a line end, the code.
std::optional<Compiler::Binary> Compiler::try_kept(const std::string& identity) {
  const std::optional<std::string> stored = cache_.load(identity);
  if (!stored) return std::nullopt;
  ++counters_.kernels_loaded;
  const size_t line = stored->find('\n');
  return Binary{stored->substr(line + 1), split_words(stored->substr(0, line)), true};
}

// Other processes that want the same binary wait until this one has stored it.
Compiler::Binary Compiler::compile(const Unit& unit) {
  const std::string identity = identity_of(unit);
  if (!unit.keep) return build(unit, identity);
  if (auto kept = try_kept(identity)) return std::move(*kept);
  const CompileTurn turn = cache_.turn(identity);
  if (auto kept = try_kept(identity)) return std::move(*kept);
  return build(unit, identity);
}

Compiler::Binary Compiler::recompile(const Unit& unit) {
  if (!warned_.exchange(true)) {
    note_warning(
        fmt::format("a kernel in {} does not load and will be made again", cache_.folder()));
  }
  const std::string identity = identity_of(unit);
  cache_.discard(identity);
  return build(unit, identity);
}

Nvrtc::Result Compiler::run(const Unit& unit, const CodeForm& form) const {
  std::vector<std::string> options = {option_of(form, target_)};
  options.insert(options.end(), unit.options.begin(), unit.options.end());
  Nvrtc::Result result = nvrtc_->compile(unit.source, unit.name, options, unit.name_expressions);
  if (!result.ok)
    fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", unit.name, result.log);
  return result;
}

// In the version of NVRTC, whatever the driver knows: nobody loads it.
std::string Compiler::ptx(const Unit& unit) const {
  constexpr CodeForm kPtx{1};
  std::string text = run(unit, kPtx).code;
  while (text.ends_with('\0')) text.pop_back();
  return text;
}

std::string Compiler::cubin(const Unit& unit) const { return run(unit, {}).code; }

Compiler::Binary Compiler::build(const Unit& unit, const std::string& identity) {
  Nvrtc::Result result = run(unit, form_);
  ++counters_.kernels_compiled;
  std::string code = in_form(form_, std::move(result.code));
  if (unit.keep) {
    cache_.store(identity, fmt::format("{}\n{}", fmt::join(result.lowered_names, " "), code));
  }
  return {std::move(code), std::move(result.lowered_names), false, std::move(result.log)};
}

}  // namespace gpy::rt::cuda
