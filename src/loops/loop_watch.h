#pragma once
// Loops that compile themselves. Now and then, at an edge of a loop, the interpreter looks at what
// runs; a loop that is met often is translated (translate/loop_program.h) and compiled on another
// thread, and compiled code takes over at its next iteration. It hands back wherever the
// interpreter has to go on, with the same values.

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/code.h"
#include "src/interpreter.h"
#include "src/loops/compiled_loop.h"

namespace gpy {

struct LoopWatchOptions {
  using Time = std::chrono::steady_clock::duration;
  uint64_t steps = 4'000;                     // between two looks
  int looks = 2;                              // at a loop before it is compiled
  Time time = std::chrono::milliseconds(24);  // that it has run for, before it is
  bool at_once = false;                       // compiles while the loop waits: for tests
};

// The state of a loop, for gp.explain.
struct LoopReport {
  int line;
  std::string text;  // "compiled", "taken over 3 times", or what stood in the way
};

class LoopWatch {
 public:
  LoopWatch(Interpreter& vm, const LoopWatchOptions& options) : vm_(vm), options_(options) {}

  // At the first instruction of `frame.at`, which a jump has led to. Changes it if compiled code
  // has run.
  void look(Frame& frame);
  // To the next look: not always as many, lest they all fall on the same call inside of a loop.
  uint64_t steps() { return closely_ > 0 || attended_ ? 1 : options_.steps + ++polls_ % 13; }
  // While it lives, the loops of a function are compiled as soon as they go round.
  class Attention {
   public:
    Attention(LoopWatch& watch, const Code& code);
    ~Attention() { watch_.attended_ = before_; }
    Attention(const Attention&) = delete;
    Attention& operator=(const Attention&) = delete;

   private:
    LoopWatch& watch_;
    const Code* before_;
  };
  std::vector<LoopReport> reports(const Code& code) const;

 private:
  struct Watched {
    Ref<Code> code;
    const LoopPlace* place;
    int looks = 0;
    LoopWatchOptions::Time time{};  // between looks that have met it
    int idle = 0;                   // times that compiled code came back at once
    int skips = 0, skipped = 0;  // entries left to the interpreter, while the loop is a short one
    int taken = 0;
    int tries = 0;  // translations that failed: names may get their values later
    std::string refusal;
    std::shared_ptr<CompiledLoop> compiled;
  };

  Watched& watched(const Frame& frame, const LoopPlace& place);
  // Goes on with the outermost loop around `at` that may be compiled; true if it is ready, or will
  // be. All are counted, but inner ones are tried only after those around them.
  bool consider(Frame& frame, uint32_t at, bool is_innermost);
  bool has_hope(const Code& code) const;
  bool is_due(const Watched& loop, bool is_attended) const;
  // At the first iteration of a loop that is compiled: true if the compiled code has run.
  bool enter(Frame& frame);
  void await(const Watched& loop);
  void begin(Watched& loop, Frame& frame);
  bool take_over(Watched& loop, Frame& frame);

  Interpreter& vm_;
  LoopWatchOptions options_;
  const Code* attended_ = nullptr;
  bool outer_waits_ = false;  // a loop around that has not been tried yet
  uint64_t polls_ = 0;
  std::chrono::steady_clock::time_point last_look_{};
  LoopWatchOptions::Time since_last_{};  // a part of it, where something else took long
  int closely_ = 0;                      // looks at every edge that are left
  const LoopPlace* awaited_ = nullptr;   // the loop that they are for
  const Code* awaited_code_ = nullptr;
  std::unordered_map<const LoopPlace*, Watched> watched_;
};

// Lets the interpreter's loops compile themselves, where the environment does not say otherwise
// (GPY_COMPILE_LOOPS: off, on, at-once).
void watch_loops(Interpreter& vm);
// Stops compilers that still run.
void unwatch_loops(Interpreter& vm);

// Calls a function whose loops are compiled as soon as they go round, where loops are watched.
Value call_attended(Interpreter& vm, const Value& function, const CallArgs& arguments);

// Of the code's loops, in the order of their lines; empty where loops are not watched.
std::vector<LoopReport> loop_reports(Interpreter& vm, const Code& code);

}  // namespace gpy
