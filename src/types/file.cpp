// The type of files: methods, iteration, with.
#include "src/types/file.h"

#include <cerrno>
#include <unistd.h>

#include "src/exceptions/ignored.h"
#include "src/state.h"
#include "src/typed_native.h"
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

static Value file_read(Interpreter& vm, File& self, const Value& size) {
  const int64_t most = size_argument(vm, size);
  if (most < -1 && !self.is_text() && self.buffered) {
    vm.raise_value_error("read length must be non-negative or -1");
  }
  return wrapped(vm, self, read_all(vm, self, most));
}

static Value file_readline(Interpreter& vm, File& self, const Value& size) {
  return wrapped(vm, self, read_line(vm, self, size_argument(vm, size)));
}

static Value file_readlines(Interpreter& vm, File& self, const Value& hint) {
  std::vector<Value> lines;
  const int64_t enough = size_argument(vm, hint);
  int64_t total = 0;
  for (std::string line = read_line(vm, self); !line.empty(); line = read_line(vm, self)) {
    total += static_cast<int64_t>(line.size());
    lines.push_back(wrapped(vm, self, std::move(line)));
    if (enough > 0 && total > enough) break;
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
  // Each encoded text has the mark in front, but the file has only one.
  write_data(vm, file, std::string_view(bytes).substr(is_at_start(file) ? 0 : mark.size()));
}

// Writes a value as bytes of the file, and returns its length.
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

static Value file_write(Interpreter& vm, File& self, const Value& text) {
  return Value::integer(write_value(vm, self, text));
}

static Value file_writelines(Interpreter& vm, File& self, const Value& lines) {
  vm.for_each(lines, [&](const Value& line) { write_value(vm, self, line); });
  return Value::none();
}

static Value file_flush(Interpreter& vm, File& self) {
  flush_file(vm, self);
  return Value::none();
}

static Value file_close(Interpreter& vm, File& self) {
  close_file(vm, self);
  return Value::none();
}

static FILE* stream_of(Interpreter& vm, File& file) {
  check_open(vm, file);
  if (!file.stream) raise_unsupported(vm, "underlying stream is not seekable");
  return file.stream;
}

static Value file_tell(Interpreter& vm, File& self) {
  const long at = std::ftell(stream_of(vm, self));
  if (at < 0) raise_os_error(vm, errno);
  return Value::integer(at - static_cast<int64_t>(self.pending.size()));
}

// A closed file raises its error before the arguments are converted.
static Value file_seek(Interpreter& vm, File& self, const Value& offset, const Value& whence) {
  FILE* stream = stream_of(vm, self);
  int64_t steps = vm.to_index(offset), from = vm.to_index(whence);
  if (from < 0 || from > 2) vm.raise_value_error("invalid whence ({}, should be 0, 1 or 2)", from);
  if (self.is_text() && from == 1 && steps != 0) {
    raise_unsupported(vm, "can't do nonzero cur-relative seeks");
  }
  if (from == 1) steps -= static_cast<int64_t>(self.pending.size());
  self.pending.clear();
  if (std::fseek(stream, steps, static_cast<int>(from)) != 0) raise_os_error(vm, errno);
  return Value::integer(std::ftell(stream));
}

static Value file_truncate(Interpreter& vm, File& self, const Value& size) {
  FILE* stream = stream_of(vm, self);
  std::fflush(stream);
  int64_t bytes = size.is_none() ? std::ftell(stream) : vm.to_index(size);
  if (ftruncate(fileno(stream), bytes) != 0) raise_os_error(vm, errno);
  return Value::integer(bytes);
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

static Value file_fileno(Interpreter&, File& self) { return Value::integer(descriptor(self)); }
static Value file_isatty(Interpreter&, File& self) {
  return Value::boolean(isatty(descriptor(self)) == 1);
}
static Value file_readable(Interpreter&, File& self) { return Value::boolean(self.readable); }
static Value file_writable(Interpreter&, File& self) { return Value::boolean(self.writable); }
static Value file_seekable(Interpreter& vm, File& self) {
  check_open(vm, self);
  return Value::boolean(self.stream && lseek(fileno(self.stream), 0, SEEK_CUR) >= 0);
}

static const Native kMethods[] = {
    {"close", "(self, /)", typed<file_close>, "Writes what is left and ends the use of the file."},
    {"fileno", "(self, /)", typed<file_fileno>, "The operating system's number of the file."},
    {"flush", "(self, /)", typed<file_flush>, "Writes what is waiting."},
    {"isatty", "(self, /)", typed<file_isatty>, "Whether it is a terminal."},
    {"read", "(self, size=-1, /)", typed<file_read>, "The rest of the file, or so much of it."},
    {"readable", "(self, /)", typed<file_readable>, "Whether it can be read."},
    {"readline", "(self, size=-1, /)", typed<file_readline>, "The next line; empty at the end."},
    {"readlines", "(self, hint=-1, /)", typed<file_readlines>, "The lines that are left."},
    {"seek", "(self, offset, whence=0, /)", typed<file_seek>, "Goes to a place in the file."},
    {"seekable", "(self, /)", typed<file_seekable>, "Whether one can go to any place."},
    {"tell", "(self, /)", typed<file_tell>, "The place in the file."},
    {"truncate", "(self, size=None, /)", typed<file_truncate>, "Cuts the file off."},
    {"writable", "(self, /)", typed<file_writable>, "Whether it can be written."},
    {"write", "(self, text, /)", typed<file_write>, "Writes text, or bytes if the file is binary."},
    {"writelines", "(self, lines, /)", typed<file_writelines>, "Writes each item."},
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

// Closes a file that was not closed before its end.
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
