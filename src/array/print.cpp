#include "src/array/print.h"

#include <cstring>

#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/text/array_text.h"
#include "src/array/convert.h"

namespace gpy {

namespace {

// Fetches a box of an array on a GPU, so that only the elements that are shown are copied.
void fetch_box(rt::Session& session, const rt::Array& array, const rt::PrintedBox& box,
               const rt::Dims& printed, std::byte* to) {
  std::vector<rt::IndexItem> items;
  for (int axis = 0; axis < array.rank(); ++axis) {
    const int64_t start = box.start[axis];
    items.emplace_back(rt::SliceIndex{start, start + box.extent[axis], 1});
  }
  const rt::Array part = rt::copy(session, rt::get_items(session, array, items), 'C');
  const rt::HostRead read(session, part);
  const int64_t size = array.item_size();
  const rt::Dims strides = rt::c_strides(printed, size);
  const int last = array.rank() - 1;
  const int64_t row = box.extent[last] * size;
  const int64_t rows = row ? part.bytes() / row : 0;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t rest = i;
    int64_t offset = box.target[last] * size;
    for (int axis = last - 1; axis >= 0; --axis) {
      offset += (box.target[axis] + rest % box.extent[axis]) * strides[axis];
      rest /= box.extent[axis];
    }
    std::memcpy(to + offset, read.data() + i * row, static_cast<size_t>(row));
  }
}

std::vector<std::byte> shown_elements(rt::Session& session, const rt::Array& array,
                                      const rt::PrintOptions& options) {
  const rt::Dims printed = rt::printed_shape(array.shape(), options);
  const bool on_host = session.place_of(array.space()) == rt::kHostPlace;
  if (on_host || printed == array.shape()) {
    const rt::HostRead read(session, array);
    return rt::gather_printed({array.dtype(), array.shape(), array.strides(), read.data()},
                              options);
  }
  std::vector<std::byte> shown(static_cast<size_t>(rt::element_count(printed) * array.item_size()));
  for (const rt::PrintedBox& box : rt::printed_boxes(array.shape(), options)) {
    fetch_box(session, array, box, printed, shown.data());
  }
  return shown;
}

}  // namespace

// --- what a script has set -----------------------------------------------------------------------

static constexpr const char* kHooksName = "_print_hooks";

PrintHooks print_hooks(Interpreter& vm) {
  const Value* found = arrays(vm).generic->lookup(vm.intern(kHooksName));
  if (!found || found->is_none()) return {};
  const auto items = found->as<Tuple>()->items();
  return {items[0], items[1]};
}

void set_print_hooks(Interpreter& vm, const PrintHooks& hooks) {
  const bool any = !hooks.formatter.is_none() || !hooks.override_repr.is_none();
  const Str* name = vm.intern(kHooksName);
  if (!any && !arrays(vm).generic->lookup(const_cast<Str*>(name))) return;
  arrays(vm).generic->set_attribute(
      const_cast<Str*>(name),
      any ? Value(vm.tuple({hooks.formatter, hooks.override_repr})) : Value::none());
}

Value formatter_for(Interpreter& vm, const Value& formatter, rt::DType dtype) {
  if (formatter.is_undefined() || formatter.is_none()) return Value();
  static constexpr std::string_view kNames[][2] = {{"bool", "bool"},
                                                   {"int", "int_kind"},
                                                   {"int", "int_kind"},
                                                   {"float", "float_kind"},
                                                   {"complexfloat", "complex_kind"}};
  const auto& own = kNames[static_cast<int>(rt::kind(dtype))];
  const Ref<Dict> table(formatter.try_as<Dict>());
  if (!table) vm.raise_type_error("formatter must be a dict, not {}", vm.type_name(formatter));
  for (std::string_view name : {own[0], own[1], std::string_view("all")}) {
    if (const Value* found = table->find(vm.intern(name)); found && !found->is_none())
      return *found;
  }
  return Value();
}

std::string array_repr_by_options(Interpreter& vm, const Value& value, const std::string& opening) {
  const PrintHooks hooks = print_hooks(vm);
  if (!hooks.override_repr.is_none()) {
    return std::string(vm.to_text(vm.call(hooks.override_repr, {value})));
  }
  Arrays& state = arrays(vm);
  const rt::Array array = as_ndarray(value)->array;
  const Value function = formatter_for(vm, hooks.formatter, array.dtype());
  const rt::PrintOptions options = state.print_options;
  if (function.is_undefined()) return array_repr_text(state, array, options, opening);
  const std::string body = array_to_text(state, array, options, ", ", opening.size(), 1, function);
  return rt::array_repr_of(body, array.dtype(), array.shape(), options, opening);
}

std::string array_str_by_options(Interpreter& vm, const Value& value) {
  Arrays& state = arrays(vm);
  const rt::Array array = as_ndarray(value)->array;
  const Value function = formatter_for(vm, print_hooks(vm).formatter, array.dtype());
  const rt::PrintOptions options = state.print_options;
  if (function.is_undefined()) return array_str_text(state, array, options);
  return array_to_text(state, array, options, " ", 0, 0, function);
}

// --- by given options ----------------------------------------------------------------------------

std::string array_repr_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                            const std::string& opening) {
  const rt::InterruptScope scope(state.interrupt);
  const auto shown = shown_elements(state, array, options);
  return rt::array_repr(array.dtype(), array.shape(), shown.data(), options, opening);
}

std::string array_str_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options) {
  const rt::InterruptScope scope(state.interrupt);
  const auto shown = shown_elements(state, array, options);
  return rt::array_str(array.dtype(), array.shape(), shown.data(), options);
}

std::string array_to_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                          const std::string& separator, size_t prefix, size_t suffix) {
  const rt::InterruptScope scope(state.interrupt);
  const auto shown = shown_elements(state, array, options);
  return rt::array_to_string(array.dtype(), array.shape(), shown.data(), options, separator, prefix,
                             suffix);
}

std::string array_to_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                          const std::string& separator, size_t prefix, size_t suffix,
                          const Value& formatter) {
  const auto shown = shown_elements(state, array, options);
  const auto size = static_cast<size_t>(array.item_size());
  std::vector<std::string> texts;
  for (size_t at = 0; at < shown.size(); at += size) {
    const Value element = wrap_element(state.vm, array.dtype().native(), shown.data() + at);
    texts.emplace_back(state.vm.to_text(state.vm.call(formatter, {element})));
  }
  return rt::texts_to_string(texts, array.shape(), options, separator, prefix, suffix);
}

}  // namespace gpy
