// The exception types, making exceptions, and the helpers that raise them.
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "src/calls/args.h"
#include "src/classes/attributes.h"
#include "src/code.h"
#include "src/exceptions/as_raised.h"
#include "src/exceptions/fields.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/exceptions/traceback.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

Exception::Exception(Type* type, Ref<Tuple> args) : Object(type), args(std::move(args)) {}
Exception::~Exception() = default;
Traceback::Traceback(Type* type, std::vector<TracePoint> points)
    : Object(type), points(std::move(points)) {}
Traceback::~Traceback() = default;

// --- raising -------------------------------------------------------------------------------------

std::string Interpreter::format_message(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

Ref<Exception> Interpreter::make_exception(Type* type, std::string_view message) {
  return make_exception(type, {str(message)});
}

Ref<Exception> Interpreter::make_exception(Type* type, std::initializer_list<Value> args) {
  return make<Exception>(type, Tuple::make(*this, {args.begin(), args.size()}));
}

void Interpreter::raise(Value exception) { throw Raised{std::move(exception)}; }

void Interpreter::raise(Type* type, std::string_view message) {
  if (message.empty()) raise(Value(make_exception(type, std::initializer_list<Value>{})));
  raise(Value(make_exception(type, message)));
}

void Interpreter::raise_key_error(const Value& key) {
  raise(Value(make_exception(types.key_error, {key})));
}

// Makes an OSError if the error number is the system's.
static Ref<Exception> system_exception(Interpreter& vm, const std::system_error& error) {
  const std::error_category& category = error.code().category();
  if (category != std::generic_category() && category != std::system_category()) {
    return vm.make_exception(vm.types.system_error, what_of(error));
  }
  const int number = error.code().value();
  const Value made =
      vm.call(Value(vm.types.os_error), {Value::integer(number), vm.str(std::strerror(number))});
  return Ref<Exception>(made.as<Exception>());
}

static Ref<Exception> translate(Interpreter& vm) {
  if (vm.hooks.translate_exception) {
    Value translated = vm.hooks.translate_exception(vm);
    if (translated.is<Exception>()) return Ref<Exception>(translated.as<Exception>());
  }
  try {
    throw;
  } catch (const Raised& raised) {
    return Ref<Exception>(raised.exception.as<Exception>());
  } catch (const std::bad_alloc&) {
    return vm.state().memory_errors.take(vm);
  } catch (const std::length_error&) {
    return vm.state().memory_errors.take(vm);
  } catch (const std::system_error& error) {
    return system_exception(vm, error);
  } catch (const std::exception& error) {
    return vm.make_exception(vm.types.system_error, what_of(error));
  } catch (...) {
    return vm.make_exception(vm.types.system_error, "a C++ exception of an unknown type");
  }
}

Ref<Exception> Interpreter::exception_from_native() noexcept {
  try {
    return translate(*this);
  } catch (const Raised& raised) {
    return Ref<Exception>(raised.exception.as<Exception>());
  } catch (...) {
    return state_->memory_errors.take(*this);
  }
}

// --- str and repr --------------------------------------------------------------------------------

static std::string os_error_message(Interpreter& vm, Exception* e) {
  auto& names = vm.state().names;
  const Value number = own_attribute(e, names.errno_), text = own_attribute(e, names.strerror);
  const Value file = own_attribute(e, names.filename);
  const Value second = own_attribute(e, vm.intern("filename2"));
  if (number.is_undefined() || text.is_undefined()) return "";
  std::string message = fmt::format("[Errno {}] {}", vm.to_str(number), vm.to_str(text));
  if (file.is_undefined() || file.is_none()) return message;
  return message + ": " + vm.repr(file) + (second.is_defined() ? " -> " + vm.repr(second) : "");
}

std::string Exception::message(Interpreter& vm) {
  if (type->is_subclass_of(vm.types.os_error) && args->size >= 2) {
    std::string text = os_error_message(vm, this);
    if (!text.empty()) return text;
  }
  if (type->is_subclass_of(vm.types.unicode_error) && attributes) {
    std::string text = unicode_error_message(vm, this);
    if (!text.empty()) return text;
  }
  if (type->is_subclass_of(vm.types.syntax_error)) return syntax_error_message(vm, this);
  if (args->size == 0) return "";
  if (args->size > 1) return vm.repr(args);
  const Value only = (*args)[0];
  return type->is_subclass_of(vm.types.key_error) ? vm.repr(only) : vm.to_str(only);
}

static std::string exception_str(Interpreter& vm, const Value& self) {
  return self.as<Exception>()->message(vm);
}

static std::string exception_repr(Interpreter& vm, const Value& self) {
  auto* e = self.as<Exception>();
  const Ref<Tuple> args = e->args;
  if (args->size == 1) return fmt::format("{}({})", e->type->name, vm.repr((*args)[0]));
  return e->type->name + vm.repr(args);
}

// --- attributes ----------------------------------------------------------------------------------

// __dict__: the attributes that a script has set.
static Value own_names(Interpreter& vm, Exception* e) {
  Ref<Dict> own = vm.dict();
  if (!e->attributes) return own;
  for (auto& entry : e->attributes->entries()) {
    bool set_by_script = entry.key.is<Str>() && !has_field(vm, e, entry.key.as<Str>()->view());
    if (set_by_script) own->set(vm, entry.key, entry.value);
  }
  return own;
}

static Value exception_getattr(Interpreter& vm, const Value& self, Str* name) {
  auto* e = self.as<Exception>();
  if (Value found = own_attribute(e, name); found.is_defined()) return found;
  auto& names = vm.state().names;
  bool has_value = name == names.value && e->type->is_subclass_of(vm.types.stop_iteration);
  bool has_code = name == names.code && e->type->is_subclass_of(vm.types.system_exit);
  if (has_value || has_code) {
    if (has_code && e->args->size > 1) return Value(e->args);
    return e->args->size ? (*e->args)[0] : Value::none();
  }
  if (name == names.__dict__) return own_names(vm, e);
  return has_field(vm, e, name->view()) ? Value::none() : Value();
}

static bool exception_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  auto* e = self.as<Exception>();
  if (name == vm.state().names.__dict__) {
    e->attributes = dict_to_set(vm, item);
    return true;
  }
  if (!e->attributes) e->attributes = vm.dict();
  if (item.is_undefined()) return e->attributes->erase(name);
  e->attributes->set(name, item);
  return true;
}

