#include "src/translate/loop_program.h"

#include <algorithm>

#include "grammar/children.h"

namespace gpy {

namespace {

struct NameReader {
  LoopNames& names;

  void operator()(const syntax::Expr& node) {
    const auto* name = syntax::try_as<syntax::Name>(&node);
    if (name && name->context == syntax::Context::Load) add(name->id);
    syntax::each_child(node, *this);
  }
  void operator()(const syntax::Stmt& node) { syntax::each_child(node, *this); }

  void add(std::string_view name) {
    if (std::ranges::find(names.assigned, name) != names.assigned.end()) return;
    if (std::ranges::find(names.read, name) != names.read.end()) return;
    names.read.push_back(name);
  }
};

// Meets names in the order in which an iteration does that takes no branch.
struct FirstMeetings {
  std::set<std::string_view>& set_first;
  std::set<std::string_view> met = {};

  void operator()(const syntax::Expr& node) {
    if (const auto* name = syntax::try_as<syntax::Name>(&node)) {
      const bool is_new = met.insert(name->id).second;
      if (is_new && name->context == syntax::Context::Store) set_first.insert(name->id);
    }
    syntax::each_child(node, *this);
  }
  // Values are computed before they are assigned; what is assigned to in place is read.
  void operator()(const syntax::Stmt& node) {
    if (const auto* assign = syntax::try_as<syntax::Assign>(&node)) (*this)(*assign->value);
    if (const auto* loop = syntax::try_as<syntax::For>(&node)) (*this)(*loop->iter);
    if (const auto* change = syntax::try_as<syntax::AugAssign>(&node)) {
      if (const auto* name = syntax::try_as<syntax::Name>(change->target)) met.insert(name->id);
    }
    syntax::each_child(node, *this);
  }
};

}  // namespace

LoopNames names_of(const syntax::Stmt& loop) {
  LoopNames out;
  syntax::Stmt* node = const_cast<syntax::Stmt*>(&loop);
  out.assigned = assigned_names({&node, 1});
  std::erase_if(out.assigned, is_of_comprehension);
  NameReader reader{out};
  reader(loop);
  FirstMeetings{out.set_first}(loop);
  return out;
}

LoopProgram translate_loop(Interpreter& vm, const TranslationSource& source,
                           const syntax::Stmt& loop, LoopVariables names) {
  ProgramBuilder program(vm, Dialect::kLanguage, Target::kFunction);
  const int index = program.add("loop");
  std::vector<std::string> changed;
  if (source.name == "<module>") {
    for (const TypedParameter& each : names.known) changed.push_back(each.name);
    changed.insert(changed.end(), names.fresh.begin(), names.fresh.end());
    for (const auto& [name, why] : names.others) changed.push_back(name);
  }
  program.change(source.globals, std::move(changed));
  LoopTranslator translator(program, source);
  rt::typed::Function made = translator.translate_loop(loop, std::move(names));
  made.name = "loop";
  if (translator.ends_early()) {
    throw translator.obstacle().value_or(
        TranslationFailure{loop.span, "no iteration gets to its end", nullptr});
  }
  program.finish(index, std::move(made));
  LoopProgram out;
  out.program = program.take();
  out.exits = translator.exits();
  out.states = translator.states();
  out.beliefs = program.take_beliefs();
  out.used = program.used();
  out.writes = translator.has_effects();
  return out;
}

}  // namespace gpy
