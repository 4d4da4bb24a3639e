#pragma once
// One interpreter: its types, modules, builtins and settings. Several live in a process; each runs
// on one thread at a time, and a value belongs to the one that made it. Natives reach the language
// through this class; hosts see embed/gpy.hpp instead. What a script could catch is thrown as
// Raised.

#include <fmt/core.h>

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/objects/builtin.h"
#include "src/calls/call.h"
#include "src/memory/collector.h"
#include "src/memory/deferred_destruction.h"
#include "src/memory/heap.h"
#include "src/memory/limits.h"
#include "src/type.h"
#include "src/types.h"
#include "src/value.h"

namespace gpy {

struct Frame;
namespace syntax {
struct KernelDef;
}
namespace rt {
class MemoryAccount;
}

// The place that a script is at: `file` and `function` live as long as the interpreter.
struct Position {
  std::string_view file;
  std::string_view function;
  uint32_t line = 0;    // 1-based; 0: not in a script
  uint32_t column = 0;  // 1-based
  uint32_t end_line = 0;
  uint32_t end_column = 0;
};

// Functions that the floors above set.
struct Hooks {
  // Makes the value of a kernel statement.
  Value (*make_kernel)(Interpreter&, const syntax::KernelDef&) = nullptr;
  // Looks at the loop whose edge the frame is at, at times; may move the frame on.
  void (*look_at_loop)(Interpreter&, Frame&) = nullptr;
  // The exception for a C++ exception that left a native (call inside a catch block, rethrow to
  // look); undefined: not known here.
  Value (*translate_exception)(Interpreter&) = nullptr;
  // What is told of a function of the library below its docstring; empty where there is no page.
  std::string (*help_page)(std::string_view module, std::string_view qualified_name) = nullptr;
};

using Output = std::function<void(std::string_view)>;
using Keywords = std::initializer_list<std::pair<std::string_view, Value>>;
using ModuleLoader = Value (*)(Interpreter&);

class Interpreter {
 public:
  Interpreter();
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  Heap heap;  // first, so that it is destroyed last
  DeferredDestruction deferred_destruction{*this};
  Types types{};
  Ref<Dict> builtins;  // names found after the globals
  Collector collector;
  Hooks hooks;
  std::shared_ptr<void> session;     // the array runtime's, put there by the floor above
  std::shared_ptr<void> loop_watch;  // LoopWatch, where loops compile themselves

  // --- running source -------------------------------------------------------------------------
  // Runs a whole script in `module`. Raises SyntaxError as any other exception.
  void run_source(std::string_view text, std::string_view file, Module& module);
  // The same, for a prompt: the value of a single expression statement, else undefined.
  Value run_interactive(std::string_view text, std::string_view file, Module& module);
  Module& main_module();
  // The uncaught exception as text, as the command line prints it.
  std::string render(const Raised& raised);

  // Whether the running instruction reads `operand` for the last time: a temporary's object goes
  // with it, where nobody else has that.
  bool is_last_use(const Value& operand) const { return &operand == last_use_; }
  class LastUse {
   public:
    LastUse(Interpreter& vm, const Value* operand)
        : vm_(vm), before_(std::exchange(vm.last_use_, operand)) {}
    ~LastUse() { vm_.last_use_ = before_; }
    LastUse(const LastUse&) = delete;
    LastUse& operator=(const LastUse&) = delete;

   private:
    Interpreter& vm_;
    const Value* before_;
  };

  // --- making values --------------------------------------------------------------------------
  Value str(std::string_view utf8);
  Str* intern(std::string_view utf8);  // lives as long as the interpreter
  Value bytes(std::string data);
  Value list(std::vector<Value> items = {});
  Value tuple(std::span<const Value> items);
  Value tuple(std::initializer_list<Value> items);
  Ref<Dict> dict();
  Ref<Set> set(bool frozen = false);
  Value complex(double real, double imag);
  Value slice(Value start, Value stop, Value step);
  Value unsigned_integer(uint64_t number);
  // An object of a native C++ type; `type` must have been made for T.
  template <class T, class... A> Ref<T> make(Type* type, A&&... arguments) {
    void* block = heap.allocate(sizeof(T), type->slots.traverse != nullptr);
    try {
      return Ref<T>(new (block) T(type, std::forward<A>(arguments)...));
    } catch (...) {
      give_back(type, block, sizeof(T));
      throw;
    }
  }
  // A native function outside any module.
  Value function(const Native& row, std::string qualifier = "", void* context = nullptr);

