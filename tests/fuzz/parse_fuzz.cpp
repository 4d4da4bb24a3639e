// No text may crash the parser, overrun its stack, or make it report a
// place that is not there. Built with clang and -DGPY_FUZZ=ON it is a libFuzzer target; with any
// compiler replay.cpp runs it over the corpus.

#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "grammar/dump.h"
#include "grammar/parse.h"

namespace gpy::syntax {
namespace {

void require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

bool is_within(Span place, const SourceFile& source) {
  return place.begin <= place.end && place.end <= source.text().size();
}

void check_error(const SyntaxError& error, const SourceFile& source) {
  std::string_view text = source.text();
  require(!error.message.empty(), "an error without words", text);
  require(is_within(error.place, source), "an error outside the source", text);
  Position at = source.position(error.place.begin);
  require(at.line <= source.line_count(), "an error past the last line", text);
  for (const Note& note : error.notes) {
    require(is_within(note.place, source), "a note outside the source", text);
    require(!note.label.empty(), "a note without words", text);
  }
}

ParseResult check_parse(const SourcePtr& source, const ParseOptions& options) {
  ParseResult result = parse(source, options);
  std::string_view text = source->text();
  bool is_complete = result.completeness == Completeness::complete;
  require(is_complete == (result.tree != nullptr), "complete without a tree", text);
  require(is_complete == !result.error, "neither a tree nor an error", text);
  if (result.error) check_error(*result.error, *source);
  if (result.tree) require(!dump(*result.tree).empty(), "an empty dump", text);
  return result;
}

void check_modes(const SourcePtr& source) {
  bool is_program = check_parse(source, {}).tree != nullptr;
  auto typed = check_parse(source, {.mode = Mode::interactive});
  bool is_refused = typed.completeness == Completeness::error;
  require(!is_program || !is_refused, "a prompt refuses a program", source->text());
  check_parse(source, {.mode = Mode::expression});
}

constexpr size_t kSmallStack = 256 << 10;

void* check_on_small_stack(void* source) {
  check_parse(*static_cast<const SourcePtr*>(source), {});
  return nullptr;
}

// The sanitizers' frames are too large for it.
[[maybe_unused]] void run_on_small_stack(const SourcePtr& source) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kSmallStack);
  pthread_t thread;
  void* argument = const_cast<SourcePtr*>(&source);
  if (pthread_create(&thread, &attributes, check_on_small_stack, argument) == 0) {
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace
}  // namespace gpy::syntax

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpy::syntax;
  auto text = reinterpret_cast<const char*>(data);
  SourcePtr source = make_source("fuzz.gpy", std::string(text, size));
  check_modes(source);
  check_parse(source, {.stack_bytes = 64 << 10});
#if defined(GPY_REPLAY) && !defined(__SANITIZE_ADDRESS__)
  run_on_small_stack(source);
#endif
  return 0;
}
