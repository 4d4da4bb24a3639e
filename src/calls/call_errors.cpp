#include "src/calls/call_errors.h"

#include <fmt/ranges.h>

#include "src/interpreter.h"
#include "src/text/suggest.h"

namespace gpy {

// 'a', 'b', and 'c'
static std::string enumerated(const NameList& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    bool last = i + 1 == names.size();
    if (i > 0) text += names.size() == 2 ? " and " : last ? ", and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

static const char* plural(size_t count) { return count == 1 ? "" : "s"; }

void raise_missing_arguments(Interpreter& vm, std::string_view function, std::string_view kind,
                             const NameList& names) {
  vm.raise_type_error("{}() missing {} required {} argument{}: {}", function, names.size(), kind,
                      plural(names.size()), enumerated(names));
}

void raise_too_many_arguments(Interpreter& vm, std::string_view function, TooMany count) {
  std::string takes = count.least == count.most
                          ? std::to_string(count.most)
                          : fmt::format("from {} to {}", count.least, count.most);
  bool one = count.least == count.most ? count.most == 1 : false;
  std::string given = std::to_string(count.given);
  if (count.keywords_given) {
    given += fmt::format(" positional argument{} (and {} keyword-only argument{})",
                         plural(count.given), count.keywords_given, plural(count.keywords_given));
  }
  vm.raise_type_error("{}() takes {} positional argument{} but {} {} given", function, takes,
                      one ? "" : "s", given,
                      count.given == 1 && !count.keywords_given ? "was" : "were");
}

// Raises the error with a list of the existing keywords, and the one that was probably meant.
[[noreturn]] static void raise_keyword_error(Interpreter& vm, std::string_view message,
                                             std::string_view function, std::string_view keyword,
                                             const NameList& known) {
  Ref<Exception> error = vm.make_exception(vm.types.type_error, message);
  if (!known.empty()) {
    error->detail = fmt::format("{}() takes: {}", function, fmt::join(known, ", "));
  }
  error->suggestion = did_you_mean(nearest_word(keyword, known));
  vm.raise(error);
}

void raise_unexpected_keyword(Interpreter& vm, std::string_view function, std::string_view keyword,
                              const NameList& known) {
  raise_keyword_error(
      vm, fmt::format("{}() got an unexpected keyword argument '{}'", function, keyword), function,
      keyword, known);
}

void raise_invalid_keyword(Interpreter& vm, std::string_view function, std::string_view keyword,
                           const NameList& known) {
  raise_keyword_error(
      vm, fmt::format("'{}' is an invalid keyword argument for {}()", keyword, function), function,
      keyword, known);
}

void raise_multiple_values(Interpreter& vm, std::string_view function, std::string_view name) {
  vm.raise_type_error("{}() got multiple values for argument '{}'", function, name);
}

void raise_positional_only(Interpreter& vm, std::string_view function, const NameList& names) {
  std::string listed;
  for (std::string_view name : names) {
    if (!listed.empty()) listed += ", ";
    listed += name;
  }
  vm.raise_type_error("{}() got some positional-only arguments passed as keyword arguments: '{}'",
                      function, listed);
}

}  // namespace gpy
