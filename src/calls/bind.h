#pragma once
// The arguments of a call in the registers of a new frame of the function, which does not run yet.
// (Calls by position alone from the run loop do without: enter_plainly in src/run/frames.h.)

#include <algorithm>
#include <array>

#include "src/calls/call.h"
#include "src/run/frame.h"

namespace gpy {

// The positional parameters that have an argument, a bit each, and the places of the keywords.
struct PlainPlaces {
  static constexpr size_t kMost = 16;
  uint32_t filled;
  std::array<uint8_t, kMost> of_keywords;
};

// False when a keyword has to be looked for.
inline bool place_keywords(const FunctionParameters& parameters, uint32_t given,
                           std::span<Str* const> names, PlainPlaces& places) {
  for (size_t k = 0; k < names.size(); ++k) {
    uint32_t place = std::max(given, parameters.positional_only);
    while (place < parameters.positional && parameters.names[place] != names[k]) ++place;
    if (place == parameters.positional || places.filled >> place & 1) return false;
    places.filled |= 1u << place;
    places.of_keywords[k] = static_cast<uint8_t>(place);
  }
  return true;
}

// Whether keywords and defaults fill the parameters that have no argument by position.
inline bool place_rest(const Function& function, uint32_t given, std::span<Str* const> names,
                       PlainPlaces& places) {
  const FunctionParameters& parameters = function.code->parameters;
  if (given > parameters.positional || parameters.positional > PlainPlaces::kMost) return false;
  places.filled = (1u << given) - 1;
  const uint32_t needed = (1u << (parameters.positional - function.defaults.size())) - 1;
  return place_keywords(parameters, given, names, places) && !(needed & ~places.filled);
}

inline void bind_plain_defaults(Frame* frame, const Function& function, uint32_t filled) {
  const uint32_t count = function.code->parameters.positional;
  const size_t first = count - function.defaults.size();
  for (size_t k = first; k < count; ++k) {
    if (!(filled >> k & 1)) frame->registers[k] = function.defaults[k - first];
  }
}

template <class Take> Frame* bind_exactly(Function* function, uint32_t given, Take take) {
  Frame* frame = make_frame(function);
  for (uint32_t k = 0; k < given; ++k) frame->registers[k] = take(k);
  return frame;
}

template <class Take>
Frame* bind_with_rest(Function* function, uint32_t given, std::span<Str* const> names, Take take) {
  PlainPlaces places;
  if (!place_rest(*function, given, names, places)) return nullptr;
  Frame* frame = bind_exactly(function, given, take);
  for (uint32_t k = 0; k < names.size(); ++k) {
    frame->registers[places.of_keywords[k]] = take(given + k);
  }
  bind_plain_defaults(frame, *function, places.filled);
  return frame;
}

// A frame with `given` arguments by position, then those with `names`, where they and the defaults
// are complete; null where the binding needs bind_at_length, errors included. `take(k)` gives the
// k-th argument and is called for each once, or not at all.
template <class Take>
Frame* bind_plainly(Function* function, uint32_t given, std::span<Str* const> names, Take take) {
  const Code& code = *function->code;
  if (!code.is_simple) return nullptr;
  const bool is_exact = given == code.parameters.positional && names.empty();
  return is_exact ? bind_exactly(function, given, take)
                  : bind_with_rest(function, given, names, take);
}

// Any call; `self`, if defined, is the first argument. TypeError where they do not fit.
Frame* bind_function(Interpreter& vm, Function* function, const Value& self,
                     const CallArgs& arguments);
// The same for calls that bind_plainly has refused.
Frame* bind_at_length(Interpreter& vm, Function* function, const Value& self,
                      const CallArgs& arguments);

}  // namespace gpy
