// Bytes and lines in and out of a File.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "src/memory/pieces.h"
#include "src/state.h"
#include "src/types/file.h"
#include "src/types/system_text.h"
#include "src/types/text_codec.h"

namespace gpy {

File::File(Type* type, Kind kind, Value name, std::string mode)
    : Object(type), kind(kind), name(std::move(name)), mode(std::move(mode)) {
  bool both = this->mode.find('+') != std::string::npos;
  readable = both || this->mode.find('r') != std::string::npos;
  writable = both || this->mode.find_first_of("wax") != std::string::npos;
}

File::~File() {
  if (stream) std::fclose(stream);
  type->vm->state().files_to_write.erase(this);
}

void File::open(FILE* opened) {
  stream = opened;
  if (writable) type->vm->state().files_to_write.insert(this);
}

void raise_os_error(Interpreter& vm, int number, const Value& name) {
  Value code = Value::integer(number), text = text_from_system(vm, strerror(number));
  Value type(vm.types.os_error);
  vm.raise(name.is_undefined() ? vm.call(type, {code, text}) : vm.call(type, {code, text, name}));
}

// io.UnsupportedOperation is of the library; without that it is what that derives from.
void raise_unsupported(Interpreter& vm, std::string_view message) {
  Value kind;
  try {
    kind = vm.try_get_attribute(vm.import_module("io"), vm.intern("UnsupportedOperation"));
  } catch (const Raised&) {
  }
  vm.raise(kind.is<Type>() ? kind.as<Type>() : vm.types.os_error, message);
}

void check_open(Interpreter& vm, const File& file) {
  if (!file.is_open()) vm.raise_value_error("I/O operation on closed file.");
}

static void begin_read(Interpreter& vm, File& file) {
  check_open(vm, file);
  if (!file.readable) raise_unsupported(vm, file.is_text() ? "not readable" : "read");
  if (file.last_was_write && file.stream) std::fseek(file.stream, 0, SEEK_CUR);
  file.last_was_write = false;
}

static FILE* source_of(File& file) {
  return file.kind == File::standard_input ? stdin : file.stream;
}

// --- reading -------------------------------------------------------------------------------------

static std::string with_plain_newlines(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\r') {
      text.push_back(raw[i]);
      continue;
    }
    text.push_back('\n');
    if (i + 1 < raw.size() && raw[i + 1] == '\n') ++i;
  }
  return text;
}

static std::string decoded(Interpreter& vm, const File& file, std::string raw) {
  if (!file.is_text()) return raw;
  std::string text = decode_text(vm, raw, file.encoding, file.errors);
  bool plain = !file.translate_newlines || text.find('\r') == text.npos;
  return plain ? text : with_plain_newlines(text);
}

static void check_stream(Interpreter& vm, FILE* stream) {
  if (!std::ferror(stream)) return;
  int number = errno;
  std::clearerr(stream);
  vm.poll();
  if (number != EINTR) raise_os_error(vm, number);
}

static std::string read_raw(Interpreter& vm, FILE* stream, size_t most) {
  constexpr size_t kStep = 1 << 16, kMostStep = 1 << 24;
  std::string raw;
  while (raw.size() < most) {
    vm.poll();
    size_t before = raw.size(), step = std::clamp(before, kStep, kMostStep);
    step = std::min(step, most - before);
    make_room(vm, raw, step);
    raw.resize(before + step);
    size_t got = std::fread(raw.data() + before, 1, step, stream);
    raw.resize(before + got);
    if (got < step) break;
  }
  check_stream(vm, stream);
  return raw;
}

// What fgets put into a row that was full of line ends: it wrote a zero behind it.
static std::string_view taken_by_fgets(std::string_view row) {
  const size_t end = row.find('\n');
  if (end == row.npos) return row.substr(0, row.size() - 1);
  const bool is_own = end + 1 < row.size() && row[end + 1] == '\0';
  return row.substr(0, is_own ? end + 1 : end - 1);
}

static std::string raw_line(Interpreter& vm, FILE* stream) {
  std::string raw;
  Heed heed(vm);
  do {
    heed.step();
    char row[512];
    std::memset(row, '\n', sizeof row);
    if (!std::fgets(row, sizeof row, stream)) {
      check_stream(vm, stream);
      break;
    }
    append_bytes(vm, raw, taken_by_fgets({row, sizeof row}));
  } while (raw.back() != '\n');
  return raw;
}

