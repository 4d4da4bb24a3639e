#include "src/calls/args.h"

#include <algorithm>
#include <array>

#include "src/calls/call_errors.h"
#include "src/calls/override.h"
#include "src/calls/receiver.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

namespace {

// One call: the slots being filled, and the names that its errors mention.
struct Binding {
  Interpreter& vm;
  NativeFunction& callee;
  const Signature& signature;
  Value* slots;
  size_t self;   // 1 if slot 0 is self and not counted in messages
  size_t named;  // arguments by keyword

  // Errors of builtin functions and types are worded like CPython's, whatever their parameters.
  bool like_c() const { return signature.like_c || callee.qualifier.empty(); }
  std::string_view name() const { return callee.row->name; }
  std::string full_name() const {
    bool plain = callee.qualifier.empty() || callee.qualifier == "builtins";
    return plain ? callee.row->name : home() + "." + callee.row->name;
  }
  // Errors of a class method name the class that it is called for.
  const std::string& home() const {
    const bool has_class = callee.row->binding == Native::class_method;
    const Type* type = has_class ? slots[0].try_as<Type>() : nullptr;
    return type && type->is_class ? type->qualified_name : callee.qualifier;
  }
  const Parameter& parameter(size_t i) const { return signature.parameters[i]; }
  size_t count() const { return signature.parameters.size(); }
};

}  // namespace

static bool takes_keywords(const Signature& signature) {
  for (const Parameter& p : signature.parameters) {
    if (p.kind != Parameter::positional_only && p.kind != Parameter::var_positional) return true;
  }
  return false;
}

static const char* plural(size_t count) { return count == 1 ? "" : "s"; }

// The least number of arguments by position, as errors of functions with keywords count it.
static size_t least_by_position(const Binding& b) {
  size_t least = 0;
  for (size_t i = b.self; i < b.count(); ++i) {
    const Parameter& p = b.parameter(i);
    least += p.kind == Parameter::positional_only && p.required;
  }
  return least;
}

[[noreturn]] static void raise_too_few_by_position(const Binding& b, size_t given) {
  const size_t least = least_by_position(b), most = b.signature.positional - b.self;
  b.vm.raise_type_error("{}() takes {} {} positional argument{} ({} given)", b.name(),
                        least < most ? "at least" : "exactly", least, plural(least), given);
}

// Raises the error of a function with keywords, whose text depends on which number is wrong.
static void raise_count_with_keywords(const Binding& b, size_t given) {
  const size_t least = b.signature.required - b.self, most = b.signature.positional - b.self;
  const size_t all = b.count() - b.self;
  if (most == 0) b.vm.raise_type_error("{}() takes no positional arguments", b.name());
  if (given + b.named > all) {
    b.vm.raise_type_error("{}() takes {} {} argument{} ({} given)", b.name(),
                          least == all ? "exactly" : "at most", all, plural(all), given + b.named);
  }
  if (given > most) {
    b.vm.raise_type_error("{}() takes {} {} positional argument{} ({} given)", b.name(),
                          least == most ? "exactly" : "at most", most, plural(most), given);
  }
  if (given < least_by_position(b)) raise_too_few_by_position(b, given);
  for (size_t i = b.self; i < b.count(); ++i) {
    const Parameter& p = b.parameter(i);
    if (!p.required || b.slots[i].is_defined()) continue;
    b.vm.raise_type_error("{}() missing required argument '{}' (pos {})", b.name(), p.name,
                          i + 1 - b.self);
  }
}

// Raises the error of CPython's C functions for a wrong number of arguments.
[[noreturn]] static void raise_count_like_c(const Binding& b, size_t given) {
  const size_t least = b.signature.required - b.self, most = b.signature.positional - b.self;
  const bool open = b.signature.var_positional >= 0 || b.signature.var_keyword >= 0;
  if (!open && takes_keywords(b.signature)) raise_count_with_keywords(b, given);
  if (most == 0 && b.signature.var_positional < 0) {
    b.vm.raise_type_error("{}() takes no arguments ({} given)", b.full_name(), given);
  }
  const bool is_constructor = b.self == 1 && b.callee.qualifier.empty();
  if (most == 1 && least == 1 && !open && !is_constructor) {
    b.vm.raise_type_error("{}() takes exactly one argument ({} given)", b.full_name(), given);
  }
  const bool is_exact = least == most && b.signature.var_positional < 0;
  const char* bound = is_exact ? "" : given < least ? "at least " : "at most ";
  const size_t limit = given < least ? least : most;
  if (b.signature.in_brackets) {
    b.vm.raise_type_error("{}() takes {}{} argument{} ({} given)", b.name(), bound, limit,
                          plural(limit), given);
  }
  b.vm.raise_type_error("{} expected {}{} argument{}, got {}", b.name(), bound, limit,
                        plural(limit), given);
}