  // --- types and modules ----------------------------------------------------------------------
  // A native type whose objects are the C++ struct T (derived from Object, with kLayout).
  template <class T> Type* make_type(const TypeSpec& spec) {
    Type* type = make_type(spec, T::kLayout, end_object<T>);
    type->instance_cpp_type = &kCppType<T>;
    return type;
  }
  // Slots::destroy of objects that `make` made.
  template <class T> static void end_object(Object* self) {
    Heap& heap = self->type->vm->heap;
    static_cast<T*>(self)->~T();
    heap.free(self, sizeof(T));
  }
  Type* make_type(const TypeSpec& spec, ObjectLayout layout, void (*destroy)(Object*));
  // `loader` runs at the first import of `name` and gives the Module.
  void register_module(std::string_view name, ModuleLoader loader);
  // `rows` must outlive the interpreter. Natives find `context` in args.callee().context.
  Ref<Module> make_module(std::string_view name, std::span<const Native> rows = {},
                          void* context = nullptr);
  // sys.modules[name], imported if need be (dotted names give the last part's module).
  Value import_module(std::string_view name);
  void add_builtins(std::span<const Native> rows);
  std::vector<std::string> search_path;  // where imports look; the script's own folder first
  std::vector<std::string> arguments;    // sys.argv
  Ref<Dict> modules;                     // sys.modules
  // Runs the code of scripts in __del__ and finally for the end of objects, at the end of a
  // process, whose memory need not be freed.
  void run_ends();

  // --- operations: what the operators and statements of the language do -------------------------
  Type* type_of(const Value& value) const;
  // The name of the value's type in error messages (Type::full_name).
  std::string type_name(const Value& value) const { return type_of(value)->full_name(); }
  // Whether a value is of the type itself, not of a class over it, so that its behaviour is known.
  static bool is_exactly(const Type* type, const Value& value) {
    return value.is_object() && value.as_object()->type == type;
  }
  bool is_text(const Value& value) const { return is_exactly(types.str, value); }
  bool are_texts(const Value& a, const Value& b) const { return is_text(a) && is_text(b); }
  bool is_instance(const Value& value, const Type* type) const {
    return type_of(value)->is_subclass_of(type);
  }

  Value call(const Value& callable, const CallArgs& arguments);
  Value call(const Value& callable, std::initializer_list<Value> arguments = {},
             Keywords keywords = {});
  Value call_method(const Value& self, std::string_view name,
                    std::initializer_list<Value> arguments = {}, Keywords keywords = {});
  bool is_callable(const Value& value);

  Value get_attribute(const Value& self, Str* name);
  Value get_attribute(const Value& self, std::string_view name) {
    return get_attribute(self, intern(name));
  }
  Value try_get_attribute(const Value& self, Str* name);  // undefined when there is none
  void set_attribute(const Value& self, Str* name, const Value& item);
  void delete_attribute(const Value& self, Str* name);
  std::vector<Str*> attribute_names(const Value& self);  // dir()

  Value get_item(const Value& self, const Value& key);
  void set_item(const Value& self, const Value& key, const Value& item);
  void delete_item(const Value& self, const Value& key);

  bool is_iterable(const Value& value) const { return type_of(value)->slots.iter; }
  Value iterate(const Value& iterable);  // an iterator; TypeError for a non-iterable
  Value next(const Value& iterator);     // undefined at the end
  template <class F>                     // f(Value)
  void for_each(const Value& iterable, F&& f) {
    Value iterator = iterate(iterable);
    for (Value item = next(iterator); item.is_defined(); item = next(iterator)) {
      f(std::move(item));
    }
  }
  std::vector<Value> collect(const Value& iterable);  // list(iterable)

