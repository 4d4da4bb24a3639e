#pragma once
// The functions of one program, each translated once for each list of argument types.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "src/translate/translation.h"

namespace gpy {

class FunctionTranslator;
struct StencilFacts;

// Tells the versions of a function for lists of types apart.
std::string key_of(const void* function, const std::vector<TypedType>& types);

// What a translation has taken for granted: the value of a global, or of an attribute.
struct Belief {
  Ref<Dict> globals;  // null: an attribute of `object`
  Value object;
  std::string name;
  Value value;
};

// Equal for equal functions, and None, among arguments that the body knows.
std::string statics_key(const std::vector<Value>& statics);

class ProgramBuilder {
 public:
  ProgramBuilder(Interpreter& vm, Dialect dialect, Target target)
      : vm(vm), dialect(dialect), target(target) {}

  Interpreter& vm;
  const Dialect dialect;
  const Target target;
  TranslationOptions options;
  ProgramValues values;
  // The number by which the text raises it.
  int64_t add_raise(RaisedValue raised);

  // Reserves a place in the program.
  int add(const std::string& name);
  rt::typed::Function& function(int index) {
    return *program_.functions[static_cast<size_t>(index)];
  }

  // The function for arguments of these types. While it is translated, its result is what its
  // returns so far have given: nullopt where none has. A function that calls one that is being
  // translated further out is translated again when such results have grown.
  struct Callee {
    int index;
    std::optional<TypedType> result;
    bool effects;
  };
  Callee function_for(Function& function, const std::vector<TypedType>& types, syntax::Span place,
                      const std::vector<Value>& statics = {});

  // The same of a function inside of another, which `key` tells from others.
  Callee closure_for(const void* key, const TranslationSource& source,
                     const std::vector<std::string>& names, const std::vector<TypedType>& types,
                     syntax::Span place);

  // What the first of numba.extending's `choices` for `callee` that gives a function gives for
  // arguments of these types; undefined if none does. Each is asked once: it may make a function
  // anew each time.
  Value overload_of(const Value& callee, const Value& choices, const std::vector<TypedType>& types);

  // The loops of a stencil (stencil.h).
  Callee stencil_for(const Value& spec, const std::vector<TypedType>& types, syntax::Span place);

  // How often the result of some function has grown.
  int results_found() const { return results_found_; }
  // Whether the function that is being translated has asked for one further out.
  bool waits_for_callers() const { return !pending_.empty() && lowest_ + 1 < pending_.size(); }

  // Puts a translated function into its place.
  void finish(int index, rt::typed::Function translated);

  // The names of `globals` that the program changes.
  void change(Dict* globals, std::vector<std::string> names) {
    changed_globals_ = globals;
    changed_ = std::move(names);
  }
  bool is_changed(const Dict* globals, std::string_view name) const {
    return globals == changed_globals_ && std::ranges::find(changed_, name) != changed_.end();
  }
  // Names of the enclosing frame that were taken as constants.
  void use(std::string_view name) { used_.insert(std::string(name)); }
  const std::set<std::string>& used() const { return used_; }
  void set_used(std::set<std::string> names) { used_ = std::move(names); }
  void believe(Belief belief) {
    const bool is_known = std::ranges::any_of(beliefs_, [&](const Belief& each) {
      return each.globals.get() == belief.globals.get() && each.name == belief.name &&
             each.object.same(belief.object);
    });
    if (!is_known) beliefs_.push_back(std::move(belief));
  }
  std::vector<Belief> take_beliefs() { return std::move(beliefs_); }

  // All blocks of the grid run at once.
  void make_cooperative() { program_.cooperative = true; }
  // The threads print by printf.
  void make_printing() { program_.prints = true; }

  rt::typed::Program take() { return std::move(program_); }

 private:
  struct Known {
    int index = 0;
    std::optional<TypedType> result;
    bool effects = true;
    enum class State : uint8_t { kNew, kPending, kWaiting, kDone } state = State::kNew;
    size_t depth = 0;       // pending: its place in pending_; waiting: that of what it waits for
    int results_found = 0;  // waiting: when it was translated
  };

  std::unique_ptr<FunctionTranslator> translator_for(const TranslationSource& source,
                                                     bool is_kernel);
  void translate_callee(Function& callee, const std::vector<TypedType>& types,
                        const std::vector<Value>& statics, Known& known, syntax::Span place);
  void translate_callee(const TranslationSource& source, const std::vector<std::string>& names,
                        const std::vector<TypedType>& types, Known& known);
  Known& known_for(const std::string& key, const std::string& name, syntax::Span place);
  void write_stencil(const StencilFacts& facts, const std::vector<TypedType>& types, Known& known,
                     syntax::Span place);
  // Translates it, unless that is done or under way.
  Callee translated(const std::string& key, const std::function<void(Known&)>& translate);

  rt::typed::Program program_;
  std::map<std::string, Known> known_;
  std::map<std::string, Value> overloads_;
  std::vector<Known*> pending_;  // that are being translated, each called by the one before
  std::vector<Known*> waiting_;  // translated with results of pending ones that may grow
  size_t lowest_ = 0;            // of pending_: what the last one depends on
  int results_found_ = 0;
  std::vector<Belief> beliefs_;
  std::set<std::string> used_;
  const Dict* changed_globals_ = nullptr;
  std::vector<std::string> changed_;
};

}  // namespace gpy
