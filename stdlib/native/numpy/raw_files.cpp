// Numbers in files without a header: their bytes, or texts with one separator between them.
#include <algorithm>

#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/io/file.h"
#include "runtime/io/separated.h"
#include "runtime/ops/create.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "src/types/paths.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/script_files.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {
namespace {

rt::DType parsed_as(rt::DType dtype) {
  if (rt::is_complex(dtype)) return rt::DType::kComplex128;
  if (!rt::is_integer(dtype) || dtype == rt::DType::kBool) return rt::DType::kFloat64;
  return rt::kind(dtype) == rt::DTypeKind::kUnsigned ? rt::DType::kUInt64 : rt::DType::kInt64;
}

// With fewer numbers than `count` in the text, those that there are.
rt::Array separated(Interpreter& vm, std::string_view text, rt::DType dtype, int64_t count,
                    std::string_view sep, rt::Space space) {
  const rt::HostArray found = rt::read_separated(text, sep, parsed_as(dtype), count);
  const rt::Array numbers = array_of_host(vm, found, rt::Space::host());
  return rt::to_space(session(vm), rt::astype(session(vm), numbers, dtype, rt::Casting::kUnsafe),
                      space);
}

std::string_view text_of(Interpreter& vm, const Value& value) {
  if (const Str* text = value.try_as<Str>()) return text->view();
  if (const Bytes* bytes = value.try_as<Bytes>()) return bytes->data;
  vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(value));
}

Value fromstring(Interpreter& vm, const Namespace& names, const Value& string, rt::DType dtype,
                 int64_t count, std::string_view sep, Like) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const std::string_view text = text_of(vm, string);
  if (sep.empty()) {
    vm.raise_value_error("The binary mode of fromstring is removed, use frombuffer instead");
  }
  const rt::Array found = separated(vm, text, dtype, count, sep, names.space(session(vm)));
  if (count > found.size()) vm.raise_value_error("string is smaller than requested size");
  return wrap_array(vm, found);
}

// --- files ---------------------------------------------------------------------------------------

// False where the input has fewer.
bool skip(rt::ByteInput& input, int64_t bytes) {
  std::string piece(static_cast<size_t>(std::clamp<int64_t>(bytes, 0, 1 << 16)), '\0');
  while (bytes > 0) {
    rt::poll_interrupt();
    const size_t wanted = std::min(piece.size(), static_cast<size_t>(bytes));
    if (input.read(piece.data(), wanted) < wanted) return false;
    bytes -= static_cast<int64_t>(wanted);
  }
  return true;
}

// The items of a file that tells how much it holds are read where they stay.
rt::Array items_of(Interpreter& vm, rt::ByteInput& input, rt::DType dtype, int64_t count,
                   rt::Space space) {
  const int64_t size = rt::item_size(dtype), left = input.left();
  if (left < 0) {
    const int64_t most = count < 0 || count > INT64_MAX / size ? -1 : count * size;
    const std::string bytes = rt::read_rest(input, most);
    return rt::from_host(session(vm), dtype, {std::ssize(bytes) / size}, bytes.data(), space);
  }
  const int64_t items = count < 0 ? left / size : std::min(count, left / size);
  const rt::Array array = rt::empty(session(vm), {items}, dtype, rt::Space::host());
  size_t got = 0;
  {
    const rt::WriteAccess access(session(vm), array, rt::kHostPlace);
    got = input.read(access.data(), static_cast<size_t>(items * size));
  }
  if (got < static_cast<size_t>(items * size)) {
    vm.raise_value_error("{}: the file became shorter while it was read", input.path());
  }
  return rt::to_space(session(vm), array, space);
}

struct RawRequest {
  rt::DType dtype;
  int64_t count;
  std::string_view sep;
  int64_t offset;
};

Value read_raw(Interpreter& vm, const Namespace& names, rt::ByteInput& input,
               const RawRequest& request) {
  const rt::Space space = names.space(session(vm));
  if (request.sep.empty()) {
    if (!skip(input, request.offset) && request.count < 0) {
      vm.raise_value_error("{}: offset {} is beyond its end", input.path(), request.offset);
    }
    return wrap_array(vm, items_of(vm, input, request.dtype, request.count, space));
  }
  const std::string text = rt::read_rest(input, -1);
  return wrap_array(vm, separated(vm, text, request.dtype, request.count, request.sep, space));
}

