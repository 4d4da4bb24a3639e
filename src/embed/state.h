#pragma once
// The state behind the host's handles. The interpreter lives as long as any of them.

#include <atomic>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "runtime/core/notes.h"
#include "runtime/core/process.h"
#include "runtime/graph/loan.h"
#include "runtime/host_kernel/fault_handler.h"
#include "runtime/memory/account.h"
#include "src/array/arrays.h"
#include "src/embed/gpy.hpp"
#include "src/interpreter.h"

namespace gpy::host {

struct HostFunction {
  State* state;
  std::string name;
  Function body;
  Native row;
};

struct State : std::enable_shared_from_this<State> {
  explicit State(const Options& options, std::shared_ptr<rt::Runtime> devices);

  std::shared_ptr<rt::Runtime> runtime;
  std::optional<rt::FaultHandler> faults;
  std::list<HostFunction> functions;  // outlive what refers to them
  std::set<std::shared_ptr<rt::Loan>> loans;
  gpy::Limits limits;
  gpy::Interpreter vm;
  rt::NoteSink notes;  // empty: standard error

  Value hold(gpy::Value value);
  static const gpy::Value& unwrap(const Value& value);  // Error for a default-made one
  static bool is_made(const Value& value) { return value.held_ != nullptr; }
  static State& owner(const Value& value);
  gpy::Value unwrap_own(const Value& value);  // Error for another interpreter's
  // Drops a value, on any thread: the thread that is in the interpreter destroys it.
  static void release_held(HeldValue* held) noexcept;

  // During its lifetime this thread is in the interpreter, perhaps several times, and keeps it
  // alive. Error if another thread is inside, but one that only ends values is waited for.
  class Visit {
   public:
    explicit Visit(State& state);
    ~Visit() { state_->leave(); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    const std::shared_ptr<State> state_;
    const rt::NoteScope notes_;
  };
  // Enters to take back memory of the host's in any case: a run on another thread is stopped and
  // waited for. False if that thread is not in this process, or does not end in a second while the
  // process does.
  bool enter_for_end() noexcept;
  void leave() noexcept;

  // Text or a name that the host gives, as it is: Error (UnicodeDecodeError) if it is not UTF-8.
  std::string_view checked(std::string_view text);

  gpy::Value to_exception(const Error& error);
  // Called after the host's function, which may have forked: limits hold in the child as well.
  void go_on_after_host();
  // Settles all of them, and then raises the first failure.
  void settle_loans();

  // The error for when there is no memory to make an Error: copies of it take none.
  static const Error& out_of_memory();

  // Does work that runs nothing of a script; any failure leaves as Error.
  template <class Work> auto told(Work&& work) {
    const Visit visit(*this);
    try {
      return work();
    } catch (const Error&) {
      throw;
    } catch (...) {
      throw to_error(gpy::Raised{vm.exception_from_native()}, StopReason::none);
    }
  }

  // Runs something of the interpreter; its exceptions leave as Error. Output is flushed and loans
  // are settled after it, whether it failed or not.
  template <class Work> auto guarded(Work&& work) {
    const Visit visit(*this);
    Run run(vm);
    try {
      run.begin(limits);
      auto result = work();
      vm.flush_out();
      settle_loans();
      run.end();
      return result;
    } catch (const Error&) {
      finish_failed();
      throw;
    } catch (...) {
      const gpy::Raised raised{vm.exception_from_native()};
      throw to_error(raised, run.finish());
    }
  }

 private:
  // A run that the host started, within its limits.
  class Run {
   public:
    explicit Run(gpy::Interpreter& vm)
        : vm_(vm),
          account_(&vm.array_memory()),
          queues_(&session(vm).queues),
          faults_(session(vm).catches_kernel_faults) {}
    ~Run() { finish(); }
    void begin(const gpy::Limits& limits) {
      vm_.start(limits);
      running_ = true;
    }
    StopReason finish();
    // Raises Stopped if the script went on in spite of being stopped.
    void end();

   private:
    gpy::Interpreter& vm_;
    const rt::AccountScope account_;
    const rt::QueueScope queues_;
    const rt::FaultSignalsUnblocked faults_;
    bool running_ = false;
    StopReason reason_ = StopReason::none;
  };
  // Work outside of a run: reports, and the destruction of values.
  class Moment {
   public:
    explicit Moment(State& state)
        : vm_(state.vm), account_(&vm_.array_memory()), queues_(&session(vm_).queues) {
      vm_.start_moment(state.limits);
    }
    ~Moment() { vm_.finish(); }

   private:
    gpy::Interpreter& vm_;
    const rt::AccountScope account_;
    const rt::QueueScope queues_;
  };

  // The thread that is in the interpreter, in one word, so that it is read and written as a whole.
  struct Visitor {
    uint32_t thread = 0;           // a number of the thread's; 0: nobody
    uint32_t ends_values : 1 = 0;  // only ends values, and leaves soon
    uint32_t process : 31 = 0;     // the fork_count where it came in
    explicit operator bool() const { return thread != 0; }
    // Whether that thread is not in this process, which was forked meanwhile.
    bool is_left_behind() const;
  };
  enum class Purpose : uint8_t { kAny, kEndValues };
  // An empty result means that this thread is inside until `leave`; else the one that is.
  Visitor enter(Purpose purpose) noexcept;
  void end_left_values() noexcept;

  static_assert(std::atomic<Visitor>::is_always_lock_free);
  std::atomic<Visitor> visitor_{Visitor{}};
  int visits_ = 0;                         // nested, of one thread
  std::atomic<HeldValue*> left_{nullptr};  // dropped while another thread was inside

  Error to_error(const gpy::Raised& raised, StopReason reason);
  Error describe(const gpy::Value& exception, StopReason reason);
  void finish_failed();
  void note(const std::string& line) noexcept;
};

struct HeldValue {
  std::shared_ptr<State> state;  // first, so that it is destroyed last
  gpy::Value value;
  HeldValue* next = nullptr;  // in the list of those left to another thread
};

struct HeldLoan {
  std::shared_ptr<State> state;
  std::shared_ptr<rt::Loan> loan;  // null when it has ended
  ~HeldLoan();
  // Called on a thread in the interpreter. If there is no memory for copies the loan goes on.
  void end();

 private:
  void forget() noexcept;
};

// Gives an interpreter its library. The one file that knows the floor above.
void install_library(gpy::Interpreter& vm, std::shared_ptr<rt::Runtime> runtime);

}  // namespace gpy::host
