#pragma once
// gpy inside a C++ program. Needs nothing but the standard library; link libgpy.so, or libgpy.a
// with -ldl -lm -lmvec -pthread.
//
//   gpy::host::Interpreter gpy;
//   gpy.run("def f(x): return (x * x).sum()");
//   double y = gpy.get("f")({gpy.copy(elements)}).to_double();
//
// Several interpreters live in a process. One thread at a time is in each: Error (RuntimeError) for
// another one. Values belong to the interpreter that made them and keep it alive; they, and errors,
// are copied and destroyed on any thread. The process may end, or fork, at any time; dlclose leaves
// the library in memory once an interpreter has been made. Everything that a script could raise,
// and every misuse, is thrown as Error; nothing prints or exits.
//
// Texts and names are UTF-8 in both directions: malformed ones are an Error (UnicodeDecodeError),
// and a malformed source is an Error (SyntaxError).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define GPY_API __attribute__((visibility("default")))

namespace gpy::host {

struct State;
struct HeldValue;
struct HeldLoan;

enum class DType : uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128,
  bfloat16,
};

// Elements in the host's memory. `data` is the address of element [0, 0, ...].
struct Elements {
  DType dtype;
  std::vector<int64_t> shape;
  const void* data;
  // Bytes, multiples of an element's, may be negative; empty: C order without gaps.
  std::vector<int64_t> strides = {};
};

// Elements that the holder owns: C order without gaps.
struct OwnedElements {
  DType dtype;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;

  template <class T> const T* as() const { return reinterpret_cast<const T*>(data.data()); }
};

// An error as a structure, of which text and JSON are renderings. Lines and columns count from 1,
// columns in code points; 0 and empty texts: not known. The texts of a chain of errors are cut to
// about 1 MiB together, those of its places too; of more than 100 errors, or places of an error,
// there are the first 50 and the last 50.
struct SourceRange {
  int line = 0, column = 0, end_line = 0, end_column = 0;
};

struct Label {
  SourceRange range;
  std::string text;  // "a: float64 (3,4)"
};

struct Frame {
  std::string file, function;
  SourceRange range;   // the expression
  SourceRange caret;   // the operator, the subscript, ... in it
  std::string source;  // the line at range.line
  int repeats = 0;     // recursion: how often this and those before it, `circle` in all, repeat
  int circle = 1;
  int left_out = 0;  // frames behind it that a long traceback leaves out
};

struct Diagnostic {
  std::string kind;                // "ValueError", "numpy.linalg.LinAlgError"
  std::string message;             // str(exception): NumPy's words where it has them
  std::string code;                // "S01": `gpy explain S01` says more; empty for most errors
  std::string suggestion;          // "Did you mean: 'x'?"
  std::string detail;              // what is wrong, in the terms of the source
  std::string hint;                // what to write instead
  std::vector<Label> labels;       // where it failed (first, its text empty), and the operands
  std::vector<std::string> notes;  // add_note
  std::vector<Frame> frames;       // outermost first; the last is the place of the error
  enum Link { none, cause, context } link = none;  // how it follows the one before it
  size_t left_out = 0;  // errors right before it that a long chain leaves out
};

// The reason for which a script was ended from outside.
enum class Stop : uint8_t {
  none,       // it was not
  interrupt,  // Interpreter::interrupt
  deadline,   // the rest: a limit of Limits
  steps,
  memory,
  output,
};

// The limits of one run, evaluate or call of a host, or of one reading of a value; 0: no limit.
// Past one, it ends with an Error of type "Stopped", which no `except` of a script catches. Its
// `finally` blocks run first, for a moment (100,000 steps, 0.1 s, 1 MiB). Then the interpreter is
// ready for the next run.
struct Limits {
  uint64_t steps = 0;  // loop edges, calls, turns of long loops in built-in functions
  double seconds = 0;
  size_t memory = 0;  // bytes of all values that the interpreter holds, arrays included
  size_t output = 0;  // bytes printed, on `out` and `err`
};

// An uncaught exception of a script, or a misuse of this interface. what() is the whole text that
// the command line would print: frames, source line, caret, operands and message.
class GPY_API Error : public std::runtime_error {
 public:
  Error(std::string type, std::string message);
  ~Error() override;

  const std::string& type() const { return type_; }        // "ValueError"
  const std::string& message() const { return message_; }  // without the type
  const std::string& file() const { return file_; }        // empty where no script ran
  int line() const { return line_; }                       // from 1; 0 where no script ran
  // This error, the last, and those that led to it; empty for a misuse.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const std::string& json() const { return json_; }  // the same as one line of JSON
  Stop stopped() const { return stopped_; }

 private:
  friend struct State;
  Error(const std::string& rendered, std::string type, std::string message);

  std::string type_, message_, file_;
  int line_ = 0;
  std::vector<Diagnostic> diagnostics_;
  std::string json_;
  Stop stopped_ = Stop::none;
  std::shared_ptr<HeldValue> exception_;  // so that it can pass through a host function
};

// A reference to a value of an interpreter. A default-made one is no value at all.
class GPY_API Value {
 public:
  Value();
  ~Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(Value) noexcept;

