#include "runtime/host_kernel/cuda_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/host_kernel/half_text.h"
#include "runtime/host_kernel/shim_texts.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

std::string_view nothing() { return {}; }
std::string_view narrow_floats() {
  static const std::string& text = *new std::string(half_text());
  return text;
}

std::string_view standard_namespace() {
  return "namespace std { }\nnamespace cuda { namespace std { using namespace ::std; } }\n";
}

// The shim holds already what a header without a text of its own declares.
struct Header {
  std::string_view name;
  std::string_view (*text)();
};
constexpr Header kHeaders[] = {
    {"cuda.h", nothing},
    {"cuda_runtime.h", nothing},
    {"cuda_runtime_api.h", nothing},
    {"device_launch_parameters.h", nothing},
    {"device_functions.h", nothing},
    {"device_atomic_functions.h", nothing},
    {"sm_20_atomic_functions.h", nothing},
    {"math_functions.h", nothing},
    {"vector_types.h", nothing},
    {"vector_functions.h", nothing},
    {"host_defines.h", nothing},
    {"cuda_device_runtime_api.h", nothing},
    {"math_constants.h", math_constants_text},
    {"cuda_fp16.h", narrow_floats},
    {"cuda_bf16.h", narrow_floats},
    {"cooperative_groups.h", cooperative_groups_text},
    {"cooperative_groups/reduce.h", cooperative_groups_text},
    {"cooperative_groups/scan.h", cooperative_groups_text},
    {"cooperative_groups/memcpy_async.h", cooperative_groups_text},
    {"curand_kernel.h", curand_text},
    {"curand.h", nothing},
};

// The name between the brackets or quotes of an include; empty for another line.
std::string_view included_name(std::string_view line) {
  const size_t mark = line.find_first_not_of(" \t");
  if (mark == line.npos || line[mark] != '#') return {};
  const size_t word = line.find_first_not_of(" \t", mark + 1);
  if (word == line.npos || !line.substr(word).starts_with("include")) return {};
  const size_t open = line.find_first_of("<\"", word);
  const size_t close = open == line.npos ? open : line.find_first_of(">\"", open + 1);
  return close == line.npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
}

const Header* find_header(std::string_view name) {
  const auto found = std::ranges::find(kHeaders, name, &Header::name);
  return found == std::end(kHeaders) ? nullptr : found;
}

constexpr std::string_view kStandardCopy = "cuda/std/";

// Headers of CUDA's libraries of templates, which no C++ compiler reads alone.
bool is_foreign(std::string_view name) {
  if (name.starts_with(kStandardCopy)) return false;
  return name.starts_with("cub/") || name.starts_with("thrust/") || name.starts_with("cuda/") ||
         name == "mma.h" || name == "cutlass/cutlass.h";
}

// Calls visit(line) for each, with its end.
template <class Visit> void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    visit(text.substr(0, size));
    text.remove_prefix(size);
  }
}

void refuse_foreign(const std::string& source, const std::string& kernel) {
  each_line(host_lines(source), [&](std::string_view line) {
    const std::string_view name = included_name(line);
    if (!is_foreign(name)) return;
    fail(ErrorKind::kNotImplemented,
         "kernel '{}' includes <{}>, which cannot run on the CPU: run it on a GPU", kernel, name);
  });
}

class Replacement {
 public:
  void read(std::string_view line) {
    const std::string_view name = included_name(line);
    const Header* header = find_header(name);
    if (name.starts_with(kStandardCopy)) return include_standard(name);
    if (header) add(header->text);
    result_.source += header ? std::string_view("\n") : line;
  }
  HeadersReplaced take() { return std::move(result_); }

 private:
  // The C++ library itself stands for CUDA's copy of it.
  void include_standard(std::string_view name) {
    add(standard_namespace);
    result_.source += fmt::format("#include <{}>\n", name.substr(kStandardCopy.size()));
  }
  void add(std::string_view (*text)()) {
    if (texts_.insert(text).second) result_.text += text();
  }

  HeadersReplaced result_;
  std::set<std::string_view (*)()> texts_;
};

}  // namespace

HeadersReplaced replace_cuda_headers(const std::string& source, const std::string& kernel) {
  refuse_foreign(source, kernel);
  Replacement replacement;
  each_line(source, [&](std::string_view line) { replacement.read(line); });
  return replacement.take();
}

}  // namespace gpy::rt
