// Pictures in files.
#include "runtime/io/file.h"
#include "runtime/io/image.h"
#include "runtime/io/image_formats.h"
#include "src/array/typed_arguments.h"
#include "src/types/paths.h"
#include "stdlib/native/images/elements.h"
#include "stdlib/native/images/open.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/script_files.h"

namespace gpy::lib {

namespace {

// The pixels as they lie in the file, and the number that is white.
Value read_picture(Interpreter& vm, const Value& fname) {
  const Value read = method_of_file(vm, fname, "read");
  rt::Image image;
  if (read.is_defined()) {
    ScriptInput input(vm, fname);
    image = rt::decode_image(rt::read_rest(input), input.path());
  } else {
    image = rt::read_image(path_text(vm, fname));
  }
  return vm.tuple({wrap_array(vm, array_of_host(vm, image.pixels, rt::Space::host())),
                   Value::integer(image.max_value)});
}

Value write_picture(Interpreter& vm, const Value& fname, const rt::Array& pixels) {
  const std::vector<uint8_t> data = elements<uint8_t>(vm, pixels);
  const rt::Dims& shape = pixels.shape();
  rt::Dims strides = shape;
  int64_t stride = 1;
  for (int axis = pixels.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  rt::write_image(path_text(vm, fname), {rt::DType::kUInt8, shape, strides, data.data()});
  return Value::none();
}

Value png_of_pixels(Interpreter& vm, const rt::Array& pixels) {
  const std::vector<uint8_t> data = elements<uint8_t>(vm, pixels);
  const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
  return vm.bytes(
      rt::encode_png({rt::DType::kUInt8, pixels.shape(), {bytes, bytes + data.size()}}));
}

Value write_bytes(Interpreter& vm, const Value& fname, const Value& data) {
  if (!data.is<Bytes>()) vm.raise_type_error("write_bytes: bytes expected");
  rt::write_file(path_text(vm, fname), data.as<Bytes>()->data);
  return Value::none();
}

const Native kRows[] = {
    {"read_picture", "(fname, /)", typed<read_picture>, "The pixels of a file, and white."},
    {"write_picture", "(fname, pixels, /)", typed<write_picture>,
     "Writes pixels; the name tells the format."},
    {"png_of_pixels", "(pixels, /)", typed<png_of_pixels>, "Pixels as the bytes of a PNG file."},
    {"write_bytes", "(fname, data, /)", typed<write_bytes>, "Writes a file, whole or not at all."},
};

}  // namespace

std::span<const Native> picture_file_rows() { return kRows; }

}  // namespace gpy::lib
