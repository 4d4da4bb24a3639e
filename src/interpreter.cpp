#include "src/interpreter.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "grammar/parse.h"
#include "src/classes/instance.h"
#include "src/diagnostics/render.h"
#include "src/exceptions/as_raised.h"
#include "src/exceptions/ignored.h"
#include "src/loops/loop_watch.h"
#include "src/lower/lower.h"
#include "src/memory/pieces.h"
#include "src/objects/int.h"
#include "src/run/run.h"
#include "src/state.h"
#include "src/types/file.h"
#include "src/types/setup.h"
#include "src/types/system_text.h"
#include "src/types/text_codec.h"

namespace gpy {

// --- life ----------------------------------------------------------------------------------------

// Ctrl-C ends a print that nobody reads. The rest is dropped, or the exit would wait for it, too.
static void end_if_interrupted(Interpreter& vm, std::string_view& text) {
  const std::string_view rest = std::exchange(text, {});
  poll_interrupt(vm);  // nothing may print meanwhile
  text = rest;
}

// Writes `text`; in an error `text` is the part that could not be written.
static void write_all(Interpreter& vm, int file, std::string_view& text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      Value number = Value::integer(errno);
      vm.raise(vm.call(Value(vm.types.os_error), {number, text_from_system(vm, strerror(errno))}));
    }
    text.remove_prefix(static_cast<size_t>(std::max(written, ssize_t{0})));
    if (!text.empty() && file == STDOUT_FILENO) end_if_interrupted(vm, text);
  }
}

// The buffer keeps what could not be written, like CPython's: the next flush tries again.
static void flush_buffer(Interpreter& vm, std::string& buffer) {
  std::string_view rest = buffer;
  try {
    write_all(vm, STDOUT_FILENO, rest);
  } catch (const Raised&) {
    buffer.erase(0, buffer.size() - rest.size());
    throw;
  }
  buffer.clear();
}

static void write_error(Interpreter& vm, std::string_view text) {
  try {
    vm.flush_out();
  } catch (const Raised&) {  // reported by the last flush
  }
  const std::string encoded = encode_text(vm, text, "utf-8", "backslashreplace");
  std::string_view rest = encoded;
  write_all(vm, STDERR_FILENO, rest);
}

static void use_process_streams(Interpreter& vm) {
  auto& state = vm.state();
  state.out_is_terminal = isatty(STDOUT_FILENO);
  vm.flush_out = [&vm, &state] { flush_buffer(vm, state.out_buffer); };
  vm.out = [&vm, &state](std::string_view text) {
    constexpr size_t kEnough = 1 << 15;
    if (state.out_buffer.size() >= kEnough) vm.flush_out();
    state.out_buffer += text;
    bool line_done = state.out_is_terminal && text.find('\n') != std::string_view::npos;
    if (line_done || state.out_buffer.size() >= kEnough) vm.flush_out();
  };
  vm.err = [&vm](std::string_view text) { write_error(vm, text); };
}

static void intern_names(Interpreter& vm) {
  auto intern = [&](std::string_view name) {
    if (name == "errno_") name.remove_suffix(1);
    return vm.intern(name);
  };
#define GPY_INTERN(name) vm.state().names.name = intern(#name);
  GPY_NAMES(GPY_INTERN)
#undef GPY_INTERN
}

Interpreter::State::State(Interpreter& vm) : budget(vm) {}

static void set_up(Interpreter& vm) {
  setup_object(vm);
  setup_singletons(vm);
  setup_numbers(vm);
  setup_str(vm);
  setup_bytes(vm);
  setup_list(vm);
  setup_tuple(vm);
  setup_dict(vm);
  setup_set(vm);
  setup_slice(vm);
  setup_range(vm);
  setup_functions(vm);
  setup_modules(vm);
  setup_exceptions(vm);
  setup_generators(vm);
  setup_class_attributes(vm);
  setup_super(vm);
  setup_index_iterator(vm);
  intern_names(vm);
  vm.builtins = vm.dict();
  vm.builtins->mark_as_namespace();
  vm.modules = vm.dict();
  setup_builtins(vm);
  vm.state().memory_errors.prepare(vm);
  use_process_streams(vm);
}