  bool is_none() const;
  std::string type() const;  // "int", "numpy.ndarray"
  // str(value). UnicodeEncodeError where that holds a lone surrogate, which UTF-8 does not know:
  // it may stand for a byte of a file name, of an argument or of the environment.
  std::string to_text() const;
  // str(value) with such bytes as they were, as the system takes them: not always UTF-8.
  std::string to_bytes() const;
  std::string repr() const;  // lone surrogates as "\\udcff"
  // Numbers, NumPy's among them, and arrays without dimensions (`np.array(5)`), computed if
  // pending; to_double takes an array of `gp` and cupy with one element, too. TypeError otherwise,
  // for `np.array([5])` and to_int of a float as well; OverflowError for what does not fit.
  int64_t to_int() const;
  double to_double() const;
  bool to_bool() const;  // truth
  // An array, a number or nested sequences of them, computed if pending, copied to the host.
  OwnedElements to_elements() const;

  Value attribute(std::string_view name) const;
  Value item(int64_t index) const;
  Value operator()(const std::vector<Value>& arguments) const;

 private:
  friend struct State;
  std::shared_ptr<HeldValue> held_;
};

// Memory of the host that scripts see as a numpy.ndarray, not copied. While the loan lasts each
// side sees the other's writes: whenever run, evaluate or a call returns to the host nothing
// pending reads the memory any more, so the host may write it between them. end(), and the
// destructor, take it back: what scripts still hold of it, pending results included, gets a copy
// first, and the memory may be freed. A run on another thread refuses end(); the destructor ends it
// (Stopped) and waits for that, so a run must not wait for a thread that destroys a loan.
class GPY_API Loan {
 public:
  ~Loan();
  Loan(Loan&&) noexcept;
  Loan& operator=(Loan&&) noexcept;

  Value value() const;
  void end();

 private:
  friend class Interpreter;
  explicit Loan(std::unique_ptr<HeldLoan> held);
  std::unique_ptr<HeldLoan> held_;
};

// A function of the host, called with positional arguments. A value not made (Value()) returns
// None. Error raises the exception of that type in the script: a class of the main module's or the
// builtins' names, one of a module that is imported ("json.JSONDecodeError"), or any of gpy's own,
// as type() or a traceback names it ("LinAlgError", "gpy.KernelFaultError"). Where there is none,
// and for any other std::exception, it is a RuntimeError. A class whose constructor does not take
// one text is made without it.
using Function = std::function<Value(const std::vector<Value>& arguments)>;
using Output = std::function<void(std::string_view)>;

class Interpreter;

struct Options {
  // "cpu", "cuda", "cuda:1": ValueError where it is not there. Empty: a GPU if there is one.
  std::string device = "cpu";
  // print, and warnings, gpy's own too; unset: the process's own streams.
  Output out = {}, err = {};
  // Devices with their memory pools, threads and compiled kernels are taken from this interpreter.
  const Interpreter* share_devices_with = nullptr;
  // A bad access, a division by zero or endless recursion in a user's kernel on the CPU raises
  // KernelFaultError. While the interpreter lives, the process has handlers of SIGSEGV, SIGBUS,
  // SIGFPE and SIGILL for it; faults elsewhere go to those that were there before. Otherwise a
  // kernel's fault is the host's.
  bool catch_kernel_faults = false;
  // The CUDA stream that work of the device above goes to, by its handle (0: every device's legacy
  // stream); it must outlive the interpreter. Unset, and on other devices: a stream of the
  // interpreter's own, so that interpreters on several threads work side by side. Scripts have it
  // as cupy.cuda.Stream.null.
  std::optional<uintptr_t> stream = {};
};

class GPY_API Interpreter {
 public:
  explicit Interpreter(const Options& options = {});
  ~Interpreter();
  Interpreter(Interpreter&&) noexcept;
  Interpreter& operator=(Interpreter&&) noexcept;

  // Runs statements in the main module. `name` is the source's name in errors.
  void run(std::string_view source, std::string_view name = "<host>");
  // Evaluates text as typed at a prompt: the value of an expression, of the last where there are
  // several; statements run, too, and give None.
  Value evaluate(std::string_view text);

  // Variables of the main module. get: NameError where there is none.
  Value get(std::string_view name) const;
  void set(std::string_view name, const Value& value);
  void define(std::string_view name, Function function);

  Value make(bool boolean);
  Value make(int64_t number);
  Value make(int number) { return make(int64_t{number}); }
  Value make(double number);
  Value make(std::string_view text);
  Value make(const char* text) { return make(std::string_view(text)); }

  // A new gpy.ndarray with the elements, where the interpreter's device is.
  Value copy(const Elements& elements);
  // Lends the memory itself, which must last as long as the loan. Scripts cannot write to it.
  [[nodiscard]] Loan lend(const Elements& elements);
  // The same for writing; `elements.data` must be memory that may be written.
  [[nodiscard]] Loan lend_writable(const Elements& elements);

  // Sets the limits of every run from here on, not of one that is going on, nor of what a function
  // of the host runs inside that. ValueError for seconds that are negative or NaN.
  void limit(const Limits& limits);
  // Ends the running script, from any thread, as if it had passed a limit. Nothing happens where
  // nothing runs.
  void interrupt();

 private:
  const std::shared_ptr<State>& state() const;  // Error for one moved from

  std::shared_ptr<State> state_;
};

}  // namespace gpy::host
