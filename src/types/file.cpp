// The type of files: methods, iteration, with.
#include "src/types/file.h"

#include <cerrno>
#include <unistd.h>

#include "src/exceptions/ignored.h"
#include "src/state.h"
#include "src/types/codecs.h"
#include "src/types/sequence.h"
#include "src/types/text_codec.h"

namespace gpy {

static File& file_of(const Value& v) { return *v.as<File>(); }

static Value wrapped(Interpreter& vm, const File& file, std::string data) {
  return file.is_text() ? Value(Str::make_part(vm, data)) : vm.bytes(std::move(data));
}

static int64_t size_argument(Interpreter& vm, const Value& v) {
  if (v.is_none()) return -1;
  if (!vm.has_index(v)) {
    vm.raise_type_error("argument should be integer or None, not '{}'", vm.type_name(v));
  }
  const Value size = vm.to_index_value(v);
  if (size.is_integer()) return size.as_integer();
  vm.raise_overflow_error("cannot fit 'int' into an index-sized integer");
}

static Value file_read(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  const int64_t size = size_argument(vm, args[1]);
  if (size < -1 && !file.is_text() && file.buffered) {
    vm.raise_value_error("read length must be non-negative or -1");
  }
  return wrapped(vm, file, read_all(vm, file, size));
}

static Value file_readline(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  return wrapped(vm, file, read_line(vm, file, size_argument(vm, args[1])));
}

static Value file_readlines(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  std::vector<Value> lines;
  int64_t hint = size_argument(vm, args[1]), total = 0;
  for (std::string line = read_line(vm, file); !line.empty(); line = read_line(vm, file)) {
    total += static_cast<int64_t>(line.size());
    lines.push_back(wrapped(vm, file, std::move(line)));
    if (hint > 0 && total > hint) break;
  }
  return vm.list(std::move(lines));
}

static std::string with_line_ends(std::string_view text, std::string_view newline) {
  std::string result;
  for (char c : text) c == '\n' ? result += newline : result += c;
  return result;
}

static bool is_at_start(const File& file) { return file.stream && std::ftell(file.stream) == 0; }

static void write_text(Interpreter& vm, File& file, const Str& text) {
  std::string translated;
  std::string_view view = text.view();
  if (file.newline.starts_with('\r')) view = translated = with_line_ends(view, file.newline);
  if (!file.codec) file.codec = find_codec(file.encoding);
  const std::string_view mark = file.codec->mark;
  if (text.is_ascii() && file.codec->unit == 1 && mark.empty()) return write_data(vm, file, view);
  const std::string bytes = encode_text(vm, view, file.encoding, file.errors);
  // Each text by itself has the mark in front, the file has one.
  write_data(vm, file, std::string_view(bytes).substr(is_at_start(file) ? 0 : mark.size()));
}

// The bytes that a value is as contents of the file, and how long it counts.
static int64_t write_value(Interpreter& vm, File& file, const Value& v) {
  if (!file.is_text()) {
    const Bytes* bytes = v.try_as<Bytes>();
    if (!bytes) vm.raise_type_error("a bytes-like object is required, not '{}'", vm.type_name(v));
    write_data(vm, file, bytes->data);
    return static_cast<int64_t>(bytes->data.size());
  }
  const Str* text = v.try_as<Str>();
  if (!text) vm.raise_type_error("write() argument must be str, not {}", vm.type_name(v));
  write_text(vm, file, *text);
  return static_cast<int64_t>(text->length);
}

static Value file_write(Interpreter& vm, Args args) {
  return Value::integer(write_value(vm, file_of(args[0]), args[1]));
}

static Value file_writelines(Interpreter& vm, Args args) {
  vm.for_each(args[1], [&](const Value& line) { write_value(vm, file_of(args[0]), line); });
  return Value::none();
}

static Value file_flush(Interpreter& vm, Args args) {
  flush_file(vm, file_of(args[0]));
  return Value::none();
}

static Value file_close(Interpreter& vm, Args args) {
  close_file(vm, file_of(args[0]));
  return Value::none();
}

static FILE* stream_of(Interpreter& vm, File& file) {
  check_open(vm, file);
  if (!file.stream) raise_unsupported(vm, "underlying stream is not seekable");
  return file.stream;
}

static Value file_tell(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  const long at = std::ftell(stream_of(vm, file));
  if (at < 0) raise_os_error(vm, errno);
  return Value::integer(at - static_cast<int64_t>(file.pending.size()));
}

static Value file_seek(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  FILE* stream = stream_of(vm, file);
  int64_t offset = vm.to_index(args[1]), whence = vm.to_index(args[2]);
  if (whence < 0 || whence > 2)
    vm.raise_value_error("invalid whence ({}, should be 0, 1 or 2)", whence);
  if (file.is_text() && whence == 1 && offset != 0) {
    raise_unsupported(vm, "can't do nonzero cur-relative seeks");
  }
  if (whence == 1) offset -= static_cast<int64_t>(file.pending.size());
  file.pending.clear();
  if (std::fseek(stream, offset, static_cast<int>(whence)) != 0) raise_os_error(vm, errno);
  return Value::integer(std::ftell(stream));
}

static Value file_truncate(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  FILE* stream = stream_of(vm, file);
  std::fflush(stream);
  int64_t size = args[1].is_none() ? std::ftell(stream) : vm.to_index(args[1]);
  if (ftruncate(fileno(stream), size) != 0) raise_os_error(vm, errno);
  return Value::integer(size);
}

static int descriptor(const File& file) {
  switch (file.kind) {
    case File::standard_input: return STDIN_FILENO;
    case File::standard_output: return STDOUT_FILENO;
    case File::standard_error: return STDERR_FILENO;
    case File::on_disk: break;
  }
  return file.stream ? fileno(file.stream) : -1;
}

static Value file_fileno(Interpreter&, Args args) {
  return Value::integer(descriptor(file_of(args[0])));
}
static Value file_isatty(Interpreter&, Args args) {
  return Value::boolean(isatty(descriptor(file_of(args[0]))) == 1);
}
static Value file_readable(Interpreter&, Args args) {
  return Value::boolean(file_of(args[0]).readable);
}
static Value file_writable(Interpreter&, Args args) {
  return Value::boolean(file_of(args[0]).writable);
}
static Value file_seekable(Interpreter& vm, Args args) {
  File& file = file_of(args[0]);
  check_open(vm, file);
  return Value::boolean(file.stream && lseek(fileno(file.stream), 0, SEEK_CUR) >= 0);
}

static const Native kMethods[] = {
    {"close", "(self, /)", file_close, "Writes what is left and ends the use of the file."},
    {"fileno", "(self, /)", file_fileno, "The operating system's number of the file."},
    {"flush", "(self, /)", file_flush, "Writes what is waiting."},
    {"isatty", "(self, /)", file_isatty, "Whether it is a terminal."},
    {"read", "(self, size=-1, /)", file_read, "The rest of the file, or so much of it."},
    {"readable", "(self, /)", file_readable, "Whether it can be read."},
    {"readline", "(self, size=-1, /)", file_readline, "The next line; empty at the end."},
    {"readlines", "(self, hint=-1, /)", file_readlines, "The lines that are left."},
    {"seek", "(self, offset, whence=0, /)", file_seek, "Goes to a place in the file."},
    {"seekable", "(self, /)", file_seekable, "Whether one can go to any place."},
    {"tell", "(self, /)", file_tell, "The place in the file."},
    {"truncate", "(self, size=None, /)", file_truncate, "Cuts the file off."},
    {"writable", "(self, /)", file_writable, "Whether it can be written."},
    {"write", "(self, text, /)", file_write, "Writes text, or bytes if the file is binary."},
    {"writelines", "(self, lines, /)", file_writelines, "Writes each item."},
};

static Value get_name(Interpreter&, const Value& self) { return file_of(self).name; }
static Value get_mode(Interpreter& vm, const Value& self) { return vm.str(file_of(self).mode); }
static Value get_closed(Interpreter&, const Value& self) {
  return Value::boolean(!file_of(self).is_open());
}
static Value get_errors(Interpreter& vm, const Value& self) {
  return file_of(self).is_text() ? vm.str(file_of(self).errors) : Value::none();
}
static Value get_encoding(Interpreter& vm, const Value& self) {
  return file_of(self).is_text() ? vm.str(file_of(self).encoding) : Value::none();
}

static const NativeGetter kGetters[] = {
    {"name", get_name},         {"mode", get_mode},     {"closed", get_closed},
    {"encoding", get_encoding}, {"errors", get_errors},
};

static std::string file_repr(Interpreter& vm, const Value& self) {
  const File& file = file_of(self);
  std::string name = vm.repr(file.name);
  if (file.is_text()) {
    return fmt::format("<_io.TextIOWrapper name={} mode='{}' encoding='{}'>", name, file.mode,
                       file.encoding);
  }
  const char* type = file.readable && file.writable ? "BufferedRandom"
                     : file.readable                ? "BufferedReader"
                                                    : "BufferedWriter";
  return fmt::format("<_io.{} name={}>", type, name);
}

static Value file_iter(Interpreter& vm, const Value& self) {
  check_open(vm, file_of(self));
  return self;
}

static Value file_next(Interpreter& vm, const Value& self) {
  std::string line = read_line(vm, file_of(self));
  return line.empty() ? Value() : wrapped(vm, file_of(self), std::move(line));
}

static bool file_exit(Interpreter& vm, const Value& self, const Value&) {
  close_file(vm, file_of(self));
  return false;
}

// Of a file that nobody closed.
static void file_finalise(Interpreter& vm, Object* self) {
  File& file = *static_cast<File*>(self);
  if (!file.stream) return;
  ignoring_exceptions(
      vm, [&] { close_file(vm, file); }, [&] { return file_repr(vm, Value(self)); });
}

void close_left_files(Interpreter& vm) noexcept {
  auto& left = vm.state().files_to_write;
  while (!left.empty()) file_finalise(vm, *left.begin());
}

void setup_files(Interpreter& vm) {
  vm.types.file = vm.make_type<File>({.name = "TextIOWrapper",
                                      .module = "_io",
                                      .doc = "An open file.",
                                      .slots = {.repr = file_repr,
                                                .iter = file_iter,
                                                .next = file_next,
                                                .enter = file_iter,
                                                .exit = file_exit,
                                                .finalise = file_finalise},
                                      .methods = kMethods,
                                      .getters = kGetters});
}

Value make_standard_file(Interpreter& vm, File::Kind kind) {
  const char* name = kind == File::standard_input    ? "<stdin>"
                     : kind == File::standard_output ? "<stdout>"
                                                     : "<stderr>";
  const char* mode = kind == File::standard_input ? "r" : "w";
  Ref<File> file = vm.make<File>(vm.types.file, kind, vm.str(name), mode);
  if (kind == File::standard_error) file->errors = "backslashreplace";
  return file;
}

}  // namespace gpy
