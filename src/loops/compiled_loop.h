#pragma once
// One loop, compiled for the types that its names have.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/typed/compiled_function.h"
#include "src/code.h"
#include "src/run/frame.h"
#include "src/translate/loop_program.h"

namespace gpy {

// Where a name of a loop has its value.
struct NamePlace {
  enum class Kind : uint8_t { kRegister, kCell, kGlobal };
  std::string name;
  Kind kind = Kind::kGlobal;
  int32_t index = 0;  // register

  Value read(Interpreter& vm, const Frame& frame) const;
  void write(Interpreter& vm, Frame& frame, Value value) const;
};

class CompiledLoop {
 public:
  enum class State : uint8_t { kCompiling, kReady, kFailed };

  // Translates the loop for the present values of its names. Throws TranslationFailure.
  CompiledLoop(Interpreter& vm, Frame& frame, const LoopPlace& place);
  // Stops the compiler, and waits for that.
  ~CompiledLoop();

  void compile(rt::Runtime& runtime);  // on another thread
  void compile_here(rt::Runtime& runtime);
  State state() const { return state_.load(); }
  const std::string& error() const { return error_; }

  // Runs from the frame's instruction, the loop's first, on; the frame then stands where the
  // interpreter goes on. nullopt, with nothing done, where the names have other types by now; else
  // the iterations that were run.
  std::optional<uint64_t> run(Interpreter& vm, Frame& frame, uint64_t budget);

 private:
  struct Name {
    NamePlace place;
    TypedType type;         // of a fresh one found by the translation
    bool is_fresh = false;  // it may have no value yet, or one of another type
  };
  struct Constant {
    NamePlace place;
    Value value;
  };

  LoopVariables loop_variables();
  void sort_names(Interpreter& vm, Frame& frame, const syntax::Stmt& loop);
  bool holds(Interpreter& vm, const Frame& frame) const;
  bool add_arguments(Interpreter& vm, const Frame& frame, uint64_t budget,
                     std::vector<rt::typed::Data>& data) const;
  void hand_back(Interpreter& vm, Frame& frame, const rt::typed::Data& result);
  void go_on_behind(Interpreter& vm, const Value& iterator, int64_t taken, int64_t remaining);
  Value iterator_of(Interpreter& vm, const Frame& frame, const LoopState& state,
                    const std::array<int64_t, 3>& words) const;
  bool is_inside(uint32_t at) const;
  uint32_t instruction_of(const Code& code, const LoopExit& exit) const;

  const LoopPlace& place_;
  std::vector<Name> variables_, inputs_;
  std::vector<Constant> constants_;
  std::map<std::string, std::string, std::less<>> others_;  // see LoopVariables
  LoopItems items_;
  // Items of lists that are copied at once: twice as many where all have been used.
  int64_t copied_ = 1024;
  LoopProgram program_;
  std::unique_ptr<rt::typed::CompiledFunction> code_;
  std::atomic<State> state_ = State::kCompiling;
  std::atomic<bool> stop_ = false;
  std::string error_;
  std::thread thread_;
};

}  // namespace gpy
