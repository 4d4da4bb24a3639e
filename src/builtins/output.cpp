// print and input.
#include <cstdio>

#include "src/builtins/rows.h"
#include "src/types/file.h"
#include "src/types/text_codec.h"

namespace gpy {

static std::string_view separator(Interpreter& vm, const Value& v, const char* name,
                                  std::string_view usual) {
  if (v.is_undefined() || v.is_none()) return usual;
  if (const Str* text = v.try_as<Str>()) return text->view();
  vm.raise_type_error("{} must be None or a string, not {}", name, vm.type_of(v)->full_name());
}

// For standard output each piece must be text that UTF-8 can hold.
static std::string line_of(Interpreter& vm, const Tuple& values, std::string_view between,
                           std::string_view end, bool is_checked) {
  std::string line;
  bool first = true;
  for (const Value& value : const_cast<Tuple&>(values).items()) {
    if (!first) line += between;
    first = false;
    const size_t start = line.size();
    if (const Str* text = value.try_as<Str>(); text && text->type == vm.types.str) {
      line += text->view();
    } else {
      line += vm.to_str(value);
    }
    if (is_checked) check_writable(vm, std::string_view(line).substr(start));
  }
  return line += end;
}

// sys.stdout if a script has put something else there; undefined otherwise.
static Value replaced_stdout(Interpreter& vm) {
  Value* sys = vm.modules->find(vm.intern("sys"));
  if (!sys || !sys->is<Module>()) return Value();
  Value* out = sys->as<Module>()->names->find(vm.intern("stdout"));
  return out && !is_standard_output(*out) ? *out : Value();
}

static Value print(Interpreter& vm, Args args) {
  std::string_view between = separator(vm, args[1], "sep", " ");
  std::string_view end = separator(vm, args[2], "end", "\n");
  Value file = args[3].is_none() ? replaced_stdout(vm) : args[3];
  std::string line = line_of(vm, *args[0].as<Tuple>(), between, end, file.is_undefined());
  bool flush = vm.truth(args[4]);
  if (file.is_undefined()) {
    vm.write_out(line);
    if (flush && vm.flush_out) vm.flush_out();
    return Value::none();
  }
  vm.call_method(file, "write", {vm.str(line)});
  if (flush) vm.call_method(file, "flush");
  return Value::none();
}

static Value input(Interpreter& vm, Args args) {
  if (!args[0].is_none()) vm.write_out(vm.to_str(args[0]));
  if (vm.flush_out) vm.flush_out();
  char* line = nullptr;
  size_t size = 0;
  ssize_t length = getline(&line, &size, stdin);
  std::string text(line ? line : "", length > 0 ? static_cast<size_t>(length) : 0);
  std::free(line);
  if (length < 0) {
    vm.poll();
    vm.raise(vm.types.eof_error, "EOF when reading a line");
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return vm.str(text);
}

static const Native kRows[] = {
    {"print", "(/, *args, sep=' ', end=<'\\n'>, file=None, flush=False)", print,
     "Writes values as text, with sep between them and end behind them."},
    {"input", "(prompt=None, /)", input, "Reads a line, without its end."},
};

std::span<const Native> output_rows() { return kRows; }

}  // namespace gpy
