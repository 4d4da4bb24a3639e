// Arrays in files: .npy, and numbers as text.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/io/file.h"
#include "runtime/io/load_text.h"
#include "runtime/io/npy.h"
#include "runtime/io/save_text.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/memory/pieces.h"
#include "src/types/paths.h"
#include "src/types/text_codec.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

rt::Array array_of_host(Interpreter& vm, const rt::HostArray& host, rt::Space space) {
  return rt::from_host(session(vm), host.dtype, host.shape, host.data.data(), space);
}

namespace {

// An open file, in place of its name; undefined where it is none.
Value method_of_file(Interpreter& vm, const Value& file, const char* method) {
  if (file.is<Str>() || file.is<Bytes>()) return Value();
  return vm.try_get_attribute(file, vm.intern(method));
}

Value save(Interpreter& vm, Args args) {
  const Value write = method_of_file(vm, args[0], "write");
  std::string path = write.is_defined() ? "" : path_text(vm, args[0]);
  if (!path.ends_with(".npy")) path += ".npy";
  rt::Array array = array_argument(vm, args, 1);
  const rt::Layout& layout = array.layout();
  const bool fortran = rt::is_f_contiguous(layout) && !rt::is_c_contiguous(layout);
  array = rt::astype(session(vm), array, array.dtype(), rt::Casting::kUnsafe, false,
                     fortran ? 'F' : 'C');
  const rt::HostRead read(session(vm), array);
  if (!write.is_defined()) {
    rt::write_npy(path, array.dtype(), array.shape(), fortran, read.data());
    return Value::none();
  }
  vm.call(write, {vm.bytes(rt::npy_header(array.dtype(), array.shape(), fortran))});
  const auto* elements = reinterpret_cast<const char*>(read.data());
  vm.call(write, {vm.bytes(copy_text(vm, {elements, static_cast<size_t>(array.bytes())}))});
  return Value::none();
}

Value load(Interpreter& vm, Args args) {
  refuse_argument(vm, args, 1, "load", "mmap_mode");
  if (method_of_file(vm, args[0], "read").is_defined()) {
    vm.raise_not_implemented_error("load: an open file is not supported: give its name");
  }
  rt::NpyReader reader(path_text(vm, args[0]));
  const rt::NpyHeader& header = reader.header();
  const rt::Charge scratch(static_cast<size_t>(header.byte_count));
  std::vector<std::byte> content(static_cast<size_t>(header.byte_count));
  reader.read(content.data());
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  rt::Dims shape = header.shape;
  if (!header.fortran_order) {
    return wrap_array(vm, rt::from_host(session(vm), header.dtype, shape, content.data(), space));
  }
  std::reverse(shape.begin(), shape.end());
  return wrap_array(
      vm, rt::transpose(rt::from_host(session(vm), header.dtype, shape, content.data(), space)));
}

// --- text ----------------------------------------------------------------------------------------

std::vector<std::string> comment_marks(Interpreter& vm, const Value& value) {
  std::vector<std::string> marks;
  if (value.is_none()) return marks;
  if (value.is<Str>()) {
    marks.emplace_back(value.as<Str>()->view());
  } else {
    vm.for_each(value,
                [&](const Value& item) { marks.emplace_back(vm.to_text(item, "comments")); });
  }
  return marks;
}

// Lines, of a list or of an open file.
std::string joined_lines(Interpreter& vm, const Value& lines) {
  std::string text;
  vm.for_each(lines, [&](const Value& line) {
    append_bytes(vm, text, vm.to_text(line, "line"));
    if (!text.ends_with('\n')) append_byte(vm, text, '\n');
  });
  return text;
}

// What the system keeps as surrogates of other bytes is no text: the encoding decides, or an error.
std::string decoded_file(Interpreter& vm, const std::string& path, const Value& encoding) {
  std::string_view name = is_given(encoding) ? vm.to_text(encoding, "encoding") : "utf-8";
  if (name == "bytes") name = "utf-8";
  return decode_text(vm, rt::read_file(path), name, "strict");
}

rt::HostArray load_table(Interpreter& vm, const Value& source, const Value& encoding,
                         const rt::LoadTextOptions& options) {
  if (!source.is<Str>()) return rt::load_text(joined_lines(vm, source), options);
  const std::string path = path_text(vm, source);
  if (access(path.c_str(), F_OK) != 0) {
    vm.raise(vm.types.file_not_found_error, path + " not found.");
  }
  return rt::load_text(decoded_file(vm, path, encoding), options);
}

static std::string control_character(Interpreter& vm, const Value& value, const char* name) {
  const std::string text(vm.to_text(value, name));
  if (vm.length(value) == 1) return text;
  vm.raise_type_error(
      "Text reading control character must be a single unicode character or None; but got: {}",
      vm.repr(value));
}

static char quote_character(Interpreter& vm, const Value& value) {
  const std::string text = control_character(vm, value, "quotechar");
  if (text.size() == 1) return text[0];
  vm.raise_not_implemented_error("loadtxt: quotechar is an ASCII character (got {})",
                                 vm.repr(value));
}

// (fname, dtype, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding,
// max_rows, quotechar, like)
Value loadtxt(Interpreter& vm, Args args) {
  refuse_argument(vm, args, 4, "loadtxt", "converters");
  rt::LoadTextOptions options;
  options.dtype = to_dtype(vm, args[1]);
  options.syntax.comments = comment_marks(vm, args[2]);
  if (is_given(args[3])) options.syntax.delimiter = control_character(vm, args[3], "delimiter");
  options.skiprows = vm.to_index(args[5]);
  if (is_given(args[6])) options.usecols = to_ints(vm, args[6]);
  options.ndmin = static_cast<int>(vm.to_index(args[8]));
  if (is_given(args[10])) options.max_rows = vm.to_index(args[10]);
  if (is_given(args[11])) options.syntax.quote = quote_character(vm, args[11]);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const rt::HostArray host = load_table(vm, args[0], args[9], options);
  const rt::Array array = array_of_host(vm, host, namespace_or_numpy(args).space(session(vm)));
  if (!vm.truth(args[7])) return wrap_array(vm, array);
  return wrap_array(vm, rt::transpose(array));
}

std::string save_text_of(Interpreter& vm, const rt::HostView& view,
                         const rt::SaveTextOptions& options) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  return rt::save_text(view, options);
}

