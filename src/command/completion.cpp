#include "src/command/completion.h"

#include <algorithm>
#include <cctype>

#include "src/exceptions/as_raised.h"
#include "src/state.h"

namespace gpy::command {

namespace {

constexpr std::string_view kKeywords[] = {
    "False", "None",   "True",   "and",  "as",     "assert",  "break",    "class", "continue",
    "def",   "del",    "elif",   "else", "except", "finally", "for",      "from",  "global",
    "if",    "import", "in",     "is",   "kernel", "lambda",  "nonlocal", "not",   "or",
    "pass",  "raise",  "return", "try",  "while",  "with",    "yield"};

bool is_name_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}

// "x = np.linalg.no" -> "np.linalg.no"
std::string_view last_word(std::string_view text) {
  size_t start = text.size();
  while (start > 0 && (is_name_byte(text[start - 1]) || text[start - 1] == '.')) --start;
  return text.substr(start);
}

// Whether the last word names a module: "import WORD", "import a, WORD" and "from WORD".
bool names_module(std::string_view text) {
  text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  if (text.starts_with("from ")) return text.find(' ', 5) == text.npos;
  return text.starts_with("import ") && text.find(" as ") == text.npos;
}

// The attribute; undefined where there is none, and where its look-up fails.
Value attribute_or_nothing(Interpreter& vm, const Value& self, std::string_view name) {
  try {
    return as_raised(vm, [&] { return vm.try_get_attribute(self, vm.intern(name)); });
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.exception)) throw;
    return Value();
  }
}

Value variable(Interpreter& vm, std::string_view name) {
  Str* key = vm.intern(name);
  if (Value* known = vm.main_module().find(vm, key)) return *known;
  Value* builtin = vm.builtins->find(key);
  return builtin ? *builtin : Value();
}

// The value of "np.linalg"; undefined where there is none.
Value value_of(Interpreter& vm, std::string_view path) {
  size_t dot = path.find('.');
  Value value = variable(vm, path.substr(0, dot));
  while (dot != path.npos && value.is_defined()) {
    const size_t next = path.find('.', dot + 1);
    value = attribute_or_nothing(vm, value, path.substr(dot + 1, next - dot - 1));
    dot = next;
  }
  return value;
}

class Collector {
 public:
  explicit Collector(std::string_view stem) : result_{std::string(stem), {}} {}

  // A name with an underscore is offered to users who have typed one.
  void offer(std::string_view name) {
    const bool hidden = name.starts_with('_') && !result_.stem.starts_with('_');
    if (name.starts_with(result_.stem) && !hidden) result_.words.emplace_back(name);
  }

  Completions take() {
    auto& words = result_.words;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return std::move(result_);
  }

 private:
  Completions result_;
};

Completions complete_module(Interpreter& vm, std::string_view word) {
  Collector found(word);
  for (const auto& [name, loader] : vm.state().loaders) found.offer(name);
  return found.take();
}

Completions complete_attribute(Interpreter& vm, std::string_view path, std::string_view stem) {
  Collector found(stem);
  const Value value = value_of(vm, path);
  if (value.is_undefined()) return found.take();
  for (Str* name : vm.attribute_names(value)) found.offer(name->view());
  return found.take();
}

Completions complete_name(Interpreter& vm, std::string_view stem) {
  Collector found(stem);
  for (std::string_view keyword : kKeywords) found.offer(keyword);
  for (Str* name : vm.main_module().all_names(vm)) found.offer(name->view());
  for (auto& entry : vm.builtins->entries()) {
    if (entry.key.is<Str>()) found.offer(entry.key.as<Str>()->view());
  }
  return found.take();
}

}  // namespace

std::string Completions::common_rest() const {
  if (words.empty()) return "";
  const std::string &first = words.front(), &last = words.back();
  size_t same = 0;
  while (same < std::min(first.size(), last.size()) && first[same] == last[same]) ++same;
  return first.substr(stem.size(), same - stem.size());
}

Completions complete(Interpreter& vm, std::string_view text) {
  const std::string_view word = last_word(text);
  if (names_module(text)) return complete_module(vm, word);
  const size_t dot = word.rfind('.');
  if (dot == word.npos) return complete_name(vm, word);
  return complete_attribute(vm, word.substr(0, dot), word.substr(dot + 1));
}

}  // namespace gpy::command