// Destroys what an interpreter holds: one that is set up, or was in part when memory ran out.
static void take_apart(Interpreter& vm) {
  Interpreter::State& state = vm.state();
  state.memory_errors.clear();
  vm.builtins = nullptr;
  vm.modules = nullptr;
  state.characters = {};
  std::exchange(state.own_attributes, {});  // objects that end look there
  vm.collector.collect(vm);
  for (Type* type : state.all_types) {
    type->attributes = nullptr;
    type->constructor_function = nullptr;
  }
  vm.collector.collect(vm);
  vm.deferred_destruction.end_rest();
  vm.session.reset();  // after all arrays: its devices hold their memory
  vm.collector.collect(vm);
  vm.deferred_destruction.end_rest();
  state.interned.clear();
  for (Type* type : state.all_types) delete type;
}

Interpreter::Interpreter() : state_(std::make_unique<State>(*this)) {
  heap.owner = this;
  heap.on_growth = [](void* vm) { static_cast<Interpreter*>(vm)->ask(kCollect, false); };
  heap.on_look = [](void* vm) { static_cast<Interpreter*>(vm)->ask(kLook, false); };
  collector.plan(heap);
  try {
    set_up(*this);
  } catch (...) {
    take_apart(*this);
    throw;
  }
}

void Interpreter::drop_modules() {
  modules->clear();
  state_->main = nullptr;
  state_->show = nullptr;
  state_->raised = state_->returned = Value();
  // Functions and their globals form cycles. Objects that end now still find all names.
  collector.collect(*this);
}

void Interpreter::run_ends() {
  if (state_->has_ends) drop_modules();
  close_left_files(*this);
}

bool Interpreter::may_have_ends() const { return state_->has_ends; }

// The collector cannot follow cycles through the memory of arrays, which an allocator of the
// script's may hold: they end with the globals that are left.
static void clear_left_globals(Interpreter& vm) {
  std::vector<Ref<Dict>> globals;
  try {
    vm.heap.for_each_tracked([&](Object* object) {
      if (object->layout != ObjectLayout::dict || object == vm.builtins.get()) return;
      auto* dict = static_cast<Dict*>(object);
      if (dict->is_namespace()) globals.emplace_back(dict);
    });
  } catch (const std::bad_alloc&) {  // they stay
    return;
  }
  if (globals.empty()) return;
  for (const Ref<Dict>& each : globals) each->clear();
  globals.clear();
  vm.collector.collect(vm);
}

// Runs, for a limited time, the code of scripts in __del__ and finally for the end of objects.
void Interpreter::end_scripts() {
  forget_interrupt();
  if (state_->has_ends) {
    start_moment(state_->budget.limits);
    drop_modules();
    deferred_destruction.end_rest();
    finish();
  }
  close_left_files(*this);
  try_flush_out(*this);
  state_->is_closed = true;
  drop_modules();
  clear_left_globals(*this);
}

Interpreter::~Interpreter() {
  unwatch_loops(*this);  // it holds objects
  end_scripts();
  take_apart(*this);
}

// --- running source ------------------------------------------------------------------------------

static Ref<Code> compile(Interpreter& vm, std::string_view text, std::string_view file,
                         bool prompt) {
  constexpr size_t kTreeBytes = 48;  // for each byte of the text
  vm.claim(text.size(), kTreeBytes);
  auto source = syntax::make_source(std::string(file), std::string(text));
  syntax::ParseOptions options;
  options.mode = prompt ? syntax::Mode::interactive : syntax::Mode::file;
  syntax::ParseResult result = syntax::parse(source, options);
  if (!result.tree) raise_syntax_error(vm, *result.error, *source);
  return lower_module(vm, std::move(result.tree), prompt);
}

static Value run_in(Interpreter& vm, Ref<Code> code, Module& module) {
  auto function = vm.make<Function>(vm.types.function, std::move(code), module.names);
  function->name = function->qualified_name = vm.str("<module>");
  return run(vm, make_frame(function.get()));
}

// Callers that run source catch what a script can raise, and no more: memory may be short before.
template <class Work> static Value raising(Interpreter& vm, Work&& work) {
  vm.state().memory_errors.try_prepare(vm);
  return as_raised(vm, work);
}

