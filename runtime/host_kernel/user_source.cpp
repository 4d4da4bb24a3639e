#include "runtime/host_kernel/user_source.h"

#include <algorithm>
#include <string_view>

#include "runtime/host_kernel/cuda_headers.h"
#include "runtime/host_kernel/define_text.h"
#include "runtime/host_kernel/device_launches.h"
#include "runtime/host_kernel/dynamic_shared.h"
#include "runtime/host_kernel/exports_text.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/host_kernel/inline_ptx.h"
#include "runtime/host_kernel/ptx_meanings.h"
#include "runtime/host_kernel/shim_texts.h"
#include "runtime/kernel/checks/check_text.h"
#include "runtime/kernel/fixed_text.h"
#include "runtime/kernel/generated.h"
#include "runtime/kernel/texture_references.h"

namespace gpy::rt {
namespace {

// Words of threads that meet. Whatever includes a file may use them there.
bool names_meeting(std::string_view source) {
  const std::string text = host_lines(without_comments(source));
  for (const char* word :
       {"__syncthreads", "__syncwarp", "__shfl", "__ballot", "__any", "__all", "__uni_sync",
        "__activemask", "__match_", "__reduce_", "cooperative_groups", "_gpy_dynamic_shared"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

// CUDA's word for functions that are not inlined. The C++ library's headers have it in attributes,
// so it cannot be a macro.
std::string with_noinline(const std::string& source) {
  constexpr std::string_view kWord = "__noinline__";
  const std::string text = without_comments(source);
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
    const bool in_attribute = at > 0 && (text[at - 1] == '(' || is_name_char(text[at - 1]));
    if (in_attribute) continue;
    out.append(source, done, at - done).append("__attribute__((noinline))");
    done = at + kWord.size();
  }
  return out.append(source, done);
}

// `__shared__ alignas(16) float x[4]` is C++ with the two the other way round: __shared__ stands
// for words that no attribute may follow.
std::string with_alignment_first(const std::string& source) {
  constexpr std::string_view kShared = "__shared__", kAligned = "alignas";
  const std::string text = without_comments(source);
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(kShared); at != text.npos; at = text.find(kShared, at + 1)) {
    const size_t word = text.find_first_not_of(" \t\n", at + kShared.size());
    if (word == text.npos || text.compare(word, kAligned.size(), kAligned) != 0) continue;
    const size_t end = text.find(')', word);
    if (end == text.npos) continue;
    out.append(source, done, at - done).append(source, word, end + 1 - word);
    out.append(" ").append(source, at, word - at);
    done = end + 1;
  }
  return out.append(source, done);
}

// `static` before words that say it already.
std::string with_static_once(const std::string& source) {
  const std::string text = without_comments(source);
  std::string out = source;
  for (size_t at = text.find("static"); at != text.npos; at = text.find("static", at + 1)) {
    if (at > 0 && is_name_char(text[at - 1])) continue;
    std::string_view rest = std::string_view(text).substr(at + std::string_view("static").size());
    for (bool again = true; again;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
      again = rest.starts_with("__device__");
      if (again) rest.remove_prefix(std::string_view("__device__").size());
    }
    if (rest.starts_with("__constant__") || rest.starts_with("__shared__"))
      out.replace(at, 6, 6, ' ');
  }
  return out;
}

// Whether a name is that of a kernel that needs no instance.
bool is_named(const std::vector<KernelDeclaration>& kernels, const std::string& name) {
  return std::ranges::any_of(
      kernels, [&](const auto& kernel) { return kernel.name == name && !kernel.is_template; });
}

// Whether the text from this kernel's declaration to the next one's may wait for the grid.
bool names_grid(std::string_view source, std::string_view kernel) {
  constexpr std::string_view kMark = "__global__";
  const std::string text = without_comments(source);
  for (size_t at = text.find(kMark); at != text.npos;) {
    const size_t next = text.find(kMark, at + 1);
    const std::string_view part = std::string_view(text).substr(at, next - at);
    const std::string_view head = part.substr(0, part.find('{'));
    const bool waits = part.find("this_grid") != part.npos && part.find("sync") != part.npos;
    if (waits && head.find(kernel) != head.npos) return true;
    at = next;
  }
  return false;
}

}  // namespace

UserSource read_source(const std::string& source, const std::string& name,
                       std::vector<std::string> options) {
  UserSource out;
  out.options = std::move(options);
  out.own_names_only = source.starts_with(kOwnNamesOnly);
  if (out.own_names_only) {
    out.own = source;
    out.kernels = find_kernels(source);
    return out;
  }
  const std::string plain = with_child_launches(with_inline_ptx(source));
  HeadersReplaced replaced = replace_cuda_headers(plain, name);
  out.before = std::move(replaced.text);
  const std::string shared = with_dynamic_shared(replaced.source);
  out.checked = is_checked_text(source);
  const auto with_options = [&](const std::string& text) {
    return with_defines(text, out.options);
  };
  out.meets = out.checked || names_meeting(with_options(plain)) || shared != replaced.source;
  out.own = with_static_once(with_alignment_first(with_noinline(shared)));
  out.prints = out.own.find("printf") != std::string::npos;
  out.includes = has_include(out.own);
  const std::string read = with_options(out.own);
  const bool waits = read.find("__syncthreads") != std::string::npos;
  if (waits && !out.checked && !out.includes) out.looped = with_thread_loops(read);
  out.kernels = find_kernels(host_lines(source));
  return out;
}

std::string UserSource::whole_text(unsigned stack_shift, bool in_loops) const {
  const auto has_loops = [&](const std::string& kernel) {
    return in_loops && looped.functions.contains(kernel.substr(0, kernel.find('<')));
  };
  // All of gpy's own stands before the user's text, whose macros may have any name.
  std::string text = own_names_only ? own_shim() : host_shim(stack_shift, prints, checked);
  if (names_textures(own)) text += texture_text();
  text += ptx_text(own);
  text += child_launch_text(own);
  text += before;
  text += in_loops ? looped.source : with_defines(own, options);
  for (const KernelDeclaration& kernel : kernels) {
    if (kernel.is_template) continue;
    text += host_launcher(kernel.name, kernel.name, stack_shift, names_grid(own, kernel.name),
                          has_loops(kernel.name));
  }
  for (const std::string& each : instances) {
    if (is_named(kernels, each)) continue;
    const bool grid = names_grid(own, each.substr(0, each.find('<')));
    text += host_launcher(each, kernel_symbol(each), stack_shift, grid, has_loops(each));
  }
  return text + exports_text(own);
}

}  // namespace gpy::rt
