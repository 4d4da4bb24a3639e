#pragma once
// A lowered function: instructions over registers. Registers 0.. are the parameters, then the other
// locals, then captured variables, then temporaries; -1, -2, ... are the constants, which lie in
// front of them in a frame, so that every operand is a register.
//
// Temporaries must not keep values alive: an instruction clears the temporaries that it reads (bits
// kDropB and kDropC of `d` say which operands those are) unless all are plain numbers.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "grammar/source.h"
#include "src/objects/exception.h"
#include "src/objects/function.h"
#include "src/type.h"
#include "src/value.h"

namespace gpy {

namespace syntax {
struct KernelDef;
struct Tree;
}  // namespace syntax

struct Frame;
class Shape;

// The run loop does these itself.
// clang-format off
#define GPY_INLINE_OPS(X)                                                                         \
  X(move) X(load_global) X(load_cell) X(store_cell) X(add) X(subtract) X(multiply)                \
  X(true_divide) X(floor_divide) X(remainder) X(bit_and) X(bit_or) X(bit_xor) X(less) X(less_equal) X(greater) X(greater_equal) X(equal) X(not_equal)            \
  X(jump) X(jump_back) X(jump_if_true) X(jump_if_false) X(jump_less) X(jump_less_equal)           \
  X(jump_greater) X(jump_greater_equal) X(jump_equal) X(jump_not_equal) X(for_iter) X(get_item)   \
  X(set_item) X(list_append) X(unpack) X(logical_not) X(is_same) X(is_not_same) X(call)           \
  X(call_method) X(call_keywords) X(call_method_keywords) X(call_spread) X(return_value)          \
  X(yield_value) X(delegate) X(raise_value) X(raise_again)                         \
  X(get_attribute) X(set_attribute) X(load_method) X(clear) X(move_row)            \
  X(load_constant) X(take) X(store_global) X(get_items) X(set_items) X(contains) X(contains_not)
// clang-format on

// Each of these is a function (src/run).
// clang-format off
#define GPY_CALLED_OPS(X)                                                                         \
  X(check) X(make_cell) X(delete_cell)          \
  X(delete_local) X(delete_global) X(binary) X(unary)              \
  X(delete_item)                 \
  X(delete_attribute) X(get_iterator)                                                             \
  X(build_list) X(build_tuple) X(build_set) X(build_dict) X(build_slice) X(join_text)             \
  X(list_extend) X(list_to_tuple) X(set_add) X(set_update) X(dict_set)             \
  X(dict_update) X(dict_merge_keywords) X(unpack_starred) X(format_text)                \
  X(make_function) X(match_exception) X(end_handler) X(with_enter) X(with_exit)                   \
  X(import_name) X(import_from) X(import_star) X(make_kernel) X(assertion_failed)      \
  X(show_value) X(load_name) X(store_name) X(delete_name) X(build_class) X(annotate)
// clang-format on

#define GPY_OP(name) name,
enum class Op : uint16_t { GPY_INLINE_OPS(GPY_OP) GPY_CALLED_OPS(GPY_OP) };
#undef GPY_OP

// `a` is the register of the result unless an instruction says otherwise. Jumps hold a distance.
struct Instruction {
  Op op;
  uint16_t d = 0;
  int32_t a = 0, b = 0, c = 0;
};
static_assert(sizeof(Instruction) == 16);

constexpr uint16_t kDropB = 1;
constexpr uint16_t kDropC = 2;
constexpr uint16_t kInPlace = 4;    // of a binary operator
constexpr uint16_t kJumpIfNot = 4;  // of a comparing jump
constexpr uint16_t kDropA = 8;      // where `a` is an operand
constexpr uint16_t kHasName = 16;   // dict_merge_keywords: one argument called `c`
constexpr uint16_t kOnlyStar =
    32;  // list_extend: the only argument of the callable before the list
constexpr uint16_t kDelegates = 64;  // yield_value: an item of the iterator in register `c`
constexpr int kOperatorShift = 8;    // `d >> kOperatorShift` is a BinaryOp, CompareOp or UnaryOp
constexpr int kCountShift = 8;       // get_items, set_items: the count of keys, from `c` on
constexpr uint16_t kKeepKeys = 128;  // get_items: they are read once more

// The result of the last look-up of a name at one place in the code.
struct Site {
  explicit Site(Str* name) : name(name) {}
  Str* name;
  enum Kind : uint8_t {
    unknown,
    in_globals,
    in_builtins,
    in_type,
    in_module,
    in_instance,  // at `position` of instances of `shape`
    to_instance,  // stored there, and the shape becomes `next_shape`
    in_getter,    // `found` is a property, whose getter is a function of the object alone
  } kind = unknown;
  int32_t position = 0;   // of the entry in the namespace
  bool binds = false;     // in_type: `found` is a function whose first argument is the object
  bool gets = false;      // in_type: `found` is a getter that reads objects of the type as they are
  uint64_t version = 0;   // of the type, of a module's keys or of all namespaces
  Value* slot = nullptr;  // a global's or a builtin's value, at that version
  Value found;            // in_type: the attribute as stored
  // in_type: the shape of instances without an attribute of their own of that name.
  const Shape* shape = nullptr;
  Shape* next_shape = nullptr;
};

// The way in which objects of a class are made, for one version of the class.
struct Construction {
  uint64_t version = 0;
  bool is_plain = false;     // an Instance, and `init` if there is one
  Function* init = nullptr;  // the class's, which keeps it
};

// Instructions [begin, end) are covered by the handler at `target`, which finds the exception in
// register `exception`. Inner handlers come first.
struct Handler {
  uint32_t begin, end, target;
  int32_t exception;  // registers from here on are dropped first
  static constexpr int32_t kNone = -1;
};

// Where the statements of loops, and loops, lie: for code that takes over from a loop at the start
// of its body, and hands back at a statement.
struct StatementPlace {
  uint32_t begin;  // in the source
  uint32_t at;     // its first instruction
};
struct LoopPlace {
  uint32_t begin;
  uint32_t body;          // the first instruction of an iteration
  uint32_t edge;          // the test, or the instruction that takes the next item
  int32_t iterator = -1;  // register; -1: a while
  int32_t item = -1;      // register of the item that was taken
};

struct FunctionParameters {
  std::vector<Str*> names;       // positional, keyword-only, then *args and **kwargs
  uint32_t positional_only = 0;  // of the positional ones
  uint32_t positional = 0;
  uint32_t keyword_only = 0;
  bool has_args = false;
  bool has_keywords = false;
  uint32_t count() const { return positional + keyword_only + has_args + has_keywords; }
};

// The only parameter of a class body, the dict of its names; no function's can have this name.
inline constexpr std::string_view kClassNames = ".names";

struct Code : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::code;
  explicit Code(Type* type) : Object(type) {}
  ~Code();

