// Arrays in files: .npy, and numbers as text.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/interrupt.h"
#include "runtime/graph/pin.h"
#include "runtime/io/load_text.h"
#include "runtime/io/npy.h"
#include "runtime/io/save_text.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/memory/pieces.h"
#include "src/types/paths.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

rt::Array array_of_host(Interpreter& vm, const rt::HostArray& host, rt::Space space) {
  return rt::from_host(session(vm), host.dtype, host.shape, host.data.data(), space);
}

namespace {

Value save(Interpreter& vm, Args args) {
  std::string path = path_text(vm, args[0]);
  if (!path.ends_with(".npy")) path += ".npy";
  rt::Array array = array_argument(vm, args, 1);
  const rt::Layout& layout = array.layout();
  const bool fortran = rt::is_f_contiguous(layout) && !rt::is_c_contiguous(layout);
  array = rt::astype(session(vm), array, array.dtype(), rt::Casting::kUnsafe, false,
                     fortran ? 'F' : 'C');
  const rt::HostRead read(session(vm), array);
  rt::write_npy(path, array.dtype(), array.shape(), fortran, read.data());
  return Value::none();
}

Value load(Interpreter& vm, Args args) {
  refuse_argument(vm, args, 1, "load", "mmap_mode");
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

rt::HostArray load_table(Interpreter& vm, const Value& source, const rt::LoadTextOptions& options) {
  if (!source.is<Str>()) return rt::load_text(joined_lines(vm, source), options);
  const std::string path = path_text(vm, source);
  if (access(path.c_str(), F_OK) != 0) {
    vm.raise(vm.types.file_not_found_error, path + " not found.");
  }
  return rt::load_text_file(path, options);
}

// (fname, dtype, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding,
// max_rows, quotechar, like)
Value loadtxt(Interpreter& vm, Args args) {
  refuse_argument(vm, args, 4, "loadtxt", "converters");
  rt::LoadTextOptions options;
  options.dtype = to_dtype(vm, args[1]);
  options.syntax.comments = comment_marks(vm, args[2]);
  if (is_given(args[3])) options.syntax.delimiter = vm.to_text(args[3], "delimiter");
  options.skiprows = vm.to_index(args[5]);
  if (is_given(args[6])) options.usecols = to_ints(vm, args[6]);
  options.ndmin = static_cast<int>(vm.to_index(args[8]));
  if (is_given(args[10])) options.max_rows = vm.to_index(args[10]);
  if (is_given(args[11])) options.syntax.quote = vm.to_text(args[11], "quotechar").at(0);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const rt::HostArray host = load_table(vm, args[0], options);
  const rt::Array array = array_of_host(vm, host, namespace_or_numpy(args).space(session(vm)));
  if (!vm.truth(args[7])) return wrap_array(vm, array);
  return wrap_array(vm, rt::transpose(array));
}

// (fname, X, fmt, delimiter, newline, header, footer, comments)
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
  const rt::InterruptScope scope(&vm.interrupt_flag());
  rt::save_text_file(path_text(vm, args[0]),
                     {array.dtype(), array.shape(), array.strides(), read.data()}, options);
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