static void exception_list_names(Interpreter&, const Value& self, std::vector<Str*>& names) {
  auto* e = self.as<Exception>();
  if (!e->attributes) return;
  for (auto& entry : e->attributes->entries()) {
    if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
  }
}

static Value exception_args(Interpreter&, const Value& self) {
  return Value(self.as<Exception>()->args);
}

static void set_exception_args(Interpreter& vm, const Value& self, const Value& item) {
  std::vector<Value> items = vm.collect(item);
  self.as<Exception>()->args = Tuple::make(vm, items);
}

static Value exception_cause(Interpreter&, const Value& self) {
  return self.as<Exception>()->cause;
}
static Value exception_context(Interpreter&, const Value& self) {
  return self.as<Exception>()->context;
}
static Value exception_suppress(Interpreter&, const Value& self) {
  return Value::boolean(self.as<Exception>()->suppress_context);
}
static Value exception_traceback(Interpreter& vm, const Value& self) {
  auto* e = self.as<Exception>();
  if (e->trace.empty()) return Value::none();
  return vm.make<Traceback>(vm.types.traceback, e->trace);
}

static void check_linked(Interpreter& vm, const Value& item, const char* what) {
  if (item.is_none() || item.is<Exception>()) return;
  vm.raise_type_error("exception {} must be None or derive from BaseException", what);
}

static void set_cause(Interpreter& vm, const Value& self, const Value& item) {
  check_linked(vm, item, "cause");
  self.as<Exception>()->cause = item;
  self.as<Exception>()->suppress_context = true;
}

static void set_context(Interpreter& vm, const Value& self, const Value& item) {
  check_linked(vm, item, "context");
  self.as<Exception>()->context = item;
}

static void set_suppress(Interpreter& vm, const Value& self, const Value& item) {
  if (!item.is_boolean()) vm.raise_type_error("attribute value type must be bool");
  self.as<Exception>()->suppress_context = vm.truth(item);
}

static void set_traceback(Interpreter& vm, const Value& self, const Value& item) {
  if (item.is_none()) {
    self.as<Exception>()->trace.clear();
  } else if (const Traceback* traceback = item.try_as<Traceback>()) {
    self.as<Exception>()->trace = traceback->points;
  } else {
    vm.raise_type_error("__traceback__ must be a traceback or None");
  }
}

static const NativeGetter kGetters[] = {
    {"args", exception_args, set_exception_args},
    {"__cause__", exception_cause, set_cause},
    {"__context__", exception_context, set_context},
    {"__suppress_context__", exception_suppress, set_suppress},
    {"__traceback__", exception_traceback, set_traceback},
};

static Value with_traceback(Interpreter& vm, const Value& self, const Value& traceback) {
  set_traceback(vm, self, traceback);
  return self;
}

static Value add_note(Interpreter& vm, const Value& self, const Value& note) {
  if (!note.is<Str>()) {
    vm.raise_type_error("note must be a str, not '{}'", vm.type_name(note));
  }
  Str* name = vm.intern("__notes__");
  Value notes = vm.try_get_attribute(self, name);
  if (notes.is_undefined()) {
    notes = vm.list();
    vm.set_attribute(self, name, notes);
  }
  if (!notes.is<List>()) vm.raise_type_error("Cannot add note: __notes__ is not a list");
  notes.as<List>()->items.push_back(note);
  return Value::none();
}