  std::string name, qualified_name;
  syntax::SourcePtr source;
  std::shared_ptr<const syntax::Tree> tree;  // kept where kernel statements refer to it
  std::vector<Instruction> instructions;
  std::vector<syntax::Span> spans;   // of each instruction, for errors
  std::vector<syntax::Span> carets;  // the part of it that the caret points at
  std::vector<Value> constants;
  std::vector<Site> sites;
  std::vector<Handler> handlers;
  std::vector<Ref<Code>> children;
  std::vector<std::vector<Str*>> keyword_names;  // of calls
  std::vector<const syntax::KernelDef*> kernels;
  std::vector<StatementPlace> statements;  // inside loops
  std::vector<LoopPlace> loops;            // inner ones first
  bool has_compiled_loops = false;         // so that entering a loop is worth a look

  FunctionParameters parameters;
  std::vector<Str*> local_names;  // of registers 0..
  std::vector<int32_t> captures;  // registers of the enclosing frame whose cells it takes
  int32_t first_captured = 0;     // where it puts them
  int32_t register_count = 0;
  uint32_t default_count = 0;  // of positional parameters
  bool is_simple = false;      // positional parameters only
  bool is_library = false;     // gpy's own text: callers see as little of it as of a native
  int32_t plain_count = -1;    // of parameters, if it is simple and a call just runs it; else -1
  bool is_generator = false;
  bool asks_arguments = false;  // the library's: classes of its arguments may answer for it
  Value doc = Value::none();
  uint32_t first_line = 1;

  std::array<Construction, 4> constructions = {};  // of classes called here, by version

  Frame* free_frames = nullptr;  // ready to be used again

  // The name of register `index` in the script.
  std::string_view register_name(int32_t index) const;
};

}  // namespace gpy