  Value binary(BinaryOp op, const Value& lhs, const Value& rhs);
  Value inplace(BinaryOp op, const Value& lhs, const Value& rhs);
  Value unary(UnaryOp op, const Value& operand);
  Value compare(CompareOp op, const Value& lhs, const Value& rhs);
  bool equal(const Value& lhs, const Value& rhs);  // identity first, as containers compare
  bool less(const Value& lhs, const Value& rhs);
  bool contains(const Value& container, const Value& item);
  bool truth(const Value& value);
  int64_t hash(const Value& value);
  int64_t length(const Value& value);
  int64_t length_hint(const Value& value, int64_t otherwise = 0);  // runs nothing, never raises
  // The number of items that list(value) reserves memory for. A class's __len__ is called as
  // CPython calls it, and may raise; its result is not trusted with memory.
  size_t expected_length(const Value& value);
  std::string repr(const Value& value);
  std::string to_str(const Value& value);  // str(value)

  // --- reading arguments ------------------------------------------------------------------------
  // __index__: TypeError "'float' object cannot be interpreted as an integer", OverflowError.
  int64_t to_index(const Value& value);
  Value to_index_value(const Value& value);  // an int of any size
  bool has_index(const Value& value);
  // __float__: TypeError "must be real number, not str".
  double to_real(const Value& value);
  // TypeError "WHAT must be str, not int".
  std::string_view to_text(const Value& value, std::string_view what = "argument");

  // --- raising ----------------------------------------------------------------------------------
  [[noreturn]] void raise(Type* type, std::string_view message);
  [[noreturn]] void raise(Value exception);
  [[noreturn]] void raise_key_error(const Value& key);
  [[noreturn]] void raise_attribute_error(const Value& self, Str* name);
  Ref<Exception> make_exception(Type* type, std::string_view message);
  Ref<Exception> make_exception(Type* type, std::initializer_list<Value> args);
  static std::string format_message(fmt::string_view format, fmt::format_args args);
#define GPY_RAISE(member)                                                          \
  template <class... A>                                                            \
  [[noreturn]] void raise_##member(fmt::format_string<A...> format, A&&... args) { \
    raise(types.member, format_message(format, fmt::make_format_args(args...)));   \
  }
  GPY_RAISE(type_error)
  GPY_RAISE(value_error)
  GPY_RAISE(index_error)
  GPY_RAISE(runtime_error)
  GPY_RAISE(overflow_error)
  GPY_RAISE(zero_division_error)
  GPY_RAISE(os_error)
  GPY_RAISE(import_error)
  GPY_RAISE(not_implemented_error)
  GPY_RAISE(memory_error)
#undef GPY_RAISE
  // The exception for the C++ exception being caught: that of a Raised, an equivalent one for any
  // other, and a MemoryError where there is no memory to make one.
  Ref<Exception> exception_from_native() noexcept;
  // Writes "name: message" to the error stream with the current place, once per place.
  void warn(Type* category, std::string_view message);

