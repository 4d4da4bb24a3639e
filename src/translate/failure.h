#pragma once
// What the typed form cannot hold: told at its place in the script, with what to write instead.

#include <fmt/format.h>

#include <string>
#include <utility>

#include "grammar/source.h"

namespace gpy {

struct TranslationFailure {
  syntax::Span place;
  std::string message;
  syntax::SourcePtr file;  // null: the file of the kernel itself
};

template <class... A>
[[noreturn]] void fail_translation(syntax::Span place, fmt::format_string<A...> text, A&&... args) {
  throw TranslationFailure{place, fmt::format(text, std::forward<A>(args)...), nullptr};
}

}  // namespace gpy
