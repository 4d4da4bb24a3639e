// Reading and writing the bytes and lines of a File.
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

// io.UnsupportedOperation is the library's; without that module, the error is its base OSError.
void raise_unsupported(Interpreter& vm, std::string_view message) {
  Value kind;
  try {
    kind = vm.try_get_attribute(vm.import_module("io"), vm.intern("UnsupportedOperation"));
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.exception)) throw;
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

// The bytes that fgets put into a row that was full of line ends: it wrote a zero behind them.
static std::string_view taken_by_fgets(std::string_view row) {
  const size_t end = row.find('\n');
  if (end == row.npos) return row.substr(0, row.size() - 1);
  const bool is_own = end + 1 < row.size() && row[end + 1] == '\0';
  return row.substr(0, is_own ? end + 1 : end - 1);
}

// Reads to the end of the line, but no more than so many bytes.
static std::string raw_line(Interpreter& vm, FILE* stream, size_t most) {
  std::string raw;
  InterruptPoll poll(vm);
  while (raw.size() < most && !raw.ends_with('\n')) {
    poll.step();
    char row[512];
    const size_t size = std::min(sizeof row - 1, most - raw.size()) + 1;
    std::memset(row, '\n', size);
    if (!std::fgets(row, static_cast<int>(size), stream)) {
      check_stream(vm, stream);
      break;
    }
    append_bytes(vm, raw, taken_by_fgets({row, size}));
  }
  return raw;
}

// Whether the last character of UTF-8 lacks bytes.
static bool ends_in_character(std::string_view raw) {
  size_t length = 1;
  while (length < 4 && length < raw.size() && (raw[raw.size() - length] & 0xC0) == 0x80) ++length;
  const auto first = static_cast<unsigned char>(raw[raw.size() - length]);
  const size_t whole = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  return length < whole;
}

// Reads the rest of a character or of a line end, which the limit on the bytes of a text may have
// cut. Another byte is read only where it could belong to them, since the wait for it may be long.
static void complete(Interpreter& vm, FILE* stream, std::string& raw) {
  auto is_cut = [&] { return raw.back() == '\r' || ends_in_character(raw); };
  while (!raw.empty() && is_cut()) {
    const int next = std::getc(stream);
    const bool belongs = raw.back() == '\r' ? next == '\n' : (next & 0xC0) == 0x80;
    if (next == EOF || !belongs) {
      if (next == EOF) check_stream(vm, stream);
      else std::ungetc(next, stream);
      return;
    }
    raw.push_back(static_cast<char>(next));
  }
}

namespace {

// The first characters of a text; those of a binary file are its bytes.
struct First {
  size_t count = 0, bytes = 0;
};

}  // namespace

static First first_characters(Interpreter& vm, const File& file, std::string_view text,
                              size_t most) {
  if (!file.is_text()) return {std::min(most, text.size()), std::min(most, text.size())};
  First first;
  InterruptPoll poll(vm);
  for (; first.bytes < text.size() && first.count < most; ++first.count) {
    poll.step();
    do ++first.bytes;
    while (first.bytes < text.size() && (text[first.bytes] & 0xC0) == 0x80);
  }
  return first;
}

static std::string take(std::string& pending, size_t bytes) {
  if (bytes == pending.size()) return std::exchange(pending, {});
  std::string taken = pending.substr(0, bytes);
  pending.erase(0, bytes);
  return taken;
}

static bool is_wide(const File& file) {
  const std::string_view encoding = file.encoding;
  return file.is_text() &&
         (encoding.find("16") != encoding.npos || encoding.find("32") != encoding.npos);
}

static void keep_read(Interpreter& vm, File& file, std::string raw) {
  std::string text = decoded(vm, file, std::move(raw));
  if (file.pending.empty()) {
    file.pending = std::move(text);
  } else {
    append_bytes(vm, file.pending, text);
  }
}

// Reads the rest of a line, or of the file, up to so many characters; false at the end of the file.
// So many bytes hold no more characters than that. UTF-16 and 32 are read to the end.
static bool read_more(Interpreter& vm, File& file, size_t most, bool line) {
  FILE* stream = source_of(file);
  if (is_wide(file)) most = SIZE_MAX, line = false;
  std::string raw = line ? raw_line(vm, stream, most) : read_raw(vm, stream, most);
  if (file.is_text()) complete(vm, stream, raw);
  if (raw.empty()) return false;
  keep_read(vm, file, std::move(raw));
  return true;
}

// The position where the first line of the text ends; npos: not in the text.
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
  if (most < 0) {
    keep_read(vm, file, read_raw(vm, source_of(file), SIZE_MAX));
    return std::exchange(file.pending, {});
  }
  const auto wanted = static_cast<size_t>(most);
  for (;;) {
    const First first = first_characters(vm, file, file.pending, wanted);
    if (first.count == wanted || !read_more(vm, file, wanted - first.count, false)) {
      return take(file.pending, first.bytes);
    }
  }
}

std::string read_line(Interpreter& vm, File& file, int64_t most) {
  begin_read(vm, file);
  const size_t wanted = most < 0 ? SIZE_MAX : static_cast<size_t>(most);
  for (;;) {
    const size_t end = end_of_line(file, file.pending);
    const std::string_view line = std::string_view(file.pending).substr(0, end);
    const First first = most < 0 ? First{0, line.size()} : first_characters(vm, file, line, wanted);
    const bool is_whole = end != std::string::npos || first.count == wanted;
    if (is_whole || !read_more(vm, file, wanted - first.count, true)) {
      return take(file.pending, first.bytes);
    }
  }
}

// --- writing -------------------------------------------------------------------------------------

void write_data(Interpreter& vm, File& file, std::string_view data) {
  check_open(vm, file);
  if (!file.writable) raise_unsupported(vm, file.is_text() ? "not writable" : "write");
  if (file.kind == File::standard_output) return vm.write_out(data);
  if (file.kind == File::standard_error) return vm.write_err(data);
  if (!file.last_was_write) std::fseek(file.stream, 0, SEEK_CUR);
  file.last_was_write = true;
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
