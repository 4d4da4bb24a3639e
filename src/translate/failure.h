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

// A failure without a place is the function's, whose name stands at `place` of `file`.
inline void tell_at(TranslationFailure& failure, syntax::Span place,
                    const syntax::SourcePtr& file) {
  if (failure.file) return;
  if (failure.place.end == 0) failure.place = place;
  failure.file = file;
}

template <class... A>
[[noreturn]] void fail_translation(syntax::Span place, fmt::format_string<A...> text, A&&... args) {
  throw TranslationFailure{place, fmt::format(text, std::forward<A>(args)...), nullptr};
}

}  // namespace gpy