[[noreturn]] static void raise_too_many(const Binding& b, size_t given) {
  if (b.like_c()) raise_count_like_c(b, given - b.self);
  raise_too_many_arguments(b.vm, b.name(),
                           {b.signature.required, b.signature.positional, given, 0});
}

static void take_positionals(const Binding& b, const Value& self, const CallArgs& arguments) {
  size_t filled = 0;
  if (self.is_defined()) b.slots[filled++] = self;
  size_t given = filled + arguments.positional;
  size_t taken = std::min<size_t>(given, b.signature.positional);
  size_t offset = filled;
  for (; filled < taken; ++filled) b.slots[filled] = arguments.values[filled - offset];
  if (b.signature.var_positional >= 0) {
    size_t skipped = std::min<size_t>(taken - std::min(taken, offset), arguments.positional);
    b.slots[b.signature.var_positional] = b.vm.tuple(arguments.positionals().subspan(skipped));
  } else if (given > taken) {
    raise_too_many(b, given);
  }
}

[[noreturn]] static void raise_bad_keyword(const Binding& b, std::string_view keyword) {
  NameList known;
  for (const Parameter& p : b.signature.parameters) {
    if (p.kind == Parameter::positional || p.kind == Parameter::keyword_only)
      known.push_back(p.name);
  }
  if (!b.like_c()) raise_unexpected_keyword(b.vm, b.name(), keyword, known);
  if (known.empty()) b.vm.raise_type_error("{}() takes no keyword arguments", b.full_name());
  raise_invalid_keyword(b.vm, b.name(), keyword, known);
}

static void take_keyword(const Binding& b, Str* keyword, const Value& value) {
  for (size_t i = 0; i < b.count(); ++i) {
    const Parameter& p = b.parameter(i);
    if (p.kind != Parameter::positional && p.kind != Parameter::keyword_only) continue;
    if (p.name != keyword->view()) continue;
    if (b.slots[i].is_undefined()) {
      b.slots[i] = value;
      return;
    }
    if (!b.like_c()) raise_multiple_values(b.vm, b.name(), p.name);
    b.vm.raise_type_error("argument for {}() given by name ('{}') and position ({})", b.name(),
                          p.name, i + 1 - b.self);
  }
  if (b.signature.var_keyword < 0) raise_bad_keyword(b, keyword->view());
  b.slots[b.signature.var_keyword].as<Dict>()->set(keyword, value);
}

[[noreturn]] static void raise_missing(const Binding& b, size_t given) {
  if (b.like_c()) raise_count_like_c(b, given);
  for (bool keyword_only : {false, true}) {
    NameList names;
    for (size_t i = 0; i < b.count(); ++i) {
      const Parameter& p = b.parameter(i);
      bool wanted = (p.kind == Parameter::keyword_only) == keyword_only;
      if (p.required && wanted && b.slots[i].is_undefined()) names.push_back(p.name);
    }
    if (names.empty()) continue;
    raise_missing_arguments(b.vm, b.name(), keyword_only ? "keyword-only" : "positional", names);
  }
  __builtin_unreachable();
}

static bool is_no_value(Interpreter& vm, const Value& value) {
  return value.is_object() && value.as_object() == vm.state().no_value;
}

bool has_no_value(Interpreter& vm, std::span<const Value> arguments) {
  return std::ranges::any_of(arguments, [&](const Value& each) { return is_no_value(vm, each); });
}

// Whether the caller gave what stands for nothing.
static bool gave_no_value(const Binding& b, size_t i) {
  return b.parameter(i).may_be_no_value && is_no_value(b.vm, b.slots[i]);
}