std::string encoded(Interpreter& vm, const std::string& text, const Value& encoding) {
  const Value bytes = vm.call_method(vm.str(text), "encode", {encoding});
  return bytes.as<Bytes>()->data;
}

// Text, or bytes where the file takes no text: Latin-1 where no encoding is given.
void write_to_file(Interpreter& vm, const Value& write, const std::string& text,
                   const Value& encoding) {
  try {
    vm.call(write, {vm.str(text)});
    return;
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.type_error)) throw;
  }
  const Value given = vm.truth(encoding) ? encoding : Value(vm.str("latin-1"));
  vm.call(write, {vm.call_method(vm.str(text), "encode", {given})});
}

// (fname, X, fmt, delimiter, newline, header, footer, comments, encoding)
Value savetxt(Interpreter& vm, Args args) {
  rt::SaveTextOptions options;
  if (args[2].is<Str>()) {
    options.fmt = {std::string(args[2].as<Str>()->view())};
  } else {
    options.fmt.clear();
    options.fmt_is_list = true;
    vm.for_each(args[2],
                [&](const Value& item) { options.fmt.emplace_back(vm.to_text(item, "fmt")); });
  }
  options.delimiter = vm.to_text(args[3], "delimiter");
  if (is_given(args[4])) options.newline = vm.to_text(args[4], "newline");
  options.header = vm.to_text(args[5], "header");
  options.footer = vm.to_text(args[6], "footer");
  options.comments = vm.to_text(args[7], "comments");
  const rt::Array array = array_argument(vm, args, 1);
  const rt::HostRead read(session(vm), array);
  const rt::HostView view{array.dtype(), array.shape(), array.strides(), read.data()};
  const Value write = method_of_file(vm, args[0], "write");
  if (write.is_defined()) {
    write_to_file(vm, write, save_text_of(vm, view, options), args[8]);
    return Value::none();
  }
  const std::string path = path_text(vm, args[0]);
  std::string text = save_text_of(vm, view, options);
  if (is_given(args[8])) text = encoded(vm, text, args[8]);
  rt::write_file(path, text);
  return Value::none();
}

const Native kFunctions[] = {
    {"save", "(file, arr, allow_pickle=True)", save, "Writes an array to a .npy file."},
    {"load", "(file, mmap_mode=None, allow_pickle=False)", load,
     "Reads an array from a .npy file."},
    {"loadtxt",
     "(fname, dtype=None, comments='#', delimiter=None, converters=None, skiprows=0, usecols=None, "
     "unpack=False, ndmin=0, encoding=None, max_rows=None, *, quotechar=None, like=None)",
     loadtxt, "Reads numbers from a text file."},
    {"savetxt",
     "(fname, X, fmt='%.18e', delimiter=' ', newline=<newline>, header='', footer='', comments='# "
     "', "
     "encoding=None)",
     savetxt, "Writes numbers to a text file."},
};

}  // namespace

Family file_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
