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

// A text of a few characters, or bytes of Latin-1.
std::string mark_text(Interpreter& vm, const Value& value, const char* name) {
  const Value text =
      value.is<Bytes>() ? vm.call_method(value, "decode", {vm.str("latin-1")}) : value;
  return std::string(vm.to_text(text, name));
}

std::vector<std::string> comment_marks(Interpreter& vm, const Value& value) {
  if (value.is_none()) return {};
  if (value.is<Str>() || value.is<Bytes>()) return {mark_text(vm, value, "comments")};
  std::vector<std::string> marks;
  vm.for_each(value, [&](const Value& item) { marks.push_back(mark_text(vm, item, "comments")); });
  return marks;
}

bool is_bytes_name(const Value& encoding) {
  return encoding.is<Str>() && encoding.as<Str>()->view() == "bytes";
}

// A line of a list or of an open file; one of bytes is Latin-1 unless told otherwise.
void append_line(Interpreter& vm, const Value& line, const Value& encoding, std::string& text) {
  const Value given =
      is_given(encoding) && !is_bytes_name(encoding) ? encoding : Value(vm.str("latin-1"));
  const Value shown = line.is<Bytes>() ? vm.call_method(line, "decode", {given}) : line;
  if (!shown.is<Str>()) vm.raise_type_error("non-string returned while reading data");
  append_bytes(vm, text, shown.as<Str>()->view());
}

// The wanted columns: one, or some.
std::vector<int64_t> to_columns(Interpreter& vm, const Value& value) {
  std::vector<int64_t> columns;
  const auto add = [&](const Value& each) {
    if (!vm.has_index(each)) {
      vm.raise_type_error(
          "usecols must be an int or a sequence of ints but it contains at least one element of "
          "type '{}'",
          vm.type_name(each));
    }
    columns.push_back(vm.to_index(each));
  };
  if (vm.is_iterable(value)) {
    vm.for_each(value, add);
  } else {
    add(value);
  }
  return columns;
}

struct LineRows {
  int64_t count = 0;
  bool is_open = false;  // their last quotes are, so a row goes on in the next line
};

LineRows rows_of_lines(std::string_view lines, const rt::TextSyntax& syntax) {
  rt::TextRows rows(lines, syntax);
  std::vector<std::string_view> fields;
  while (rows.next(fields)) {
  }
  return {rows.count(), rows.ends_in_quotes()};
}

