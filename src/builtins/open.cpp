// open(): a file by its path.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "src/builtins/rows.h"
#include "src/typed_native.h"
#include "src/types/codecs.h"
#include "src/types/file.h"
#include "src/types/paths.h"

namespace gpy {

static void check_mode(Interpreter& vm, std::string_view mode) {
  bool known = mode.find_first_not_of("rwaxbt+") == mode.npos;
  for (char c : mode) known = known && std::count(mode.begin(), mode.end(), c) == 1;
  if (!known) vm.raise_value_error("invalid mode: '{}'", mode);
  auto has = [&](char c) { return mode.find(c) != mode.npos; };
  if (has('t') && has('b')) vm.raise_value_error("can't have text and binary mode at once");
  int ways = has('r') + has('w') + has('a') + has('x');
  if (ways > 1) vm.raise_value_error("must have exactly one of create/read/write/append mode");
  if (ways == 0) {
    vm.raise_value_error(
        "Must have exactly one of create/read/write/append mode and at most one plus");
  }
}

// The mode for fopen: always binary; "x" becomes its "wx".
static std::string c_mode(std::string_view mode) {
  auto has = [&](char c) { return mode.find(c) != mode.npos; };
  std::string result = has('r') ? "r" : has('a') ? "a" : "w";
  if (has('+')) result += '+';
  if (has('x')) result += 'x';
  return result += "be";
}

static void check_is_no_folder(Interpreter& vm, FILE* stream, const Value& name) {
  struct stat info;
  if (fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode)) raise_os_error(vm, EISDIR, name);
}

static Ref<File> open_file(Interpreter& vm, const Value& given, const std::string& mode) {
  Value name = fs_path(vm, given);
  std::string path = path_text(vm, name);
  std::unique_ptr<FILE, int (*)(FILE*)> stream(nullptr, std::fclose);
  // Opening a named pipe waits for its other end, and Ctrl-C may interrupt that.
  while (stream.reset(std::fopen(path.c_str(), c_mode(mode).c_str())), !stream && errno == EINTR) {
    vm.poll();
  }
  if (!stream) raise_os_error(vm, errno, name);
  check_is_no_folder(vm, stream.get(), name);
  const bool appends = mode.find('a') != mode.npos;
  if (appends && std::fseek(stream.get(), 0, SEEK_END) != 0 && errno != ESPIPE) {
    raise_os_error(vm, errno, name);
  }
  auto file = vm.make<File>(vm.types.file, File::on_disk, name, mode);
  file->open(stream.release());
  return file;
}

static void refuse_for_binary(Interpreter& vm, const Value& argument, const char* name) {
  if (!argument.is_none()) vm.raise_value_error("binary mode doesn't take {} argument", name);
}

static std::string newline_argument(Interpreter& vm, const Value& v) {
  if (v.is_none()) return "";
  std::string_view text = vm.to_text(v, "open() argument 'newline'");
  bool known = text.empty() || text == "\n" || text == "\r" || text == "\r\n";
  if (!known) vm.raise_value_error("illegal newline value: {}", text);
  return std::string(text);
}

static std::string encoding_argument(Interpreter& vm, const Value& v) {
  if (v.is_none()) return "UTF-8";
  std::string name(vm.to_text(v, "open() argument 'encoding'"));
  if (find_codec(name)) return name;
  vm.raise(vm.types.lookup_error, fmt::format("unknown encoding: {}", name));
}

static Value open(Interpreter& vm, const Value& path, const Value& mode_text,
                  const Value& buffering, const Value& encoding_name, const Value& errors,
                  const Value& newlines) {
  std::string mode(vm.to_text(mode_text, "open() argument 'mode'"));
  check_mode(vm, mode);
  bool binary = mode.find('b') != std::string::npos;
  if (binary) {
    refuse_for_binary(vm, encoding_name, "an encoding");
    refuse_for_binary(vm, errors, "an errors");
    refuse_for_binary(vm, newlines, "a newline");
  }
  const bool buffered = vm.to_index(buffering) != 0;
  if (!binary && !buffered) {
    vm.raise_value_error("can't have unbuffered text I/O");
  }
  std::string newline = newline_argument(vm, newlines);
  std::string encoding = encoding_argument(vm, encoding_name);
  Ref<File> file = open_file(vm, path, mode);
  if (!binary) file->encoding = std::move(encoding);
  if (!errors.is_none()) file->errors = vm.to_text(errors, "open() argument 'errors'");
  file->translate_newlines = newlines.is_none();
  file->newline = std::move(newline);
  file->buffered = buffered;
  return file;
}

static const Native kRows[] = {
    {"open", "(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)",
     typed<open>,
     "Opens a file: 'r' reads, 'w' writes, 'a' appends, 'x' creates; 'b' for bytes, '+' for both."},
};

std::span<const Native> file_rows() { return kRows; }

}  // namespace gpy
