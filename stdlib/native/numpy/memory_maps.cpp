// numpy.memmap: an array whose memory is a file's. What is a view of one, or computed from it, is
// an ndarray.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "runtime/graph/loan.h"
#include "runtime/graph/read_access.h"
#include "runtime/io/mapped_file.h"
#include "runtime/io/npy.h"
#include "runtime/ops/create.h"
#include "src/array/print.h"
#include "src/array/typed_arguments.h"
#include "src/types/paths.h"
#include "stdlib/native/numpy/array_memory.h"
#include "stdlib/native/numpy/kept_type.h"

namespace gpy::lib {

namespace {

struct NamedFile {
  std::string path;
  bool is_open = false;
  bool is_path = false;  // a pathlib.Path and the like
};

struct MappedArray : Ndarray {
  MappedArray(Type* type, rt::Array array, std::shared_ptr<rt::MappedFile> file, NamedFile named,
              std::string_view mode, int64_t offset)
      : Ndarray(type, std::move(array)),
        file(std::move(file)),
        named(std::move(named)),
        mode(mode),
        offset(offset) {}
  std::shared_ptr<rt::MappedFile> file;
  NamedFile named;
  std::string mode;
  int64_t offset;
};

const MappedArray& mapped(const Value& self) {
  return static_cast<const MappedArray&>(*as_ndarray(self));
}

struct ModeName {
  std::string_view name, letters;
  rt::MapMode mode;
};
constexpr ModeName kModes[] = {
    {"readonly", "r", rt::MapMode::kRead},
    {"copyonwrite", "c", rt::MapMode::kCopyOnWrite},
    {"readwrite", "r+", rt::MapMode::kReadWrite},
    {"write", "w+", rt::MapMode::kCreate},
};

const ModeName& mode_named(Interpreter& vm, const Value& value) {
  if (value.is<Str>()) {
    const std::string_view text = vm.to_text(value);
    for (const ModeName& row : kModes) {
      if (text == row.name || text == row.letters) return row;
    }
  }
  vm.raise_value_error(
      "mode must be one of ['r', 'c', 'r+', 'w+', 'readonly', 'copyonwrite', 'readwrite', 'write'] "
      "(got {})",
      vm.repr(value));
}

// The shape where none is given: as many elements as the file holds.
rt::Dims shape_in(Interpreter& vm, int64_t bytes, int64_t item_size) {
  if (bytes % item_size != 0) {
    vm.raise_value_error("Size of available data is not a multiple of the data-type size.");
  }
  return {bytes / item_size};
}

// The file that is named, or that an open file is; what that has to write is written first.
NamedFile named_file(Interpreter& vm, const Value& named) {
  if (vm.try_get_attribute(named, vm.intern("read")).is_undefined()) {
    const bool is_path = !named.is<Str>() && !named.is<Bytes>();
    return {std::filesystem::absolute(path_text(vm, named)).lexically_normal(), false, is_path};
  }
  vm.call_method(named, "flush");
  const std::string path = path_text(vm, vm.get_attribute(named, "name"));
  return {std::filesystem::absolute(path).lexically_normal(), true};
}

Value construct(Interpreter& vm, const Value& cls, const Value& filename, rt::DType dtype,
                const Value& mode, int64_t offset, const Value& shape, const Value& order) {
  const ModeName& found = mode_named(vm, mode);
  if (found.mode == rt::MapMode::kCreate && !is_given(shape)) {
    vm.raise_value_error("shape must be given if mode == 'w+'");
  }
  if (offset < 0) vm.raise_value_error("offset: must be 0 or more (got {})", offset);
  rt::Layout layout{dtype, {}, {}, 0};
  int64_t bytes = -1;
  if (is_given(shape)) {
    layout.shape = to_shape(vm, shape);
    bytes = rt::element_count(layout.shape, layout.item_size()) * layout.item_size();
    rt::checked_sum(offset, bytes);
  }
  const NamedFile named = named_file(vm, filename);
  // An open file keeps what is in it.
  const bool keeps = found.mode == rt::MapMode::kCreate && named.is_open;
  auto file = std::make_shared<rt::MappedFile>(
      named.path, keeps ? rt::MapMode::kReadWrite : found.mode, offset, bytes);
  if (!is_given(shape)) layout.shape = shape_in(vm, file->bytes(), layout.item_size());
  layout.strides = to_order(vm, order, 'C') == 'F'
                       ? rt::f_strides(layout.shape, layout.item_size())
                       : rt::c_strides(layout.shape, layout.item_size());
  const bool writeable = found.mode != rt::MapMode::kRead;
  rt::Array array = file->bytes() == 0
                        ? rt::empty(session(vm), layout.shape, dtype, rt::Space::host())
                        : rt::borrow_host(session(vm), std::move(layout), file->data(),
                                          file->bytes(), writeable, [file] {});
  return vm.make<MappedArray>(cls.as<Type>(), std::move(array), file, named, found.letters, offset);
}

std::string repr(Interpreter& vm, const Value& self) {
  const std::string text =
      array_repr_text(arrays(vm), mapped(self).array, arrays(vm).print_options);
  std::string shown = "memmap";
  for (const char each : std::string_view(text).substr(std::string_view("array").size())) {
    shown += each;
    if (each == '\n') shown += ' ';
  }
  return shown;
}

Value flush(Interpreter& vm, const Value& self) {
  const rt::HostRead settled(session(vm), mapped(self).array);
  if (mapped(self).mode != "r") mapped(self).file->flush();
  return Value::none();
}

Value filename(Interpreter& vm, const Value& self) {
  const NamedFile& named = mapped(self).named;
  const Value text = vm.str(named.path);
  return named.is_path ? vm.call_method(vm.import_module("pathlib"), "Path", {text}) : text;
}

const NativeGetter kGetters[] = {
    {"filename", filename, nullptr, "The path of the file."},
    {"mode", [](Interpreter& vm, const Value& self) -> Value { return vm.str(mapped(self).mode); },
     nullptr, "r, r+, w+ or c."},
    {"offset", [](Interpreter&, const Value& self) { return Value::integer(mapped(self).offset); },
     nullptr, "The place in the file where the elements begin."},
};

const Native kMethods[] = {
    {"flush", "(self)", typed<flush>, "Writes what has changed to the file."},
};

const Native kConstructor = {
    "memmap", "(cls, filename, dtype='uint8', mode='r+', offset=0, shape=None, order='C')",
    typed<construct>,
    "An array whose memory is a file's: mode r (only read), r+ (read and written), w+ (a new "
    "file)\n"
    "or c (written in memory alone). ValueError for other modes and for a file that is too short."};

Value memmap_type(Interpreter& vm) {
  return Value(static_cast<Object*>(kept_type(vm, "_memmap", [&] {
    return vm.make_type<MappedArray>({.name = "memmap",
                                      .module = "numpy",
                                      .doc = kConstructor.doc,
                                      .base = arrays(vm).numpy_array,
                                      .slots = {.repr = repr},
                                      .methods = kMethods,
                                      .getters = kGetters,
                                      .constructor = &kConstructor});
  })));
}

// --- .npy headers --------------------------------------------------------------------------------

Value own_parse_header(Interpreter& vm, const Value& text, const Value& path) {
  const rt::NpyHeader header =
      rt::parse_npy_header(vm.to_text(text), std::string(vm.to_text(path)));
  return vm.tuple({shape_tuple(vm, header.shape), Value::boolean(header.fortran_order),
                   wrap_dtype(vm, header.dtype)});
}

Value own_memmap(Interpreter& vm, Args) { return memmap_type(vm); }

const Native kOwnRows[] = {
    {"_parse_header", "(text, path, /)", typed<own_parse_header>,
     "The shape, the order and the dtype of a .npy file's header."},
    {"_memmap_type", "()", own_memmap, "numpy.memmap."},
};

}  // namespace

std::span<const Native> own_mapping_rows() { return kOwnRows; }

}  // namespace gpy::lib