void Interpreter::run_source(std::string_view text, std::string_view file, Module& module) {
  raising(*this, [&] {
    Ref<Code> code = compile(*this, text, file, false);
    module.names->set(state_->names.__doc__, code->doc);
    return run_in(*this, std::move(code), module);
  });
}

Value Interpreter::run_interactive(std::string_view text, std::string_view file, Module& module) {
  return raising(*this, [&] { return run_in(*this, compile(*this, text, file, true), module); });
}

static Ref<Module> make_main(Interpreter& vm) {
  Ref<Module> module = vm.make_module("__main__");
  module->names->set(vm.state().names.__annotations__, vm.dict());
  module->names->set(vm.state().names.__package__, Value::none());
  vm.modules->set(vm.state().names.__main__, module);
  return module;
}

// A script may remove it from sys.modules, or put any value in its place.
Module& Interpreter::main_module() {
  Ref<Module>& main = state_->main;
  const Value* known = modules->find(state_->names.__main__);
  if (Module* module = known ? known->try_as<Module>() : nullptr) main = Ref<Module>(module);
  if (!main) main = make_main(*this);
  return *main;
}

std::string Interpreter::render(const Raised& raised) {
  return render_exception(*this, raised.exception.as<Exception>());
}

// --- making values -------------------------------------------------------------------------------

Value Interpreter::str(std::string_view utf8) { return Str::make(*this, utf8); }

Str* Interpreter::intern(std::string_view utf8) {
  auto known = state_->interned.find(utf8);
  if (known != state_->interned.end()) return known->second.get();
  Ref<Str> text = Str::make(*this, utf8);
  if (text->bytes != utf8.size()) return intern(text->view());  // malformed text has been escaped
  text->interned = true;
  Str* raw = text.get();
  state_->interned.emplace(raw->view(), std::move(text));
  return raw;
}

Value Interpreter::bytes(std::string data) { return make<Bytes>(types.bytes, std::move(data)); }
Value Interpreter::list(std::vector<Value> items) {
  return make<List>(types.list, std::move(items));
}
Value Interpreter::tuple(std::span<const Value> items) { return Tuple::make(*this, items); }
Value Interpreter::tuple(std::initializer_list<Value> items) {
  return Tuple::make(*this, {items.begin(), items.size()});
}
Ref<Dict> Interpreter::dict() { return make<Dict>(types.dict); }
Ref<Set> Interpreter::set(bool frozen) { return make<Set>(frozen ? types.frozenset : types.set); }
Value Interpreter::complex(double real, double imag) {
  return make<Complex>(types.complex, real, imag);
}
Value Interpreter::slice(Value start, Value stop, Value step) {
  return make<Slice>(types.slice, std::move(start), std::move(stop), std::move(step));
}
Value Interpreter::unsigned_integer(uint64_t number) { return from_big(*this, BigInt(number)); }

// --- place, limits, interrupts -------------------------------------------------------------------

Position Interpreter::current_position() const {
  Position position;
  const Frame* frame = state_->frame;
  if (!frame) return position;
  const Code& code = *frame->code;
  syntax::Span span = code.spans[frame->position()];
  auto begin = code.source->position(span.begin);
  auto end = code.source->position(span.end);
  position.file = code.source->name();
  position.function = code.name;
  position.line = static_cast<uint32_t>(begin.line);
  position.column = static_cast<uint32_t>(begin.column);
  position.end_line = static_cast<uint32_t>(end.line);
  position.end_column = static_cast<uint32_t>(end.column);
  return position;
}

// The lowest address of this thread's stack that may be used: some of it is kept for natives that
// do not check, and for unwinding.
static uintptr_t lowest_stack_address() {
  pthread_attr_t attributes;
  void* base = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  constexpr size_t kReserve = 192 << 10;
  return reinterpret_cast<uintptr_t>(base) + std::min(kReserve, size / 3);
}

void Interpreter::check_stack() {
  thread_local const uintptr_t lowest = lowest_stack_address();
  char here;
  if (reinterpret_cast<uintptr_t>(&here) > lowest) [[likely]]
    return;
  raise(types.recursion_error, "maximum recursion depth exceeded");
}

}  // namespace gpy
