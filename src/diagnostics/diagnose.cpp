// Makes an exception into the structure that its renderings show.
#include <algorithm>
#include <memory>
#include <unordered_map>

#include "grammar/parse.h"
#include "src/code.h"
#include "src/diagnostics/chain.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/failure.h"
#include "src/diagnostics/frames.h"
#include "src/diagnostics/labels.h"
#include "src/diagnostics/left_out.h"
#include "src/diagnostics/name_hints.h"
#include "src/diagnostics/render.h"
#include "src/diagnostics/room.h"
#include "src/exceptions/fields.h"
#include "src/exceptions/with_reserve.h"
#include "src/interpreter.h"
#include "src/modules/import.h"
#include "src/state.h"
#include "src/text/suggest.h"

namespace gpy {

// --- words ---------------------------------------------------------------------------------------

static bool is_short_of_memory(Interpreter& vm, const Raised& raised) {
  if (vm.is_instance(raised.exception, vm.types.memory_error)) return true;
  return vm.type_of(raised.exception) == vm.types.stopped &&
         vm.state().budget.stopping == StopReason::memory;
}

// The text of `show`, which may run any code, pending arrays included; a substitute if it fails.
template <class Show> static std::string shown(Interpreter& vm, const char* what, Show show) {
  const char* why = "failed";
  try {
    return show();
  } catch (const Raised& raised) {
    if (is_short_of_memory(vm, raised)) why = "needed too much memory";
  } catch (const std::bad_alloc&) {
    why = "needed too much memory";
  } catch (...) {
  }
  return fmt::format("<{} str() {}>", what, why);
}

static std::string whole_message(Interpreter& vm, Exception* e) {
  return shown(vm, "exception", [&] {
    auto slot = e->type->slots.str;
    return slot ? slot(vm, Value(e)) : e->message(vm);
  });
}

std::string safe_message(Interpreter& vm, Exception* e) {
  return cut_to_show(whole_message(vm, e), Room::kMost);
}

std::string shown_kind(const Type* type) {
  constexpr std::string_view kMain = "__main__.";
  std::string name = type->shown_name();
  if (name.starts_with(kMain)) name.erase(0, kMain.size());
  return cut_to_show(std::move(name), Room::kMost);
}

// A traceback shows the place separately, so the message of a SyntaxError is `msg` alone.
static std::string shown_message(Interpreter& vm, Exception* e) {
  if (!e->type->is_subclass_of(vm.types.syntax_error)) return whole_message(vm, e);
  const Value text = own_attribute(e, vm.state().names.msg);
  if (text.is_undefined() && e->args->size > 0) return whole_message(vm, e);
  if (text.is_undefined() || text.is_none()) return "<no detail available>";
  return shown(vm, "exception", [&] { return vm.to_str(text); });
}

static std::string nearest_attribute(Interpreter& vm, const Value& object,
                                     const std::string& wrong) {
  std::vector<std::string_view> known;
  for (Str* each : vm.attribute_names(object)) {
    if (wrong[0] == '_' || !each->view().starts_with("_")) known.push_back(each->view());
  }
  return object.is<Module>() ? nearest_member(wrong, known) : nearest_word(wrong, known);
}

// Suggests an attribute for an AttributeError. It is searched only here, as most are caught.
static void advise_attribute(Interpreter& vm, Exception* e, Diagnostic& d) {
  const Value object = own_attribute(e, vm.state().names.obj);
  const std::string wrong = text_attribute(vm, e, vm.state().names.name);
  if (object.is_undefined() || wrong.empty()) return;
  d.detail = missing_part_text(vm, object, wrong);
  d.hint = left_out_attribute(object, wrong);
  if (d.detail.empty() && d.hint.empty()) {
    d.suggestion = did_you_mean(nearest_attribute(vm, object, wrong));
  }
}

static void advise(Interpreter& vm, Exception* e, Diagnostic& d) {
  d.suggestion = e->suggestion;
  d.detail = e->detail;
  d.hint = e->hint;
  const bool is_open = d.suggestion.empty() && d.hint.empty();
  if (is_open && e->type->is_subclass_of(vm.types.name_error)) advise_name(vm, e, d);
  if (is_open && e->type->is_subclass_of(vm.types.attribute_error)) advise_attribute(vm, e, d);
  if (is_open && e->type->is_subclass_of(vm.types.module_not_found_error)) {
    d.hint = left_out_module(text_attribute(vm, e, vm.state().names.name));
  }
}

static std::vector<std::string> notes_of(Interpreter& vm, Exception* e, Room& room) {
  std::vector<std::string> notes;
  const Value found = own_attribute(e, vm.intern("__notes__"));
  if (!found.is<List>()) return notes;
  const std::vector<Value> items = found.as<List>()->items;
  for (size_t i = 0; i < items.size(); ++i) {
    if (room.is_spent()) {
      notes.push_back(fmt::format("... [{} notes more]", items.size() - i));
      break;
    }
    notes.push_back(room.cut(shown(vm, "note", [&] { return vm.to_str(items[i]); })));
  }
  return notes;
}

// --- a closer look -------------------------------------------------------------------------------

static Advice advice_on(const Failure& failure) {
  for (auto advisor : failure.vm.state().advisors) {
    Advice advice = advisor(failure);
    if (!advice.empty()) return advice;
  }
  return advise_language(failure);
}

namespace {

// The trees of sources, parsed again for a report: code does not keep them.
class Trees {
 public:
  // Null where the source does not parse by itself.
  const syntax::Tree* of(const syntax::SourcePtr& source) {
    auto [at, is_new] = trees_.try_emplace(source.get());
    if (is_new) at->second = parse(source);
    return at->second.get();
  }

