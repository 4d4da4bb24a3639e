// Arguments of gpy functions: the parameters they go to, and the errors for those that do not fit.
#include "src/calls/bind.h"

#include "src/calls/call_errors.h"
#include "src/calls/name_places.h"
#include "src/interpreter.h"
#include "src/memory/pieces.h"

namespace gpy {

namespace {

struct FunctionBinding {
  Interpreter& vm;
  Function* function;
  const FunctionParameters& parameters;
  Value* slots;

  std::string_view name() const { return function->qualified_name.as<Str>()->view(); }
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

static void bind_keyword(const FunctionBinding& b, size_t place, Str* keyword, const Value& value,
                         NameList& misplaced) {
  const bool is_by_position = place < b.parameters.positional_only;
  if (is_by_position && !b.parameters.has_keywords) {
    misplaced.push_back(keyword->view());
    return;
  }
  if (!is_by_position && place < b.args_slot()) {
    if (b.slots[place].is_defined()) raise_multiple_values(b.vm, b.name(), keyword->view());
    b.slots[place] = value;
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

static void bind_positional(const FunctionBinding& b, const Value& self,
                            const CallArgs& arguments) {
  const FunctionParameters& p = b.parameters;
  size_t offset = self.is_defined();
  size_t given = arguments.positional + offset;
  auto argument = [&](size_t i) -> const Value& {
    return i < offset ? self : arguments.values[i - offset];
  };
  size_t taken = std::min<size_t>(given, p.positional);
  for (size_t i = 0; i < taken; ++i) b.slots[i] = argument(i);
  if (!p.has_args) return;
  std::vector<Value> rest;
  for (size_t i = taken; i < given; ++i) rest.push_back(argument(i));
  b.slots[b.args_slot()] = b.vm.tuple(rest);
}

static void bind_keywords(const FunctionBinding& b, const CallArgs& arguments) {
  if (b.parameters.has_keywords) b.slots[b.keywords_slot()] = b.vm.dict();
  NameList misplaced;
  const NamePlaces places(b.args_slot(), arguments.names.size(),
                          [&](size_t i) { return b.parameter(i); });
  InterruptPoll poll(b.vm);
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    poll.step();
    Str* name = arguments.names[i];
    bind_keyword(b, places.of(name->view()), name, arguments.keyword(i), misplaced);
  }
  if (!misplaced.empty()) raise_positional_only(b.vm, b.name(), misplaced);
}

static void check_count(const FunctionBinding& b, size_t given) {
  const FunctionParameters& p = b.parameters;
  if (given <= p.positional || p.has_args) return;
  size_t least = p.positional - b.function->defaults.size();
  raise_too_many_arguments(b.vm, b.name(), {least, p.positional, given, keyword_only_given(b)});
}

Frame* bind_at_length(Interpreter& vm, Function* function, const Value& self,
                      const CallArgs& arguments) {
  Frame* frame = make_frame(function);
  FunctionBinding binding{vm, function, function->code->parameters, frame->registers};
  try {
    bind_positional(binding, self, arguments);
    bind_keywords(binding, arguments);
    check_count(binding, arguments.positional + self.is_defined());
    bind_defaults(binding);
  } catch (...) {
    free_frame(frame);
    throw;
  }
  return frame;
}

Frame* bind_function(Interpreter& vm, Function* function, const Value& self,
                     const CallArgs& arguments) {
  const uint32_t first = self.is_defined();
  auto copy = [&](uint32_t k) -> const Value& {
    return k < first ? self : arguments.values[k - first];
  };
  Frame* frame = bind_plainly(function, arguments.positional + first, arguments.names, copy);
  return frame ? frame : bind_at_length(vm, function, self, arguments);
}

}  // namespace gpy
