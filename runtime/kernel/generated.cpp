#include "runtime/kernel/generated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/kernel/check_number.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

std::string line_directive(const KernelPlace& place) {
  if (place.line <= 0) return "";
  std::string file;
  for (char c : place.file) {
    if (c == '\\' || c == '"') file += '\\';
    file += c;
  }
  return fmt::format("\n#line {} \"{}\"\n{}", place.line, file, place.before);
}

std::string placed_text(std::string_view text, const KernelPlace& place) {
  const auto lines = static_cast<int>(std::ranges::count(text, '\n'));
  const int last = place.line > 0 ? place.line + lines : 0;
  return fmt::format("{}{}\n{}", line_directive(place), text, line_directive({place.file, last}));
}

std::string entry_name(const std::string& kernel) {
  std::string name = kGeneratedEntry;
  for (const char each : kernel) {
    const bool fits = (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
                      (each >= 'A' && each <= 'Z');
    name += fits ? each : '_';
  }
  return name;
}

std::string preamble_text(const std::string& preamble, const KernelPlace& place) {
  if (preamble.empty()) return "";
  return place.line > 0 ? placed_text(preamble, place) : "\n#line 1 \"<preamble>\"\n" + preamble;
}

std::string generated_directive() { return "\n#line 1 \"<generated>\"\n"; }

std::string text_key(Place place, int rank, std::span<const Bound> bound) {
  std::string key = {static_cast<char>('0' + place), static_cast<char>('0' + rank)};
  for (const Bound& each : bound) {
    key += static_cast<char>('a' + each.dtype.index());
    key += static_cast<char>('0' + static_cast<int>(each.passing));
    if (each.passing == Passing::kRaw) key += static_cast<char>('0' + each.array.rank());
  }
  return key;
}

std::string placeholder_text(const TypeBinding& types) {
  std::string text;
  for (const auto& [letter, dtype] : types.placeholders()) {
    text += fmt::format("typedef {} {};\n", cuda_type(dtype), letter);
  }
  return text;
}

namespace {

std::string element_type(const Bound& bound) {
  return fmt::format("{}{}", bound.output ? "" : "const ", cuda_type(bound.dtype));
}

const char* raw_type(const Bound& bound) {
  return bound.number_of_name < 0 ? "_gpy_raw" : "_gpy_checked_raw";
}

}  // namespace

std::string element_text(const Bound& bound, std::string_view index) {
  const std::string& name = bound.parameter->name;
  // The byte of a bool in memory may be any number: all but 0 are true.
  if (bound.dtype == DType::kBool && !bound.output) {
    return fmt::format("*(const unsigned char*)(_p._arg_{} + {}) != 0", name, index);
  }
  return fmt::format("_p._arg_{}[{}]", name, index);
}

std::string parameter_text(const Bound& bound) {
  const std::string& name = bound.parameter->in_text();
  if (bound.passing != Passing::kRaw) return fmt::format("{}& {}", element_type(bound), name);
  return fmt::format("const {}<{}, {}>& {}", raw_type(bound), element_type(bound),
                     bound.array.rank(), name);
}

std::string formal_parameters(std::span<const Bound> bound) {
  std::string text;
  for (const Bound& each : bound) text += parameter_text(each) + ", ";
  return text;
}

namespace {

// "{_p._extent_x[0], _p._extent_x[1]}"
std::string listed(const std::string& field, int rank) {
  std::string text;
  for (int axis = 0; axis < rank; ++axis) text += fmt::format("_p.{}[{}], ", field, axis);
  return "{" + text + "}";
}

std::string raw_text(const Bound& bound) {
  const std::string& name = bound.parameter->name;
  const int rank = bound.array.rank();
  const std::string number =
      bound.number_of_name < 0 ? "" : fmt::format(", {}", bound.number_of_name);
  return fmt::format("{}<{}, {}>{{_p._arg_{}, _p._size_{}, {}, {}{}}}", raw_type(bound),
                     element_type(bound), rank, name, name, listed("_extent_" + name, rank),
                     listed("_stride_" + name, rank), number);
}

}  // namespace

std::string argument_value(const Bound& bound, std::string_view index) {
  const std::string& name = bound.parameter->name;
  switch (bound.passing) {
    case Passing::kNumber: return "_p._arg_" + name;
    case Passing::kDense: return element_text(bound, index);
    case Passing::kStrided: return element_text(bound, "_at_" + name);
    case Passing::kRaw: break;
  }
  return raw_text(bound);
}

std::string actual_arguments(std::span<const Bound> bound, std::string_view index) {
  std::string text;
  for (const Bound& each : bound) text += argument_value(each, index) + ", ";
  return text;
}

std::vector<Bound> whole_only(std::span<const Bound> bound) {
  std::vector<Bound> out;
  for (const Bound& each : bound) {
    if (each.passing == Passing::kNumber || each.passing == Passing::kRaw) out.push_back(each);
  }
  return out;
}

// The outermost axis needs no division.
static std::string load_axes(std::span<const Bound> bound, const IndexedAxes& axes) {
  std::string text = fmt::format("    {{ long long _rest = {};\n", axes.index);
  for (int axis = axes.end - 1; axis >= axes.begin; --axis) {
    text += axis == axes.begin ? "    { const long long _x = _rest;"
                               : fmt::format(
                                     "    {{ const long long _x = _rest % _p._shape[{0}]; _rest /= "
                                     "_p._shape[{0}];",
                                     axis);
    for (const Bound& each : bound) {
      if (each.passing == Passing::kStrided)
        text += fmt::format(" _at_{0} += _x * _p._step_{0}[{1}];", each.parameter->name, axis);
    }
    text += " }\n";
  }
  return text + "    }\n";
}

std::string load_text(std::span<const Bound> bound, std::initializer_list<IndexedAxes> axes) {
  std::string text;
  for (const Bound& each : bound) {
    if (each.passing == Passing::kStrided)
      text += fmt::format("    long long _at_{} = 0;\n", each.parameter->name);
  }
  if (text.empty()) return text;
  for (const IndexedAxes& each : axes) {
    if (each.begin < each.end) text += load_axes(bound, each);
  }
  return text;
}

static std::string description(const Bound& bound) {
  const std::string text = fmt::format("{}: {}", bound.parameter->name, name(bound.dtype));
  switch (bound.passing) {
    case Passing::kNumber: return text + " number";
    case Passing::kDense: return text;
    case Passing::kStrided: return text + " with strides";
    case Passing::kRaw: return fmt::format("raw {}, {} axes", text, bound.array.shape().size());
  }
  return text;
}

CompiledVersion make_version(std::span<const Bound> bound, Place place, std::string text,
                             std::shared_ptr<UserFunction> function) {
  CompiledVersion version{{}, "", place, std::move(text), std::move(function)};
  for (const Bound& each : bound) {
    if (each.passing != Passing::kNumber) version.dtypes.push_back(each.dtype);
    version.arguments += (version.arguments.empty() ? "" : ", ") + description(each);
  }
  return version;
}

void check_numbers(std::string_view kernel, std::span<const Bound> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Bound& each = inputs[i];
    if (each.passing != Passing::kNumber) continue;
    check_number(kernel, i, each.parameter->name, name(each.dtype), each.dtype, each.number);
  }
}

