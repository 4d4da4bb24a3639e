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