static const Native kMethods[] = {
    {"with_traceback", "(self, traceback, /)", typed<with_traceback>,
     "Sets __traceback__; gives self."},
    {"add_note", "(self, note, /)", typed<add_note>, "Adds a line to what an uncaught one shows."},
};

// --- construction --------------------------------------------------------------------------------

// The type of OSError(errno, ...): the subclass for that number.
static Type* os_error_type(Interpreter& vm, Type* type, const Value& number) {
  if (type != vm.types.os_error || !number.is_integer()) return type;
  switch (number.as_integer()) {
    case EAGAIN:
    case EALREADY:
    case EINPROGRESS: return vm.types.blocking_io_error;
    case ECHILD: return vm.types.child_process_error;
    case ECONNABORTED: return vm.types.connection_aborted_error;
    case ECONNREFUSED: return vm.types.connection_refused_error;
    case ECONNRESET: return vm.types.connection_reset_error;
    case EEXIST: return vm.types.file_exists_error;
    case EINTR: return vm.types.interrupted_error;
    case EISDIR: return vm.types.is_a_directory_error;
    case ENOENT: return vm.types.file_not_found_error;
    case ENOTDIR: return vm.types.not_a_directory_error;
    case EACCES:
    case EPERM: return vm.types.permission_error;
    case EPIPE:
    case ESHUTDOWN: return vm.types.broken_pipe_error;
    case ESRCH: return vm.types.process_lookup_error;
    case ETIMEDOUT: return vm.types.timeout_error;
    default: return type;
  }
}

static void fill_os_error(Interpreter& vm, Exception* e) {
  auto& names = vm.state().names;
  Ref<Tuple> args = e->args;
  e->attributes = vm.dict();
  e->attributes->set(names.errno_, (*args)[0]);
  e->attributes->set(names.strerror, (*args)[1]);
  if (args->size < 3) return;
  e->attributes->set(names.filename, (*args)[2]);
  if (args->size > 4) e->attributes->set(vm.intern("filename2"), (*args)[4]);
  e->args = Tuple::make(vm, args->items().first(2));
}

// Makes an exception that keeps the tuple of the arguments itself.
static Value make_instance(Interpreter& vm, Type& cls, Tuple& args, Dict& kwargs) {
  bool is_os = cls.is_subclass_of(vm.types.os_error) && args.size >= 2 && args.size <= 5;
  Type* type = is_os ? os_error_type(vm, &cls, args[0]) : &cls;
  auto e = vm.make<Exception>(type, Ref<Tuple>(&args));
  if (is_os) fill_os_error(vm, e.get());
  fill_fields(vm, e.get(), kwargs);
  return e;
}

static const Native kConstructor = {"BaseException", "(cls, /, *args, **kwargs)",
                                    typed<make_instance>, "An exception with any arguments."};

Value make_plain_exception(Interpreter& vm, Type* type, std::span<const Value> args) {
  const Types& t = vm.types;
  if (type->constructor != &kConstructor) return Value();
  for (const Type* reads : {t.os_error, t.import_error, t.syntax_error, t.unicode_error}) {
    if (type->is_subclass_of(reads)) return Value();
  }
  return vm.make<Exception>(type, Tuple::make(vm, args));
}

static void traverse_exception(Object* self, Visit visit, void* context) {
  traverse<&Exception::args, &Exception::cause, &Exception::context, &Exception::attributes,
           &Exception::operands>(self, visit, context);
  for (const TracePoint& point : static_cast<Exception*>(self)->trace) {
    report(point.code, visit, context);
  }
}

void setup_exceptions(Interpreter& vm) {
  Types& t = vm.types;
  setup_tracebacks(vm);
  t.base_exception = vm.make_type<Exception>({.name = "BaseException",
                                              .doc = "The base of all exceptions.",
                                              .slots = {.repr = exception_repr,
                                                        .str = exception_str,
                                                        .getattr = exception_getattr,
                                                        .setattr = exception_setattr,
                                                        .list_names = exception_list_names,
                                                        .traverse = traverse_exception},
                                              .methods = kMethods,
                                              .getters = kGetters,
                                              .constructor = &kConstructor,
                                              .is_final = false});
  t.stopped = vm.make_type<Exception>({.name = "Stopped", .base = t.base_exception});
#define GPY_MAKE(member, text, parent) \
  t.member = vm.make_type<Exception>({.name = text, .base = t.parent, .is_final = false});
  GPY_EXCEPTION_TREE(GPY_MAKE)
#undef GPY_MAKE
}

}  // namespace gpy
