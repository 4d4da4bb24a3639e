// Calling anything: binding the arguments of gpy functions, and the protocol for the rest.
#include "src/calls/call.h"

#include "src/calls/args.h"
#include "src/calls/call_errors.h"
#include "src/interpreter.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

const Value* CallArgs::find_keyword(std::string_view name) const {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i]->view() == name) return &keyword(i);
  }
  return nullptr;
}

// --- binding -------------------------------------------------------------------------------------

namespace {

struct FunctionBinding {
  Interpreter& vm;
  Function* function;
  const FunctionParameters& parameters;
  Value* slots;

  std::string_view name() const { return function->code->qualified_name; }
  std::string_view parameter(size_t i) const { return parameters.names[i]->view(); }
  uint32_t args_slot() const { return parameters.positional + parameters.keyword_only; }
  uint32_t keywords_slot() const { return args_slot() + parameters.has_args; }
};

}  // namespace

static size_t keyword_only_given(const FunctionBinding& b) {
  size_t given = 0;
  for (uint32_t i = b.parameters.positional; i < b.args_slot(); ++i)
    given += b.slots[i].is_defined();
  return given;
}

static void bind_keyword(const FunctionBinding& b, Str* keyword, const Value& value,
                         NameList& misplaced) {
  const auto& names = b.parameters.names;
  for (uint32_t i = 0; i < b.args_slot(); ++i) {
    if (names[i] != keyword && names[i]->view() != keyword->view()) continue;
    if (i < b.parameters.positional_only) {
      if (b.parameters.has_keywords) break;
      misplaced.push_back(keyword->view());
      return;
    }
    if (b.slots[i].is_defined()) raise_multiple_values(b.vm, b.name(), keyword->view());
    b.slots[i] = value;
    return;
  }
  if (b.parameters.has_keywords) {
    b.slots[b.keywords_slot()].as<Dict>()->set(keyword, value);
    return;
  }
  NameList known;
  for (uint32_t i = b.parameters.positional_only; i < b.args_slot(); ++i) {
    known.push_back(b.parameter(i));
  }
  raise_unexpected_keyword(b.vm, b.name(), keyword->view(), known);
}

static void bind_defaults(const FunctionBinding& b) {
  const auto& defaults = b.function->defaults;
  uint32_t first_default = b.parameters.positional - static_cast<uint32_t>(defaults.size());
  NameList missing;
  for (uint32_t i = 0; i < b.parameters.positional; ++i) {
    if (b.slots[i].is_defined()) continue;
    if (i < first_default) {
      missing.push_back(b.parameter(i));
    } else {
      b.slots[i] = defaults[i - first_default];
    }
  }
  if (!missing.empty()) raise_missing_arguments(b.vm, b.name(), "positional", missing);
  for (uint32_t i = b.parameters.positional; i < b.args_slot(); ++i) {
    if (b.slots[i].is_undefined())
      b.slots[i] = b.function->keyword_defaults[i - b.parameters.positional];
    if (b.slots[i].is_undefined()) missing.push_back(b.parameter(i));
  }
  if (!missing.empty()) raise_missing_arguments(b.vm, b.name(), "keyword-only", missing);
}

static void bind(const FunctionBinding& b, const Value& self, const CallArgs& arguments) {
  const FunctionParameters& p = b.parameters;
  size_t offset = self.is_defined() ? 1 : 0;
  size_t given = arguments.positional + offset;
  auto argument = [&](size_t i) -> const Value& {
    return i < offset ? self : arguments.values[i - offset];
  };
  size_t taken = std::min<size_t>(given, p.positional);
  for (size_t i = 0; i < taken; ++i) b.slots[i] = argument(i);
  if (p.has_args) {
    std::vector<Value> rest;
    for (size_t i = taken; i < given; ++i) rest.push_back(argument(i));
    b.slots[b.args_slot()] = b.vm.tuple(rest);
  }
  if (p.has_keywords) b.slots[b.keywords_slot()] = b.vm.dict();
  NameList misplaced;
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    bind_keyword(b, arguments.names[i], arguments.keyword(i), misplaced);
  }
  if (!misplaced.empty()) raise_positional_only(b.vm, b.name(), misplaced);
  if (given > p.positional && !p.has_args) {
    size_t least = p.positional - b.function->defaults.size();
    raise_too_many_arguments(b.vm, b.name(), {least, p.positional, given, keyword_only_given(b)});
  }
  bind_defaults(b);
}

// The frame of a function that takes just what is given; null for every other call.
static Frame* enter_plainly(Function* function, const Value& self, const CallArgs& arguments) {
  const Code& code = *function->code;
  const uint32_t first = self.is_defined();
  const uint32_t given = arguments.positional + first;
  if (!code.is_simple || !arguments.names.empty() || given != code.parameters.positional) {
    return nullptr;
  }
  Frame* frame = make_frame(function);
  if (first) frame->registers[0] = self;
  for (uint32_t i = 0; i < arguments.positional; ++i) {
    frame->registers[first + i] = arguments.values[i];
  }
  return frame;
}

Frame* enter_function(Interpreter& vm, Function* function, const Value& self,
                      const CallArgs& arguments) {
  if (Frame* frame = enter_plainly(function, self, arguments)) return frame;
  Frame* frame = make_frame(function);
  try {
    bind({vm, function, function->code->parameters, frame->registers}, self, arguments);
  } catch (...) {
    free_frame(frame);
    throw;
  }
  return frame;
}

Value call_function(Interpreter& vm, Function* function, const Value& self,
                    const CallArgs& arguments) {
  Frame* frame = enter_function(vm, function, self, arguments);
  if (function->code->is_generator) return vm.make<Generator>(vm.types.generator, frame);
  return run(vm, frame);
}

Value call_with_first(Interpreter& vm, const Value& callable, const Value& first,
                      const CallArgs& arguments) {
  std::vector<Value> values{first};
  size_t count = arguments.positional + arguments.names.size();
  values.insert(values.end(), arguments.values, arguments.values + count);
  return vm.call(callable, {values.data(), arguments.positional + 1, arguments.names});
}

// --- calling -------------------------------------------------------------------------------------

Value Interpreter::call(const Value& callable, const CallArgs& arguments) {
  if (auto slot = type_of(callable)->slots.call) {
    check_stack();
    return slot(*this, callable, arguments);
  }
  raise_type_error("'{}' object is not callable", type_name(callable));
}

static Value call_with(Interpreter& vm, const Value& callable,
                       std::initializer_list<Value> arguments, Keywords keywords) {
  std::vector<Value> values(arguments);
  std::vector<Str*> names;
  for (const auto& [name, value] : keywords) {
    names.push_back(vm.intern(name));
    values.push_back(value);
  }
  return vm.call(callable, {values.data(), static_cast<uint32_t>(arguments.size()), names});
}

Value Interpreter::call(const Value& callable, std::initializer_list<Value> arguments,
                        Keywords keywords) {
  if (keywords.size() > 0) return call_with(*this, callable, arguments, keywords);
  return call(callable, CallArgs{arguments.begin(), static_cast<uint32_t>(arguments.size()), {}});
}

Value Interpreter::call_method(const Value& self, std::string_view name,
                               std::initializer_list<Value> arguments, Keywords keywords) {
  return call(get_attribute(self, name), arguments, keywords);
}

bool Interpreter::is_callable(const Value& value) { return type_of(value)->slots.call != nullptr; }

}  // namespace gpy