static size_t bytes_of_characters(std::string_view text, int64_t count) {
  size_t at = 0;
  for (; at < text.size() && count > 0; --count) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
  }
  return at;
}

static std::string take(std::string& pending, size_t bytes) {
  std::string taken = pending.substr(0, bytes);
  pending.erase(0, bytes);
  return taken;
}

// A line or more of text; empty at the end.
static std::string next_text(Interpreter& vm, File& file) {
  FILE* stream = source_of(file);
  std::string_view encoding = file.encoding;
  bool wide = file.is_text() &&
              (encoding.find("16") != encoding.npos || encoding.find("32") != encoding.npos);
  return decoded(vm, file, wide ? read_raw(vm, stream, SIZE_MAX) : raw_line(vm, stream));
}

// Where the first line of the text ends; npos: not in it.
static size_t end_of_line(const File& file, std::string_view text) {
  if (!file.is_text() || file.translate_newlines || file.newline == "\n") {
    size_t at = text.find('\n');
    return at == text.npos ? at : at + 1;
  }
  if (!file.newline.empty()) {
    size_t at = text.find(file.newline);
    return at == text.npos ? at : at + file.newline.size();
  }
  size_t at = text.find_first_of("\r\n");
  if (at == text.npos) return at;
  return text.substr(at, 2) == "\r\n" ? at + 2 : at + 1;
}

std::string read_all(Interpreter& vm, File& file, int64_t most) {
  begin_read(vm, file);
  FILE* stream = source_of(file);
  if (most >= 0 && !file.is_text()) return read_raw(vm, stream, static_cast<size_t>(most));
  if (most < 0) {
    std::string text = std::exchange(file.pending, {});
    return text += decoded(vm, file, read_raw(vm, stream, SIZE_MAX));
  }
  // Line by line, so that no character is cut.
  for (;;) {
    size_t bytes = bytes_of_characters(file.pending, most);
    if (bytes < file.pending.size()) return take(file.pending, bytes);
    std::string more = next_text(vm, file);
    if (more.empty()) return take(file.pending, bytes);
    append_bytes(vm, file.pending, more);
  }
}

std::string read_line(Interpreter& vm, File& file, int64_t most) {
  begin_read(vm, file);
  size_t end = end_of_line(file, file.pending);
  while (end == std::string::npos) {
    std::string more = next_text(vm, file);
    append_bytes(vm, file.pending, more);
    end = more.empty() ? file.pending.size() : end_of_line(file, file.pending);
  }
  if (most >= 0) end = std::min(end, bytes_of_characters(file.pending, most));
  if (end == file.pending.size()) return std::exchange(file.pending, {});
  return take(file.pending, end);
}

// --- writing -------------------------------------------------------------------------------------

static std::string with_line_ends(std::string_view text, std::string_view newline) {
  std::string result;
  for (char c : text) c == '\n' ? result += newline : result += c;
  return result;
}

void write_data(Interpreter& vm, File& file, std::string_view data) {
  check_open(vm, file);
  if (!file.writable) raise_unsupported(vm, file.is_text() ? "not writable" : "write");
  if (file.kind == File::standard_output) return vm.write_out(data);
  if (file.kind == File::standard_error) return vm.write_err(data);
  if (!file.last_was_write) std::fseek(file.stream, 0, SEEK_CUR);
  file.last_was_write = true;
  std::string translated;
  if (file.is_text() && file.newline.starts_with('\r')) {
    data = translated = with_line_ends(data, file.newline);
  }
  if (std::fwrite(data.data(), 1, data.size(), file.stream) < data.size())
    raise_os_error(vm, errno);
}

void flush_file(Interpreter& vm, File& file) {
  check_open(vm, file);
  if (file.kind == File::standard_output && vm.flush_out) vm.flush_out();
  if (file.stream && std::fflush(file.stream) != 0) raise_os_error(vm, errno);
}

void close_file(Interpreter& vm, File& file) {
  file.was_closed = true;
  file.pending.clear();
  vm.state().files_to_write.erase(&file);
  FILE* stream = std::exchange(file.stream, nullptr);
  if (stream && std::fclose(stream) != 0) raise_os_error(vm, errno);
}

}  // namespace gpy