Value fromfile(Interpreter& vm, const Namespace& names, const Value& file, rt::DType dtype,
               int64_t count, std::string_view sep, int64_t offset, Like) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  if (offset != 0 && !sep.empty()) {
    vm.raise_type_error("'offset' argument only permitted for binary files");
  }
  if (offset < 0) vm.raise_value_error("fromfile: offset must be at least 0 (got {})", offset);
  const RawRequest request{dtype, count, sep, offset};
  if (method_of_file(vm, file, "read").is_defined()) {
    ScriptInput input(vm, file);
    return read_raw(vm, names, input, request);
  }
  rt::InputFile input(path_text(vm, file));
  return read_raw(vm, names, input, request);
}

// --- writing -------------------------------------------------------------------------------------

// Elements as Python's numbers, each through `format`.
void write_texts(Interpreter& vm, rt::ByteOutput& output, const rt::Array& array,
                 std::string_view sep, const Value& format) {
  constexpr size_t kPiece = 1 << 16;
  const rt::HostRead read(session(vm), array);
  const auto size = rt::item_size(array.dtype());
  const std::string_view given = vm.to_text(format, "format");
  const bool is_plain = given.empty() || given == "%s";
  std::string text;
  rt::for_each_polled(array.size(), [&](int64_t i) {
    const Value item = python_number(vm, rt::Scalar::load(array.dtype(), read.data() + i * size));
    if (i > 0) append_bytes(vm, text, sep);
    const Value shown = is_plain ? Value(vm.str(vm.to_str(item)))
                                 : vm.call_method(format, "__mod__", {vm.tuple({item})});
    append_bytes(vm, text, vm.to_text(shown, "format"));
    if (text.size() < kPiece) return;
    output.write(text);
    text.clear();
  });
  output.write(text);
}

Value tofile(Interpreter& vm, const rt::Array& self, const Value& file, std::string_view sep,
             const Value& format) {
  vm.to_text(format, "format");
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const rt::Array dense =
      rt::astype(session(vm), self, self.dtype(), rt::Casting::kUnsafe, false, 'C');
  const auto write = [&](rt::ByteOutput& output) {
    if (!sep.empty()) return write_texts(vm, output, dense, sep, format);
    const rt::HostRead read(session(vm), dense);
    output.write(read.data(), static_cast<size_t>(dense.bytes()));
  };
  if (Value method = method_of_file(vm, file, "write"); method.is_defined()) {
    ScriptOutput output(vm, std::move(method));
    write(output);
    return Value::none();
  }
  rt::OutputFile output(path_text(vm, file));
  write(output);
  output.commit();
  return Value::none();
}

template <const char* name> Value refuse_pickle(Interpreter& vm, const Value&, const Value&) {
  vm.raise_not_implemented_error("ndarray.{}: gpy does not pickle: np.save writes .npy files",
                                 name);
}
constexpr char kDump[] = "dump", kDumps[] = "dumps";

const Native kFunctions[] = {
    {"fromfile", "(file, dtype=None, count=-1, sep='', offset=0, *, like=None)", typed<fromfile>,
     "The numbers of a file without a header: their bytes after `offset` bytes, or with a "
     "separator "
     "texts. At most `count` of them; bytes that make no whole number at the end are left."},
    {"fromstring", "(string, dtype=None, count=-1, *, sep='', like=None)", typed<fromstring>,
     "The numbers of a text with a separator between them; white space in it is any or none. "
     "ValueError where something else stands."},
};

const Native kMethods[] = {
    {"tofile", "(self, fid, /, sep='', format='%s')", typed<tofile>,
     "Writes the elements in C order: their bytes, or with a separator as texts."},
    {"dump", "(self, file, /)", typed<refuse_pickle<kDump>>, "Not in gpy, which does not pickle."},
    {"dumps", "(self, protocol=None, /)", typed<refuse_pickle<kDumps>>,
     "Not in gpy, which does not pickle."},
};

}  // namespace

Family raw_file_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