static void fill_defaults(const Binding& b, size_t given) {
  bool missing = false;
  for (size_t i = 0; i < b.count(); ++i) {
    if (b.slots[i].is_defined() && !gave_no_value(b, i)) continue;
    b.slots[i] = b.parameter(i).fallback;
    missing |= b.parameter(i).required;
  }
  if (missing) raise_missing(b, given);
}

// Checks the number of arguments by position, before any keyword is looked at.
static void check_by_position(const Binding& b, const CallArgs& arguments) {
  if (b.signature.var_positional >= 0 || b.signature.var_keyword >= 0) return;
  if (arguments.positional < least_by_position(b)) {
    raise_too_few_by_position(b, arguments.positional);
  }
}

static void bind(const Binding& b, const Value& self, const CallArgs& arguments) {
  const bool named = !arguments.names.empty();
  if (named && b.like_c() && !takes_keywords(b.signature)) {
    const bool is_first = self.is_undefined() && arguments.positional > 0;
    b.slots[0] = is_first ? arguments.values[0] : self;  // the object named in the message
    raise_bad_keyword(b, arguments.names[0]->view());
  }
  if (b.signature.var_keyword >= 0) b.slots[b.signature.var_keyword] = b.vm.dict();
  take_positionals(b, self, arguments);
  if (named && b.like_c()) check_by_position(b, arguments);
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    take_keyword(b, arguments.names[i], arguments.keyword(i));
  }
  bool self_counted = b.self && self.is_undefined() && arguments.positional > 0;
  fill_defaults(b, arguments.positional - (self_counted ? 1 : 0));
}

// Whether the arguments are, as they stand, what the body reads.
static bool is_bound(Interpreter& vm, const Signature& signature, const Value& self,
                     const CallArgs& arguments) {
  if (!signature.simple || !arguments.names.empty() || self.is_defined()) return false;
  if (arguments.positional != signature.parameters.size()) return false;
  return !signature.may_have_no_value || !has_no_value(vm, arguments.positionals());
}

// What is given is known to be of the types that the body reads.
static Value call_body(Interpreter& vm, NativeFunction& callee, const Value& self,
                       const CallArgs& arguments) {
  const Signature& signature = callee.signature();
  size_t count = signature.parameters.size();
  if (is_bound(vm, signature, self, arguments)) {
    return run_body(vm, Args(arguments.values, static_cast<uint32_t>(count), callee));
  }
  constexpr size_t kUsual = 8;
  std::array<Value, kUsual> few;
  std::vector<Value> many(count > kUsual ? count : 0);
  Value* slots = count > kUsual ? many.data() : few.data();
  bool has_self = self.is_defined() || callee.is_method;
  const size_t own = has_self ? 1 : 0;
  bind({vm, callee, signature, slots, own, arguments.names.size()}, self, arguments);
  return run_body(vm, Args(slots, static_cast<uint32_t>(count), callee,
                           self.is_defined() ? nullptr : &arguments));
}

// list.append(x, item): the first argument stands for self. An object that is an instance without
// being laid out as one, an array of text say, has its own method of that name.
static Value call_unbound(Interpreter& vm, NativeFunction& callee, const CallArgs& arguments) {
  if (arguments.positional == 0) raise_no_receiver(vm, callee);
  const Value& self = arguments.values[0];
  if (is_received(callee, self)) return call_body(vm, callee, Value(), arguments);
  const CallArgs rest = {arguments.values + 1, arguments.positional - 1, arguments.names};
  Value received = try_receiver_of(vm, callee, self);
  if (received.is_undefined() && vm.is_instance(self, callee.owner)) {
    return vm.call(vm.get_attribute(self, callee.row->name), rest);
  }
  if (received.is_undefined()) received = receiver_of(vm, callee, self);
  if (received.same(self)) return call_body(vm, callee, Value(), arguments);
  return call_body(vm, callee, received, rest);
}

Value call_native(Interpreter& vm, NativeFunction& callee, const Value& self,
                  const CallArgs& arguments) {
  if (!callee.owner || is_received(callee, self)) return call_body(vm, callee, self, arguments);
  if (self.is_undefined()) return call_unbound(vm, callee, arguments);
  return call_body(vm, callee, receiver_of(vm, callee, self), arguments);
}

}  // namespace gpy