 private:
  static std::unique_ptr<syntax::Tree> parse(const syntax::SourcePtr& source) {
    for (syntax::Mode mode : {syntax::Mode::file, syntax::Mode::interactive}) {
      auto result = syntax::parse(source, {.mode = mode});
      if (result.tree) return std::move(result.tree);
    }
    return nullptr;
  }

  std::unordered_map<const syntax::SourceFile*, std::unique_ptr<syntax::Tree>> trees_;
};

}  // namespace

// An error during this closer look leaves the diagnostic as it is.
static void look_closer(Interpreter& vm, Exception* e, Trees& trees, Diagnostic& d) {
  try {
    const TracePoint& point = e->trace[library_frames(e->trace)];
    const Failure failure = locate_failure(vm, e, trees.of(point.code->source));
    d.labels = labels_of(failure, d.frames.back().caret);
    Advice advice = advice_on(failure);
    if (!advice.detail.empty()) d.detail = std::move(advice.detail);
    if (!advice.hint.empty()) d.hint = std::move(advice.hint);
    d.code = advice.code;
  } catch (...) {
  }
}

// --- the whole -----------------------------------------------------------------------------------

namespace {

// The state that the errors of a report share.
struct Report {
  Interpreter& vm;
  LibraryFrames library = LibraryFrames::hidden;
  Trees trees = {};
  Room words = {}, places = {};
};

}  // namespace

static void cut_words(Diagnostic& d, Room& room) {
  for (std::string* each : {&d.kind, &d.suggestion, &d.detail, &d.hint}) {
    *each = room.cut(std::move(*each));
  }
  for (SourceLabel& each : d.labels) each.text = room.cut(std::move(each.text));
}

static void find_places(Report& report, Exception* e, Diagnostic& d) {
  const size_t inside = library_frames(e->trace);
  const size_t hidden = report.library == LibraryFrames::hidden ? inside : 0;
  d.frames =
      frames_of({e->trace.begin() + static_cast<ptrdiff_t>(hidden), e->trace.end()}, report.places);
  if (!e->trace.empty() && hidden == inside) look_closer(report.vm, e, report.trees, d);
  if (inside > 0 && d.labels.empty()) d.labels = {{d.frames.back().caret, ""}};
  if (!e->type->is_subclass_of(report.vm.types.syntax_error)) return;
  if (auto place = unparsed_place(report.vm, e, report.places)) {
    d.is_syntax_error = true;
    d.frames.push_back(std::move(*place));
  }
}

static Diagnostic diagnose_one(Report& report, Exception* e) {
  Diagnostic d;
  d.kind = shown_kind(e->type);
  d.message = report.words.cut(shown_message(report.vm, e));
  d.notes = notes_of(report.vm, e, report.words);
  advise(report.vm, e, d);
  find_places(report, e, d);
  cut_words(d, report.words);
  return d;
}

// The last error of a chain is diagnosed first; each is put into `made` as soon as it is done.
static void diagnose_chain(Interpreter& vm, const std::vector<Chained>& chain,
                           LibraryFrames library, ErrorReport& made) {
  Report report{vm, library};
  for (const Chained& each : chain) {
    if (!made.chain.empty()) vm.poll();
    made.chain.push_back(diagnose_one(report, each.exception.get()));
    made.chain.back().link = each.link;
    made.chain.back().left_out = each.left_out;
  }
}

ErrorReport diagnose(Interpreter& vm, Exception* exception, LibraryFrames library) {
  ErrorReport made;
  diagnose_chain(vm, chain_of(exception), library, made);
  std::reverse(made.chain.begin(), made.chain.end());
  return made;
}

ErrorReport diagnose_in_time(Interpreter& vm, Exception* exception) {
  ErrorReport made;
  const std::vector<Chained> chain = chain_of(exception);
  try {
    diagnose_chain(vm, chain, LibraryFrames::hidden, made);
  } catch (const Raised&) {
    for (size_t i = made.chain.size(); i < chain.size(); ++i) {
      made.chain.back().left_out += 1 + chain[i].left_out;
    }
  }
  std::reverse(made.chain.begin(), made.chain.end());
  return made;
}

ErrorReport diagnose_alone(Interpreter& vm, Exception* exception) {
  Report report{vm};
  return {{diagnose_one(report, exception)}};
}

std::string render_exception(Interpreter& vm, Exception* exception) {
  try {
    return with_reserve(vm, [&] { return to_text(diagnose(vm, exception), false); });
  } catch (const std::bad_alloc&) {
    return "MemoryError\n";  // short enough to need no allocation
  }
}

}  // namespace gpy
