// help(x): what a function, type or module is for and how it is called, laid out as pydoc does.
#include <fmt/ranges.h>

#include "grammar/scan.h"
#include "src/builtins/output.h"
#include "src/builtins/rows.h"
#include "src/calls/args.h"
#include "src/calls/documentation.h"
#include "src/classes/property.h"
#include "src/code.h"
#include "src/typed_native.h"

namespace gpy {

static std::string construction_of(Interpreter& vm, Type* type) {
  const Value* init = type->is_class ? type->lookup(vm.intern("__init__")) : nullptr;
  if (init && init->is<Function>()) return without_first_parameter(signature_of(vm, *init));
  if (!type->constructor || type->is_class) return "()";
  return without_first_parameter(Signature::parse(vm, type->constructor->signature).text());
}

// --- text ----------------------------------------------------------------------------------------

static std::string doc_of(Interpreter& vm, const Value& v) {
  Value doc = vm.try_get_attribute(v, vm.intern("__doc__"));
  return doc.is<Str>() ? clean_docstring(doc.as<Str>()->view()) : std::string();
}

// Each line behind `margin`, blank ones too, as pydoc does.
static std::string indented(std::string_view text, std::string_view margin) {
  std::string result;
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return result;
  for (std::string_view line : lines_of(text)) {
    result += std::string(margin) + std::string(line) + "\n";
  }
  return result;
}

static std::string routine_help(Interpreter& vm, const std::string& name, const Value& v) {
  return name + signature_of(vm, v) + "\n" + indented(doc_of(vm, v), "    ");
}

static bool is_routine(const Value& v) {
  return v.is<NativeFunction>() || v.is<Function>() || v.is<BoundMethod>();
}

static bool is_private(std::string_view name) { return name.starts_with("_"); }

// --- types ---------------------------------------------------------------------------------------

struct Members {
  std::string routines, data;
};

static void add_member(Interpreter& vm, Members& members, Type* type, Str* name) {
  const Value stored = *type->attributes->find(name);
  const bool wrapped = stored.is<StaticMethod>() || stored.is<ClassMethod>();
  Value member = wrapped ? vm.get_attribute(Value(type), name) : stored;
  std::string text(name->view());
  if (is_routine(member)) {
    members.routines += routine_help(vm, text, member) + "\n";
  } else if (!member.is<Type>()) {
    const bool plain = !member.is<Getter>() && !member.is<Property>();
    members.data += plain ? text + " = " + vm.repr(member) + "\n\n"
                          : text + "\n" + indented(doc_of(vm, member), "    ") + "\n";
  }
}

static bool is_shown(Type* type, std::string_view name, const Value& stored) {
  if (!is_private(name)) return true;
  return type->is_class && is_routine(stored) && name.starts_with("__") && name.ends_with("__");
}

// Those of a type that no class before it in the order of `of` has.
static Members members_of(Interpreter& vm, Type* type, Type* of) {
  Members members;
  type->lookup(vm.intern("__doc__"));  // so that native rows are attributes
  std::vector<Value> names;
  for (auto& entry : type->attributes->entries()) {
    if (!entry.key.is<Str>()) continue;
    Str* name = entry.key.as<Str>();
    const bool is_first = type == of || of->lookup(name) == type->attributes->find(name);
    if (is_first && is_shown(type, name->view(), entry.value)) names.push_back(entry.key);
  }
  for (const Value& name : names) add_member(vm, members, type, name.as<Str>());
  return members;
}

static std::string members_text(const Members& members, const std::string& which) {
  std::string text;
  if (!members.routines.empty()) text += "Methods " + which + ":\n\n" + members.routines;
  if (!members.data.empty()) text += "Data " + which + ":\n\n" + members.data;
  return text;
}

static std::string inherited_text(Interpreter& vm, Type* type) {
  std::string text;
  for (Type* base : type->mro) {
    if (base == type || !base->is_class) continue;
    text += members_text(members_of(vm, base, type), "inherited from " + base->name);
  }
  return text;
}

static std::string in_box(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    result += " |  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

static std::string type_help(Interpreter& vm, Type* type) {
  std::string text = "class " + type->name;
  text += type->base ? "(" + type->base->full_name() + ")\n" : "\n";
  std::string body = type->name + construction_of(vm, type) + "\n\n";
  std::string doc = doc_of(vm, Value(type));
  if (!doc.empty()) body += indented(doc, "") + "\n";
  body += members_text(members_of(vm, type, type), "defined here");
  body += inherited_text(vm, type);
  return text + in_box(body);
}

// --- modules -------------------------------------------------------------------------------------

static std::string section(const char* title, const std::string& body) {
  return body.empty() ? "" : std::string(title) + "\n" + indented(body, "    ") + "\n";
}

static std::string module_help(Interpreter& vm, Module& module) {
  std::string classes, functions, data;
  for (Str* name : module.all_names(vm)) {
    if (is_private(name->view())) continue;
    Value item = vm.try_get_attribute(Value(&module), name);
    std::string text(name->view());
    if (item.is<Type>()) {
      classes += text + "\n";
    } else if (is_routine(item)) {
      functions += routine_help(vm, text, item) + "\n";
    } else if (item.is_defined() && !item.is<Module>()) {
      data += text + " = " + vm.repr(item) + "\n";
    }
  }
  return section("NAME", module.name) + section("DESCRIPTION", doc_of(vm, Value(&module))) +
         section("CLASSES", classes) + section("FUNCTIONS", functions) + section("DATA", data);
}

// --- help ----------------------------------------------------------------------------------------

static std::string name_of(Interpreter& vm, const Value& v) {
  Value name = vm.try_get_attribute(v, vm.intern("__name__"));
  return name.is<Str>() ? std::string(name.as<Str>()->view()) : std::string();
}

static std::string home_of(Interpreter& vm, const Value& v) {
  Value module = vm.try_get_attribute(v, vm.intern("__module__"));
  return module.is<Str>() ? " in module " + vm.to_str(module) : std::string();
}

static std::string help_text(Interpreter& vm, const Value& v) {
  if (v.is<Module>()) {
    return "Help on module " + v.as<Module>()->name + ":\n\n" + module_help(vm, *v.as<Module>());
  }
  if (Type* type = v.try_as<Type>()) {
    return "Help on class " + type->name + home_of(vm, v) + ":\n\n" + type_help(vm, type);
  }
  const std::string name = name_of(vm, v);
  if (name.empty()) {
    Type* type = vm.type_of(v);
    return "Help on " + type->name + " object:\n\n" + type_help(vm, type);
  }
  if (const auto* native = v.try_as<NativeFunction>(); native && native->owner) {
    const std::string home = vm.to_str(vm.get_attribute(Value(native->owner), "__module__"));
    return "Help on method " + name + " of " + (home == "builtins" ? "" : home + ".") +
           native->owner->name + ":\n\n" + routine_help(vm, name, v) + "\n";
  }
  const char* kind = v.is<BoundMethod>()      ? "method "
                     : v.is<NativeFunction>() ? "built-in function "
                                              : "function ";
  return "Help on " + (kind + name) + home_of(vm, v) + ":\n\n" + routine_help(vm, name, v) + "\n";
}

// A module, an attribute of one ("math.sqrt"), or a builtin; undefined where there is none.
static Value named(Interpreter& vm, const std::string& name) {
  if (const Value* builtin = vm.builtins->find(vm.intern(name))) return *builtin;
  try {
    return vm.import_module(name);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.import_error)) throw;
  }
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return Value();
  const Value owner = named(vm, name.substr(0, dot));
  if (owner.is_undefined()) return Value();
  return vm.try_get_attribute(owner, vm.intern(name.substr(dot + 1)));
}

static std::string help_on_name(Interpreter& vm, const std::string& name) {
  if (syntax::is_keyword(name)) return fmt::format("{} is a keyword of the language.\n", name);
  const bool is_name =
      !name.empty() && name.front() != '.' && name.back() != '.' && name.find("..") == name.npos;
  const Value found = is_name ? named(vm, name) : Value();
  if (found.is_defined()) return help_text(vm, found);
  return fmt::format("No help found for {}; help(str) tells what texts can do.\n",
                     vm.repr(vm.str(name)));
}

static Value help(Interpreter& vm, const Value& object) {
  if (const Str* name = object.try_as<Str>()) {
    write_to_stdout(vm, spell_surrogates(help_on_name(vm, std::string(name->view()))));
    return Value::none();
  }
  write_to_stdout(vm, object.is_defined() ? spell_surrogates(help_text(vm, object))
                                          : "help(x) shows what x is for, and how it is called.\n");
  return Value::none();
}

static const Native kRows[] = {
    {"help", "(obj=<omitted>, /)", typed<help>, "Shows what something is for."},
};

std::span<const Native> help_rows() { return kRows; }

}  // namespace gpy
