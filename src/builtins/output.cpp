// print and input.
#include <cstdio>
#include <span>

#include "src/builtins/output.h"
#include "src/builtins/rows.h"
#include "src/memory/pieces.h"
#include "src/modules/import.h"
#include "src/typed_native.h"
#include "src/types/file.h"
#include "src/types/text_codec.h"

namespace gpy {

static std::string_view separator(Interpreter& vm, const Value& v, const char* name,
                                  std::string_view usual) {
  if (v.is_undefined() || v.is_none()) return usual;
  if (const Str* text = v.try_as<Str>()) return text->view();
  vm.raise_type_error("{} must be None or a string, not {}", name, vm.type_name(v));
}

static void add_text(Interpreter& vm, std::string& line, const Value& value) {
  if (vm.is_text(value)) {
    append_bytes(vm, line, value.as<Str>()->view());
  } else {
    append_bytes(vm, line, vm.to_str(value));
  }
}

static std::string line_of(Interpreter& vm, std::span<const Value> values, std::string_view between,
                           std::string_view end) {
  std::string line;
  for (const Value& value : values) {
    if (&value != values.data()) append_bytes(vm, line, between);
    add_text(vm, line, value);
  }
  append_bytes(vm, line, end);
  return line;
}

// Each piece must be text that UTF-8 can hold. A __str__ of the script's may print or raise: the
// text before it is written by then.
static void print_to_standard_output(Interpreter& vm, std::span<const Value> values,
                                     std::string_view between, std::string_view end) {
  std::string line;
  for (const Value& value : values) {
    if (&value != values.data()) append_bytes(vm, line, between);
    if (!line.empty() && value.is_object() && !vm.is_text(value)) {
      vm.write_out(line);
      line.clear();
    }
    const size_t start = line.size();
    add_text(vm, line, value);
    check_writable(vm, std::string_view(line).substr(start));
  }
  append_bytes(vm, line, end);
  vm.write_out(line);
}

// A stream of sys whose methods must be called: one that a script has set, or one that holds text
// read ahead; else undefined. `who` begins the error when it is gone.
static Value own_stream(Interpreter& vm, const char* stream, File::Kind usual, const char* who) {
  const Module* sys = sys_module(vm);
  if (!sys) return Value();
  const Value* now = sys->names->find(vm.intern(stream));
  if (!now) vm.raise_runtime_error("{}lost sys.{}", who, stream);
  const File* file = now->try_as<File>();
  return file && file->kind == usual && file->pending.empty() ? Value() : *now;
}

// Writes each value and each separator by itself, as a script's own stream class expects it.
static void print_in_pieces(Interpreter& vm, const Value& file, std::span<const Value> values,
                            std::string_view between, std::string_view end) {
  auto write = [&](const Value& text) { vm.call_method(file, "write", {text}); };
  bool first = true;
  for (const Value& value : values) {
    if (!first) write(vm.str(between));
    first = false;
    write(vm.str(vm.to_str(value)));
  }
  write(vm.str(end));
}

static Value print(Interpreter& vm, std::span<const Value> values, const Value& sep,
                   const Value& ending, const Value& stream, const Value& flushing) {
  std::string_view between = separator(vm, sep, "sep", " ");
  std::string_view end = separator(vm, ending, "end", "\n");
  Value file =
      stream.is_none() ? own_stream(vm, "stdout", File::standard_output, "") : Value(stream);
  bool flush = vm.truth(flushing);
  if (file.is_none()) return file;  // sys.stdout is None
  if (file.is_undefined()) {
    print_to_standard_output(vm, values, between, end);
    if (flush && vm.flush_out) vm.flush_out();
    return Value::none();
  }
  if (file.is<File>()) {
    vm.call_method(file, "write", {vm.str(line_of(vm, values, between, end))});
  } else {
    print_in_pieces(vm, file, values, between, end);
  }
  if (flush) vm.call_method(file, "flush");
  return Value::none();
}

void write_to_stdout(Interpreter& vm, std::string_view text) {
  const Value file = own_stream(vm, "stdout", File::standard_output, "");
  if (file.is_none()) return;  // sys.stdout is None
  if (file.is_undefined()) return vm.write_out(text);
  vm.call_method(file, "write", {vm.str(text)});
}

// --- input ---------------------------------------------------------------------------------------

static Value stream_of_input(Interpreter& vm, const char* stream, File::Kind usual) {
  constexpr const char* kWho = "input(): ";
  Value own = own_stream(vm, stream, usual, kWho);
  if (own.is_none()) vm.raise_runtime_error("{}lost sys.{}", kWho, stream);
  return own;
}

// Flushes before the input; errors of that are not errors of input().
static void try_flush(Interpreter& vm, const Value& out) {
  try {
    vm.call_method(out, "flush");
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.exception)) throw;
  }
}

// Writes the prompt, which is undefined where there is none.
static void write_prompt(Interpreter& vm, const Value& out, const Value& prompt) {
  if (out.is_undefined()) {
    if (prompt.is_defined()) {
      const std::string text = vm.to_str(prompt);
      check_writable(vm, text);
      vm.write_out(text);
    }
    if (vm.flush_out) vm.flush_out();
    return;
  }
  if (prompt.is_defined()) vm.call_method(out, "write", {vm.str(vm.to_str(prompt))});
  try_flush(vm, out);
}

// A line, with its end, of standard input; empty at the end of it.
static std::string standard_line(Interpreter& vm) {
  struct Line {
    ~Line() { std::free(text); }
    char* text = nullptr;
    size_t size = 0;
  } line;
  ssize_t length;
  while ((length = getline(&line.text, &line.size, stdin)) < 0) {
    const int error = std::ferror(stdin) ? errno : 0;
    std::clearerr(stdin);  // else nothing is read ever after
    vm.poll();
    if (error == 0) return "";
    if (error != EINTR) raise_os_error(vm, error);
  }
  const std::string text(line.text, static_cast<size_t>(length));
  return decode_text(vm, text, "utf-8", "strict");
}

static std::string line_of_stream(Interpreter& vm, const Value& in) {
  Value line = vm.call_method(in, "readline");
  if (!line.is<Str>()) vm.raise_type_error("object.readline() returned non-string");
  return std::string(line.as<Str>()->view());
}

static Value input(Interpreter& vm, const Value& prompt) {
  Value in = stream_of_input(vm, "stdin", File::standard_input);
  write_prompt(vm, stream_of_input(vm, "stdout", File::standard_output), prompt);
  std::string text = in.is_undefined() ? standard_line(vm) : line_of_stream(vm, in);
  if (text.empty()) vm.raise(vm.types.eof_error, "EOF when reading a line");
  if (text.back() == '\n') text.pop_back();
  return vm.str(text);
}

static const Native kRows[] = {
    {"print", "(/, *args, sep=' ', end=<'\\n'>, file=None, flush=False)", typed<print>,
     "Writes values as text, with sep between them and end behind them."},
    {"input", "(prompt=<None>, /)", typed<input>, "Reads a line, without its end."},
};

std::span<const Native> output_rows() { return kRows; }

}  // namespace gpy
