// The native half of cupy.cuda.texture: arrays of texels, textures and surfaces by their handles.
#include "runtime/core/cuda_error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/memory/textures.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "stdlib/native/cupy/raw_arguments.h"
#include "stdlib/native/cupy/stream.h"

namespace gpy::lib {

namespace {

rt::Textures& textures(Interpreter& vm) {
  return backend_of_device(vm, kEveryDevice).raw_memory().textures();
}

// Numbers of a tuple, as many as are wanted.
std::vector<size_t> sizes(Interpreter& vm, const Value& values, size_t count) {
  std::vector<size_t> out;
  for (const Value& each : vm.collect(values)) out.push_back(size_argument(vm, each));
  if (out.size() != count) vm.raise_type_error("{} numbers are expected", count);
  return out;
}

// (kind, bits, channels)
rt::TexelFormat format_argument(Interpreter& vm, const Value& value) {
  const std::vector<size_t> parts = sizes(vm, value, 3);
  return {static_cast<rt::TexelFormat::Kind>(parts[0]), static_cast<int>(parts[1]),
          static_cast<int>(parts[2])};
}

Value make_array(Interpreter& vm, const Value& format, const Value& extents, const Value& flags) {
  const std::vector<size_t> size = sizes(vm, extents, 3);
  const uintptr_t handle = textures(vm).make_array(
      format_argument(vm, format), {size[0], size[1], size[2]}, flags_argument(vm, flags));
  return Value::integer(static_cast<int64_t>(handle));
}

Value free_array(Interpreter& vm, const Value& array) {
  textures(vm).free_array(address_argument(vm, array));
  return Value::none();
}

// (x in bytes, y, z, width in bytes, height, depth, pitch, rows of a slice)
rt::TexelBox box_argument(Interpreter& vm, const Value& value) {
  const std::vector<size_t> part = sizes(vm, value, 8);
  return {part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7]};
}

// The queue of a copy, by its handle or the current one, with pending work launched.
struct CopyQueue {
  CopyQueue(Interpreter& vm, const Value& stream)
      : place(place_of_device(vm, kEveryDevice)),
        held(is_given(stream) ? queue_of_handle(vm, address_argument(vm, stream))
                              : session(vm).queues[place]),
        queue(launched_queue(vm, place, held.get())) {
    queue.require_no_capture();
  }
  const rt::Place place;
  const rt::Ref<rt::Queue> held;
  rt::Queue& queue;
};

void check_size(Interpreter& vm, const rt::Array& array, const rt::TexelBox& box) {
  if (!array.space().is_host() || !rt::is_c_contiguous(array.layout()) ||
      static_cast<size_t>(array.bytes()) < box.memory_bytes()) {
    vm.raise_value_error("a dense array of the host of at least {} bytes is expected",
                         box.memory_bytes());
  }
}

// `source`: an address, or an array of the host.
Value copy_in(Interpreter& vm, const Value& array, const Value& where, const Value& source,
              const Value& stream) {
  const uintptr_t target = address_argument(vm, array);
  rt::TexelBox box = box_argument(vm, where);
  const CopyQueue on(vm, stream);
  const Ndarray* host = as_ndarray(source);
  if (!host) {
    textures(vm).copy_in(target, box, pointer_argument(vm, source), on.queue);
    return Value::none();
  }
  check_size(vm, host->array, box);
  box.on_host = true;
  const rt::HostRead read(session(vm), host->array);
  textures(vm).copy_in(target, box, read.data(), on.queue);
  return Value::none();
}

Value copy_out(Interpreter& vm, const Value& target, const Value& array, const Value& where,
               const Value& stream) {
  const uintptr_t source = address_argument(vm, array);
  rt::TexelBox box = box_argument(vm, where);
  const CopyQueue on(vm, stream);
  const Ndarray* host = as_ndarray(target);
  if (!host) {
    textures(vm).copy_out(pointer_argument(vm, target), source, box, on.queue);
    return Value::none();
  }
  check_size(vm, host->array, box);
  if (!host->array.writeable()) vm.raise_value_error("the array is read-only");
  box.on_host = true;
  rt::WriteAccess write(session(vm), host->array, rt::kHostPlace);
  textures(vm).copy_out(write.data(), source, box, on.queue);
  return Value::none();
}

// `resource`: (kind, handle or address, format, bytes, width, height, pitch).
rt::TextureResource resource_argument(Interpreter& vm, const Value& value) {
  using Kind = rt::TextureResource::Kind;
  const std::vector<Value> part = vm.collect(value);
  rt::TextureResource out;
  out.kind = static_cast<Kind>(vm.to_index(part.at(0)));
  if (out.kind == Kind::kArray) {
    out.array = address_argument(vm, part.at(1));
    return out;
  }
  if (out.kind != Kind::kLinear && out.kind != Kind::kPitched)
    throw rt::CudaError(rt::CudaCode::kInvalidValue);
  out.memory = pointer_argument(vm, part.at(1));
  out.format = format_argument(vm, part.at(2));
  out.bytes = size_argument(vm, part.at(3));
  out.width = size_argument(vm, part.at(4));
  out.height = size_argument(vm, part.at(5));
  out.pitch = size_argument(vm, part.at(6));
  return out;
}

Value make_texture(Interpreter& vm, const Value& resource, const Value& address, bool linear,
                   bool as_floats, bool normalized, bool srgb, const Value& border,
                   int64_t anisotropy) {
  rt::TextureOptions options;
  const std::vector<size_t> modes = sizes(vm, address, 3);
  for (size_t i = 0; i < modes.size(); ++i) options.address[i] = static_cast<int>(modes[i]);
  const std::vector<Value> colors = vm.collect(border);
  for (size_t i = 0; i < options.border.size() && i < colors.size(); ++i) {
    options.border[i] = static_cast<float>(vm.to_real(colors[i]));
  }
  options.linear = linear;
  options.as_floats = as_floats;
  options.normalized = normalized;
  options.srgb = srgb;
  options.anisotropy = static_cast<unsigned>(anisotropy);
  rt::launch_pending(session(vm), place_of_device(vm, kEveryDevice));
  const uint64_t made = textures(vm).make_texture(resource_argument(vm, resource), options);
  return Value::integer(static_cast<int64_t>(made));
}

Value end_texture(Interpreter& vm, const Value& texture) {
  textures(vm).end_texture(address_argument(vm, texture));
  return Value::none();
}

Value make_surface(Interpreter& vm, const Value& array) {
  const uint64_t made = textures(vm).make_surface(address_argument(vm, array));
  return Value::integer(static_cast<int64_t>(made));
}

Value end_surface(Interpreter& vm, const Value& surface) {
  textures(vm).end_surface(address_argument(vm, surface));
  return Value::none();
}

const Native kFunctions[] = {
    {"_make_array", "(format, extents, flags)", typed<make_array>,
     "An array of texels; the format is (kind, bits, channels)."},
    {"freeArray", "(ptr)", typed<free_array>, "Ends an array of texels."},
    {"_fill_texels", "(array, box, source, stream=None)", typed<copy_in>,
     "Fills a box of an array of texels from an address or an array of the host."},
    {"_read_texels", "(target, array, box, stream=None)", typed<copy_out>,
     "Copies a box of an array of texels to an address or an array of the host."},
    {"_make_texture",
     "(resource, address, linear, as_floats, normalized, srgb, border, anisotropy)",
     typed<make_texture>, "A texture object of an array or of memory."},
    {"destroyTextureObject", "(texObject)", typed<end_texture>, "Ends a texture object."},
    {"_make_surface", "(array)", typed<make_surface>, "A surface object of an array."},
    {"destroySurfaceObject", "(surfObject)", typed<end_surface>, "Ends a surface object."},
};

}  // namespace

std::span<const Native> runtime_texture_rows() { return kFunctions; }

}  // namespace gpy::lib
