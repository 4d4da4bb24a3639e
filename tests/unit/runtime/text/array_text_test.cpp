#include "runtime/text/array_text.h"

#include <doctest/doctest.h>

#include "case_text.h"
#include "runtime/core/scalar.h"

namespace gpy::rt {
namespace {

constexpr const char* kCases =
#include "array_cases.inc"
    ;

FloatMode float_mode(const std::string& text) {
  if (text == "fixed") return FloatMode::kFixed;
  if (text == "unique") return FloatMode::kUnique;
  return text == "maxprec" ? FloatMode::kMaxprec : FloatMode::kMaxprecEqual;
}

PrintOptions read_options(const std::string& text) {
  PrintOptions options;
  for (const std::string& part : split(text, ';')) {
    if (part.empty()) continue;
    const std::string value = part.substr(1);
    if (part[0] == 'p') options.precision = std::stoi(value);
    if (part[0] == 't') options.threshold = std::stoi(value);
    if (part[0] == 'e') options.edgeitems = std::stoi(value);
    if (part[0] == 'l') options.linewidth = std::stoi(value);
    if (part[0] == 's') options.suppress = value == "1";
    if (part[0] == 'n') options.nanstr = value;
    if (part[0] == 'i') options.infstr = value;
    if (part[0] == 'g') options.sign = value[0];
    if (part[0] == 'f') options.floatmode = float_mode(value);
  }
  return options;
}

Dims read_shape(const std::string& text) {
  Dims shape;
  if (text.empty()) return shape;
  for (const std::string& extent : split(text, ',')) shape.push_back(std::stoll(extent));
  return shape;
}

int64_t count_of(const Dims& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

Dims c_strides(DType dtype, const Dims& shape) {
  Dims strides(shape.size(), item_size(dtype));
  for (int axis = shape.size() - 2; axis >= 0; --axis) {
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  }
  return strides;
}

void reverse(Dims& dims) { std::reverse(dims.begin(), dims.end()); }

// "start,step,order": the elements are start + i * step.
std::string range_bytes(DType dtype, int64_t count, const std::string& recipe) {
  const std::vector<std::string> parts = split(recipe, ',');
  std::string bytes(count * item_size(dtype), '\0');
  for (int64_t i = 0; i < count; ++i) {
    Scalar value = is_inexact(dtype)
                       ? Scalar::of(dtype, std::stod(parts[0]) + std::stod(parts[1]) * i)
                       : Scalar::of(dtype, int64_t{std::stol(parts[0]) + std::stol(parts[1]) * i});
    value.store(dtype, &bytes[i * item_size(dtype)]);
  }
  return bytes;
}

HostView view_of(const std::vector<std::string>& fields, const std::string& bytes) {
  const DType dtype = *dtype_from_name(fields[1]);
  Dims shape = read_shape(fields[2]);
  Dims strides = c_strides(dtype, shape);
  if (fields[0] == "range" && fields[4].back() == 'F') {
    reverse(shape);
    reverse(strides);
  }
  return {dtype, shape, strides, bytes.data()};
}

}  // namespace

TEST_CASE("array_text: repr and str are NumPy's") {
  std::istringstream in(kCases);
  int count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    const std::vector<std::string> fields = split(line, '|');
    CAPTURE(fields[0]);
    CAPTURE(fields[1]);
    CAPTURE(fields[2]);
    CAPTURE(fields[3]);
    const DType dtype = *dtype_from_name(fields[1]);
    const std::string bytes = fields[0] == "data"
                                  ? bytes_from_hex(fields[4])
                                  : range_bytes(dtype, count_of(read_shape(fields[2])), fields[4]);
    const HostView view = view_of(fields, bytes);
    const PrintOptions options = read_options(fields[3]);
    CHECK(array_repr(view, options) == unescape(fields[5]));
    CHECK(array_str(view, options) == unescape(fields[6]));
  }
  CHECK(count > 1000);
}

TEST_CASE("array_text: a summarised array is asked for its corners only") {
  PrintOptions options;
  CHECK(printed_shape({10, 10}, options) == Dims{10, 10});
  CHECK(printed_shape({1000, 4, 1000}, options) == Dims{6, 4, 6});
  std::vector<PrintedBox> boxes = printed_boxes({1000, 4, 1000}, options);
  REQUIRE(boxes.size() == 4);
  CHECK(boxes[3].start == Dims{997, 0, 997});
  CHECK(boxes[3].extent == Dims{3, 4, 3});
  CHECK(boxes[3].target == Dims{3, 0, 3});
  CHECK(printed_boxes({0, 3}, options).empty());
  CHECK(printed_boxes({}, options).size() == 1);
}

TEST_CASE("array_text: 64 axes and more elements than memory holds") {
  const double value = 1.5;
  PrintOptions options;
  Dims ones(64, 1);
  CHECK(array_str({DType::kFloat64, ones, Dims(64, 0), &value}, options) ==
        std::string(64, '[') + "1.5" + std::string(64, ']'));
  HostView huge{DType::kFloat64, {int64_t{1} << 62, 4}, {0, 0}, &value};
  CHECK(array_repr(huge, options).find("shape=(4611686018427387904, 4))") != std::string::npos);
}

TEST_CASE("array_text: shapes as Python writes them") {
  CHECK(shape_text({}) == "()");
  CHECK(shape_text({3}) == "(3,)");
  CHECK(shape_text({2, 0, 3}) == "(2, 0, 3)");
}

}  // namespace gpy::rt