// Joins lines up to the last that the options ask for: what follows in an open file is read by
// others. A line without an end has one, except within quotes.
std::string joined_lines(Interpreter& vm, const Value& lines, const Value& encoding,
                         const rt::LoadTextOptions& options) {
  const int64_t limit = options.max_rows.value_or(INT64_MAX);
  const bool is_counted = options.max_rows || options.syntax.quote;
  std::string text;
  size_t row_start = 0;
  int64_t rows = 0, number = 0;
  if (!vm.is_iterable(lines)) {
    vm.raise_value_error(
        "fname must be a string, filehandle, list of strings,\nor generator. Got {} instead.",
        "<class '" + vm.type_name(lines) + "'>");
  }
  const Value iterator = vm.iterate(lines);
  while (rows < limit) {
    const Value line = vm.next(iterator);
    if (!line.is_defined()) break;
    const size_t line_start = text.size();
    append_line(vm, line, encoding, text);
    if (is_counted && number++ >= options.skiprows) {
      const LineRows found =
          rows_of_lines(std::string_view(text).substr(row_start), options.syntax);
      if (found.is_open) continue;
      rows += found.count;
    }
    if (text.size() == line_start || text.back() != '\n') append_byte(vm, text, '\n');
    row_start = text.size();
  }
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

std::string text_of_source(Interpreter& vm, const Value& source, const Value& encoding,
                           const rt::LoadTextOptions& options) {
  if (is_name(vm, source)) return text_of_name(vm, source, encoding);
  return joined_lines(vm, source, encoding, options);
}

std::string control_character(Interpreter& vm, const Value& value, const char* name) {
  if ((value.is<Str>() || value.is<Bytes>()) && vm.length(value) == 1) {
    return mark_text(vm, value, name);
  }
  vm.raise_type_error(
      "Text reading control character must be a single unicode character or None; but got: {}",
      vm.repr(value));
}

char quote_character(Interpreter& vm, const Value& value) {
  const std::string text = control_character(vm, value, "quotechar");
  if (text.size() == 1) return text[0];
  vm.raise_not_implemented_error("loadtxt: quotechar is an ASCII character (got {})",
                                 vm.repr(value));
}

// Which lines make rows, and where their fields end.
rt::LoadTextOptions text_options(Interpreter& vm, const Value& comments, const Value& delimiter,
                                 const Value& quotechar, const Value& skiprows,
                                 const Value& max_rows) {
  rt::LoadTextOptions options;
  options.syntax.comments = comment_marks(vm, comments);
  if (is_given(delimiter)) options.syntax.delimiter = control_character(vm, delimiter, "delimiter");
  if (is_given(quotechar)) options.syntax.quote = quote_character(vm, quotechar);
  options.skiprows = vm.to_index(skiprows);
  if (is_given(max_rows)) options.max_rows = vm.to_index(max_rows);
  rt::check_options(options);
  return options;
}

int to_ndmin(Interpreter& vm, const Value& value) {
  for (const int each : {0, 1, 2}) {
    if (vm.equal(value, Value::integer(each))) return each;
  }
  vm.raise_value_error("Illegal value of ndmin keyword: {}", vm.to_str(value));
}

void warn_of_blank_line(Interpreter& vm, const rt::LoadTextOptions& options,
                        std::optional<int64_t> rows_before) {
  if (!rows_before || options.max_rows.value_or(0) == 0) return;
  vm.warn(
      vm.types.user_warning,
      fmt::format(
          "Input line {} contained no data and will not be counted towards `max_rows={}`.  This "
          "differs from the behaviour in NumPy <=1.22 which counted lines rather than rows.  If "
          "desired, the previous behaviour can be achieved by using `itertools.islice`.\nPlease "
          "see the 1.23 release notes for an example on how to do this.  If you wish to ignore "
          "this warning, use `warnings.filterwarnings`.  This warning is expected to be removed "
          "in the future and is given only once per `loadtxt` call.",
          *rows_before + options.skiprows + 1, *options.max_rows));
}

void warn_of_no_data(Interpreter& vm, const Value& source) {
  vm.warn(vm.types.user_warning,
          fmt::format("loadtxt: input contained no data: \"{}\"", vm.to_str(source)));
}

Value loadtxt(Interpreter& vm, const Namespace& names, const Value& source, const Value& dtype,
              const Value& comments, const Value& delimiter, const Value& converters,
              const Value& skiprows, const Value& usecols, bool unpack, const Value& ndmin,
              const Value& encoding, const Value& max_rows, const Value& quotechar, Like) {
  // The library's own reader of lines knows converters.
  if (is_given(converters) && !names.is_cupy()) leave_to_other_kinds(vm);
  refuse_argument(vm, converters, "loadtxt", "converters");
  const rt::DType wanted = to_dtype(vm, dtype);
  rt::LoadTextOptions options =
      text_options(vm, comments, delimiter, quotechar, skiprows, max_rows);
  options.dtype = wanted;
  if (is_given(usecols)) options.usecols = to_columns(vm, usecols);
  options.ndmin = to_ndmin(vm, ndmin);
  const rt::InterruptScope scope(&vm.interrupt_flag());
  const rt::LoadedText loaded =
      rt::load_text(text_of_source(vm, source, encoding, options), options);
  warn_of_blank_line(vm, options, loaded.rows_before_blank);
  if (loaded.rows == 0) warn_of_no_data(vm, source);
  const rt::Array array = array_of_host(vm, loaded.table, names.space(session(vm)));
  return wrap_array(vm, unpack ? rt::transpose(array) : array);
}

// The rows of a text as lists of their fields.
Value rows_of_text(Interpreter& vm, const Value& source, const Value& encoding,
                   const Value& comments, const Value& delimiter, const Value& quotechar,
                   const Value& skiprows, const Value& max_rows) {
  const rt::LoadTextOptions options =
      text_options(vm, comments, delimiter, quotechar, skiprows, max_rows);
  const std::string text = text_of_source(vm, source, encoding, options);
  rt::TextRows rows(text, options.syntax);
  rows.skip_lines(options.skiprows);
  std::vector<Value> found;
  std::vector<std::string_view> fields;
  const int64_t limit = options.max_rows.value_or(INT64_MAX);
  while (rows.count() < limit && rows.next(fields)) {
    std::vector<Value> values;
    for (const std::string_view field : fields) append_item(vm, values, vm.str(std::string(field)));
    append_item(vm, found, vm.list(std::move(values)));
  }
  warn_of_blank_line(vm, options, rows.rows_before_blank());
  return vm.list(std::move(found));
}

Value check_text_options(Interpreter& vm, const Value& comments, const Value& delimiter,
                         const Value& quotechar, const Value& skiprows, const Value& max_rows) {
  text_options(vm, comments, delimiter, quotechar, skiprows, max_rows);
  return Value::none();
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
    {"_rows_of_text", "(source, encoding, comments, delimiter, quotechar, skiprows, max_rows, /)",
     typed<rows_of_text>, "The rows of a file or of lines as lists of texts."},
    {"_check_text_options", "(comments, delimiter, quotechar, skiprows, max_rows, /)",
     typed<check_text_options>, "Raises for options that no text can be read with."},
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