  // --- place, limits, interrupts ----------------------------------------------------------------
  Position current_position() const;
  // Raises RecursionError when little of the C stack is left. Code that may recurse calls it.
  void check_stack();
  // Raises KeyboardInterrupt at the next poll; called from a signal handler or any thread.
  void interrupt() { ask(kInterrupt, true); }
  // The same with Stopped, which no script catches.
  void stop(StopReason reason) { ask(1u << static_cast<int>(reason), true); }
  void forget_interrupt();
  // Calls `on_wake`, which may run a script's code, at the next poll; called from any thread.
  void wake() { ask(kWake, false); }
  void (*on_wake)(Interpreter&) = nullptr;
  // Looks at the loops that run, if they are watched, at the next edge.
  void look_again() { wake_at_.store(0); }
  // Set while an interrupt waits: work that does not poll here watches this flag.
  const std::atomic<bool>& interrupt_flag() const { return interrupted_; }
  // The exception to raise once interrupt_flag has been seen.
  Value interrupt_exception();
  // Called in all long loops: raises KeyboardInterrupt or Stopped when that was asked for or a
  // limit is passed, and collects cycles. Objects without references may be destroyed.
  void poll() {
    if (tick()) [[unlikely]]
      handle_pending();
  }
  int64_t recursion_limit = 1000;
  uint64_t steps = 0;  // loop edges, calls that scripts make, and polls so far
  // The number of checks by poll_interrupt: tests measure how much is done in between.
  uint64_t looks = 0;
  // Counts a step; true when poll() has something to do.
  bool tick() { return ++steps >= wake_at_.load(std::memory_order_relaxed); }
  // The same without a step where that is free: jumps ahead, and calls that the library makes, as
  // nothing inside of a native is a step.
  bool tick_unless(bool is_free) {
    steps += !is_free;
    return steps >= wake_at_.load(std::memory_order_relaxed);
  }
  // Called before memory of that size is allocated: MemoryError for more than this machine has,
  // Stopped for more than the budget allows.
  void claim(size_t count, size_t item_bytes = 1) {
    constexpr size_t kMost = 64 << 10;  // bytes between two looks
    if (count >= kMost / item_bytes || (claimed_ += count * item_bytes) >= kMost) [[unlikely]]
      check_claim(count, item_bytes);
  }
  // Like claim for the budget alone: the allocation fails if the machine lacks the memory.
  void check_budget(size_t bytes);
  // Sets limits from here to finish(), which returns the reason if the run was stopped. A run
  // inside a run changes nothing.
  void start(const Limits& limits);
  // The same for reports and destruction after a run, or outside of one: the steps and time of a
  // moment, the memory of `limits`, and no grace after it.
  void start_moment(const Limits& limits) noexcept;
  StopReason finish();
  // The account of the memory of arrays that are made in a run.
  rt::MemoryAccount& array_memory();
  // Whether objects of the script may have code to run at their end.
  bool may_have_ends() const;
  Ref<Exception> make_stopped(StopReason reason);

  // --- streams ----------------------------------------------------------------------------------
  // Default: this process's stdout (buffered; flushed at exit, by flush, and each line on a
  // terminal) and stderr.
  Output out, err;
  std::function<void()> flush_out;
  void write_out(std::string_view text);
  // Counted as output, but never raises: past the limit the run is ended at its next poll.
  void write_err(std::string_view text);

  // Guards repr and comparison of containers that hold themselves: inside() says that `object` is
  // already being shown further out.
  class Showing {
   public:
    Showing(Interpreter& vm, const Value& object);
    ~Showing();
    bool inside() const { return inside_; }

   private:
    Interpreter& vm_;
    bool inside_;
  };

  struct State;  // the run loop's own: frames, caches, intern table
  State& state() { return *state_; }

 private:
  friend class DeferredDestruction;
  void drop_modules();
  void end_scripts();
  // Frees the block of an object whose constructor threw, perhaps before it began.
  void give_back(Type* type, void* block, size_t bytes) noexcept {
    if (type->is_class && Heap::holds_object(block)) release(type);
    heap.free(block, bytes);
  }

  const Value* last_use_ = nullptr;

  // The requests to poll(): a bit for each StopReason, and these.
  static constexpr uint32_t kInterrupt = 1u << 16;
  static constexpr uint32_t kCollect = 1u << 17;
  static constexpr uint32_t kEndRest = 1u << 18;
  static constexpr uint32_t kLook = 1u << 19;  // at the memory
  static constexpr uint32_t kWake = 1u << 20;
  static constexpr uint32_t kChores = kCollect | kEndRest | kLook | kWake;
  void ask(uint32_t what, bool interrupt) {
    if (interrupt) interrupted_.store(true);
    asked_.fetch_or(what);
    wake_at_.store(0);
  }
  void end_rest_later();
  void handle_pending();
  void do_chores(uint32_t asked);
  void check_claim(size_t count, size_t item_bytes);
  void begin_run(const Limits& limits);
  [[noreturn]] void raise_stopped(StopReason reason);

  std::unique_ptr<State> state_;
  size_t claimed_ = 0;  // bytes since the last look
  std::atomic<uint64_t> wake_at_{UINT64_MAX};
  std::atomic<uint32_t> asked_{0};
  std::atomic<bool> interrupted_{false};
};

}  // namespace gpy