KernelLaunch launch_of_elements(int64_t count, bool host, int64_t threads) {
  if (host) return {.grid = {}, .block = {}, .elements = count, .in_ranges = true};
  // Blocks enough for 32 on each of 132 multiprocessors (H100, H200), more than any of them holds
  // at a time; further ones would only be started and ended.
  constexpr int64_t kMostBlocks = 132 * 32;
  const int64_t blocks = std::min((count + threads - 1) / threads, kMostBlocks);
  return {.grid = {static_cast<uint32_t>(blocks)},
          .block = {static_cast<uint32_t>(threads)},
          .elements = count};
}

std::string_view elements_of_thread() {
  return R"(
#ifdef __CUDACC_RTC__
  const long long _first = blockIdx.x * (long long)blockDim.x + threadIdx.x, _end = _p._n;
  const long long _stride = gridDim.x * (long long)blockDim.x;
#else
  const long long _first = _gpy_here->first, _end = _gpy_here->end, _stride = 1;
  const bool _marks = _gpy_here->marks;
#endif
)";
}

std::vector<LentMemory> lend_arrays(Session& session, std::span<const Bound> bound, Place place) {
  std::vector<LentMemory> lent;
  lent.reserve(bound.size());
  for (const Bound& each : bound) {
    if (each.passing == Passing::kNumber) continue;
    const auto use = each.output ? LentMemory::Use::kWrite : LentMemory::Use::kRead;
    lent.emplace_back(session, each.array, place, use);
  }
  return lent;
}

void add_arguments(std::span<const Bound> bound, std::span<const LentMemory> lent,
                   ArgumentBlock& block) {
  auto array = lent.begin();
  for (const Bound& each : bound) {
    const std::string& name = each.parameter->name;
    if (each.passing == Passing::kNumber) {
      block.add_number("_arg_", cuda_type(each.dtype), each.number, each.dtype, name);
      continue;
    }
    block.add_pointer("_arg_", cuda_type(each.dtype), (array++)->address(), name, each.output);
    if (each.passing == Passing::kRaw) {
      block.add_int("_size_", each.array.size(), name);
      block.add_ints("_extent_", each.array.shape(), name);
      block.add_ints("_stride_", each.array.strides(), name);
    }
    if (each.passing != Passing::kStrided) continue;
    Dims steps = each.array.strides();
    for (int64_t& step : steps) step /= each.array.item_size();
    block.add_ints("_step_", steps, name);
  }
}

Dims kernel_shape(std::span<const KernelParameter> parameters, std::span<const Operand> arguments) {
  const auto takes_part = [&](size_t i) { return !parameters[i].raw && arguments[i].is_array(); };
  const Dims* common = nullptr;
  bool differ = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!takes_part(i)) continue;
    const Dims& shape = arguments[i].array().shape();
    if (common) differ |= !(shape == *common);
    else common = &shape;
  }
  if (common && !differ) return *common;
  std::vector<std::span<const int64_t>> shapes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (takes_part(i)) shapes.push_back(arguments[i].array().shape().span());
  }
  return broadcast_shapes(shapes);
}

Array dense_in(Session& session, const Array& array, Space space) {
  const Array here = to_space(session, array.as_array(), space);
  return is_c_contiguous(here.layout()) ? here : copy(session, here, 'C');
}

}  // namespace gpy::rt
