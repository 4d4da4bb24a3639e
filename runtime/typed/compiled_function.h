#pragma once

// A typed program as a function on the host: compiled by the system's compiler, kept on disk as
// kernels are, called with numbers and arrays.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/session.h"
#include "runtime/typed/call_frame.h"
#include "runtime/typed/form.h"
#include "runtime/typed/words.h"

namespace gpy::rt::typed {

// What a function raised: the code, and the line of the script.
struct Raised {
  FailureCode code;
  int line;
};

class CompiledFunction {
 public:
  // `writes`: it may store to the arrays that it is called with.
  CompiledFunction(Program program, bool writes,
                   std::vector<std::string> options = {"--fmad=false"});

  // The arguments are of the types that the program was translated for, arrays on the host. An
  // array of the result is one of the arguments, a view of one, or new. Throws kCompile,
  // kNotImplemented where there is no compiler, Raised, kMemory, and what a kernel on the host
  // throws. What it has printed is given to `print` when it ends, however it does.
  // `interruptible`: an interrupt ends it, and what it has computed is lost.
  // `changed`: told of lists and instances among the arguments, or in them, that have been read,
  // with the content that they have when it ends, however it does.
  using Print = std::function<void(std::span<const Printed>)>;
  using Changed = std::function<void(const Type&, const Data&)>;
  Data operator()(Session& session, std::span<const Data> arguments, const Print& print = {},
                  bool interruptible = true, const Changed& changed = {});

  // What calls are given beside their arguments. `parts` of a parallel loop are shared by threads;
  // `random`: kRandomBytes of zeros at first, which calls change.
  struct Surroundings {
    int64_t parts = 1;
    void* random = nullptr;
  };
  void set_surroundings(const Surroundings& surroundings) { surroundings_ = surroundings; }
  // The address of a function of C that computes the same: numbers are C's, arrays of one axis
  // pointers, and the number that it returns is cast to `result`. What fails is told on the error
  // stream, and gives 0. It is there as long as this is. Throws kType where a parameter or the
  // result is something else.
  void* address(Backend& host, const Type& result);
  // Compiles it before the first call, on any thread.
  void compile(Backend& host);
  // Whether some of its loops may run on several threads.
  bool is_parallel() const { return is_parallel_; }
  const Function& entry() const { return *program_.functions[0]; }
  // `behind`: more of it.
  std::string source(const std::string& behind = "") const;

 private:
  std::shared_ptr<UserFunction> function(Backend& host);

  Program program_;
  bool writes_, is_parallel_;
  size_t given_words_ = 0;            // of its arguments
  std::vector<std::string> options_;  // of the compiler
  ForkSafe<std::mutex> mutex_;
  std::shared_ptr<UserFunction> function_, part_;
  std::shared_ptr<UserModule> callback_;
  Surroundings surroundings_;
};

}  // namespace gpy::rt::typed
