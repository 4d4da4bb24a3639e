// Numbers in files of text.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/io/deflate.h"
#include "runtime/io/file.h"
#include "runtime/io/load_text.h"
#include "runtime/io/parse_number.h"
#include "runtime/io/regular_expression.h"
#include "runtime/io/save_text.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "src/types/paths.h"
#include "src/types/text_codec.h"
#include "stdlib/native/numpy/file_rows.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/script_files.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

rt::Array array_of_host(Interpreter& vm, const rt::HostArray& host, rt::Space space) {
  return rt::from_host(session(vm), host.dtype, host.shape, host.data.data(), space);
}

namespace {

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

bool is_bytes_name(const Value& encoding) {
  return encoding.is<Str>() && encoding.as<Str>()->view() == "bytes";
}

// Joins lines, of a list or of an open file; those of bytes are Latin-1 unless told otherwise.
std::string joined_lines(Interpreter& vm, const Value& lines, const Value& encoding) {
  std::string text;
  vm.for_each(lines, [&](const Value& line) {
    const Value given =
        is_given(encoding) && !is_bytes_name(encoding) ? encoding : Value(vm.str("latin-1"));
    const Value shown = line.is<Bytes>() ? vm.call_method(line, "decode", {given}) : line;
    append_bytes(vm, text, vm.to_text(shown, "line"));
    if (!text.ends_with('\n')) append_byte(vm, text, '\n');
  });
  return text;
}

bool is_gzip(const std::string& path) {
  for (const char* other : {".bz2", ".xz"}) {
    if (path.ends_with(other)) {
      rt::fail(rt::ErrorKind::kNotImplemented, "{}: of compressed texts only .gz is supported",
               path);
    }
  }
  return path.ends_with(".gz");
}

std::string unpacked(const std::string& path) {
  rt::InputFile file(path);
  rt::InflatedInput input(file, rt::Wrapping::kGzip);
  return rt::read_rest(input);
}

// Bytes that are not text of the encoding are an error here, not surrogates as in system names.
std::string decoded_file(Interpreter& vm, const std::string& path, const Value& encoding) {
  std::string_view name = is_given(encoding) ? vm.to_text(encoding, "encoding") : "utf-8";
  if (name == "bytes") name = "utf-8";
  const std::string bytes = is_gzip(path) ? unpacked(path) : rt::read_file(path);
  return decode_text(vm, bytes, name, "strict");
}

bool is_name(Interpreter& vm, const Value& source) {
  return source.is<Str>() || vm.try_get_attribute(source, vm.intern("__fspath__")).is_defined();
}

std::string text_of_name(Interpreter& vm, const Value& name, const Value& encoding) {
  const std::string path = path_text(vm, fs_path(vm, name));
  if (access(path.c_str(), F_OK) != 0) {
    vm.raise(vm.types.file_not_found_error, path + " not found.");
  }
  return decoded_file(vm, path, encoding);
}

rt::HostArray load_table(Interpreter& vm, const Value& source, const Value& encoding,
                         const rt::LoadTextOptions& options) {
  if (!is_name(vm, source)) return rt::load_text(joined_lines(vm, source, encoding), options);
  return rt::load_text(text_of_name(vm, source, encoding), options);
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

Value loadtxt(Interpreter& vm, const Namespace& names, const Value& source, const Value& dtype,
              const Value& comments, const Value& delimiter, const Value& converters,
              const Value& skiprows, const Value& usecols, bool unpack, const Value& ndmin,
              const Value& encoding, const Value& max_rows, const Value& quotechar, Like) {
  // The library's own reader of lines knows converters.
  if (is_given(converters) && !names.is_cupy()) leave_to_other_kinds(vm);
  refuse_argument(vm, converters, "loadtxt", "converters");
  rt::LoadTextOptions options;
  options.dtype = to_dtype(vm, dtype);
  options.syntax.comments = comment_marks(vm, comments);
  if (is_given(delimiter)) options.syntax.delimiter = control_character(vm, delimiter, "delimiter");
  options.skiprows = vm.to_index(skiprows);
  if (is_given(usecols)) options.usecols = to_ints(vm, usecols);
  options.ndmin = static_cast<int>(vm.to_index(ndmin));
  if (is_given(max_rows)) options.max_rows = vm.to_index(max_rows);
  if (is_given(quotechar)) options.syntax.quote = quote_character(vm, quotechar);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const rt::HostArray host = load_table(vm, source, encoding, options);
  const rt::Array array = array_of_host(vm, host, names.space(session(vm)));
  return wrap_array(vm, unpack ? rt::transpose(array) : array);
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

// Writes text, or bytes where the file takes no text: Latin-1 where no encoding is given.
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

// Reads one format for all columns, or one for each.
void read_formats(Interpreter& vm, const Value& value, rt::SaveTextOptions& options) {
  if (value.is<Str>()) {
    options.fmt = {std::string(value.as<Str>()->view())};
    return;
  }
  options.fmt.clear();
  options.fmt_is_list = true;
  vm.for_each(value, [&](const Value& item) { options.fmt.emplace_back(vm.to_text(item, "fmt")); });
}

// A file by name, packed where its name ends in .gz.
void write_to_name(Interpreter& vm, const Value& file, std::string text, const Value& encoding) {
  const std::string path = path_text(vm, file);
  if (is_given(encoding)) text = encoded(vm, text, encoding);
  if (!is_gzip(path)) return rt::write_file(path, text);
  rt::OutputFile output(path);
  rt::DeflatedOutput packed(output, rt::Wrapping::kGzip);
  packed.write(text);
  packed.finish();
  output.commit();
}

void save_table(Interpreter& vm, const Value& file, const rt::Array& array, const Value& encoding,
                const rt::SaveTextOptions& options) {
  const rt::HostRead read(session(vm), array);
  const rt::HostView view{array.dtype(), array.shape(), array.strides(), read.data()};
  const Value write = method_of_file(vm, file, "write");
  if (write.is_defined()) {
    return write_to_file(vm, write, save_text_of(vm, view, options), encoding);
  }
  write_to_name(vm, file, save_text_of(vm, view, options), encoding);
}

Value savetxt(Interpreter& vm, const Namespace& names, const Value& file, const Value& array,
              const Value& fmt, const Value& delimiter, const Value& newline, const Value& header,
              const Value& footer, const Value& comments, const Value& encoding) {
  rt::SaveTextOptions options;
  read_formats(vm, fmt, options);
  options.delimiter = vm.to_text(delimiter, "delimiter");
  if (is_given(newline)) options.newline = vm.to_text(newline, "newline");
  options.header = vm.to_text(header, "header");
  options.footer = vm.to_text(footer, "footer");
  options.comments = vm.to_text(comments, "comments");
  save_table(vm, file, to_array(vm, array, names), encoding, options);
  return Value::none();
}

Value text_of_file(Interpreter& vm, const Value& file, const Value& encoding) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  return vm.str(text_of_name(vm, file, encoding));
}

Value write_text(Interpreter& vm, const Value& file, const Value& text, const Value& encoding) {
  write_to_name(vm, file, std::string(vm.to_text(text)), encoding);
  return Value::none();
}

// What each match of a regular expression is, as re.findall gives it: its text, its group's, or a
// tuple of its groups'. A pattern of bytes finds bytes.
Value found_in(Interpreter& vm, const Value& pattern, const Value& text) {
  using Units = rt::RegularExpression::Units;
  const bool bytes = text.is<Bytes>();
  const auto view = [](const Value& each) {
    return each.is<Bytes>() ? std::string_view(each.as<Bytes>()->data) : each.as<Str>()->view();
  };
  const auto part = [&](std::string_view found) {
    return bytes ? vm.bytes(std::string(found)) : vm.str(std::string(found));
  };
  const rt::RegularExpression expression(view(pattern), bytes ? Units::kBytes : Units::kCharacters);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  std::vector<Value> row;
  expression.for_each_match(view(text), [&](std::span<const std::string_view> match) {
    if (match.size() <= 2) return append_item(vm, row, part(match.back()));
    std::vector<Value> groups;
    for (const std::string_view group : match.subspan(1)) groups.push_back(part(group));
    append_item(vm, row, vm.tuple(std::move(groups)));
  });
  return vm.list(std::move(row));
}

// Float64 numbers of texts, and `fill` for what is none.
Value floats_of(Interpreter& vm, const Value& texts, double fill) {
  const auto items = texts.as<Tuple>()->items();
  rt::HostArray found{rt::DType::kFloat64, {std::ssize(items)}, {}};
  const rt::Charge room(items.size() * sizeof(double));
  found.data.resize(items.size() * sizeof(double));
  const rt::InterruptScope scope(&vm.interrupt_flag());
  rt::for_each_polled(std::ssize(items), [&](int64_t i) {
    const double number = rt::parse_float(items[i].as<Str>()->view()).value_or(fill);
    std::memcpy(found.data.data() + i * sizeof(double), &number, sizeof number);
  });
  return wrap_array(vm, array_of_host(vm, found, rt::Space::host()));
}

const Native kOwnRows[] = {
    {"_text_of_file", "(file, encoding, /)", typed<text_of_file>,
     "The text of a file by name, unpacked."},
    {"_write_text", "(file, text, encoding, /)", typed<write_text>,
     "Writes a file by name, packed where that ends in .gz."},
    {"_found_in", "(pattern, text, /)", typed<found_in>,
     "What a regular expression finds in a str or in bytes, as re.findall."},
    {"_floats_of", "(texts, fill, /)", typed<floats_of>, "A tuple's texts as floats."},
};

const Native kFunctions[] = {
    {"loadtxt",
     "(fname, dtype=None, comments='#', delimiter=None, converters=None, skiprows=0, usecols=None, "
     "unpack=False, ndmin=0, encoding=None, max_rows=None, *, quotechar=None, like=None)",
     typed<loadtxt>, "Reads numbers from a text file."},
    {"savetxt",
     "(fname, X, fmt='%.18e', delimiter=' ', newline=<newline>, header='', footer='', comments='# "
     "', "
     "encoding=None)",
     typed<savetxt>, "Writes numbers to a text file."},
};

}  // namespace

Family file_family() { return {.functions = kFunctions}; }

std::span<const Native> own_text_rows() { return kOwnRows; }

}  // namespace gpy::lib
