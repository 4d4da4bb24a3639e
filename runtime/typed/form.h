#pragma once

// The typed middle form: functions of the language whose every value has a known type, as trees of
// plain data. They are written as C++ text (write.h), which NVRTC and the system's compiler read
// alike. Whoever makes one has checked it: the names, the types and the assignment before use.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/scalar.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt::typed {

// The type of a value.
struct Type {
  enum class Kind : uint8_t { kNone, kNumber, kArray, kTuple, kList, kMap, kInstance };
  Kind kind = Kind::kNone;
  DType dtype = {};         // of a number, or of an array's elements
  Weak weak = Weak::kNo;    // of a number of the language, which gives way in promotion (NEP 50)
  bool either = false;      // a number of the language or a strong one: another value tells
  int rank = 0;             // of an array
  bool dense = false;       // an array whose elements follow one another in C order
  bool owned = false;       // an array whose memory the program makes, or shares
  bool constant = false;    // an array that is not written to
  std::vector<Type> items;  // of a tuple; of a list one, of a dictionary the key and the value, or
                            // none as long as they are not known; the fields of an instance
  std::vector<std::string> names;  // of an instance, or a named tuple: its class, then the fields;
                                   // of a list one, or none: the kind of list that the script has
  const void* of = nullptr;        // of those: what tells the class from all others

  static Type number(DType dtype, Weak weak = Weak::kNo);
  static Type array(DType dtype, int rank, bool dense);
  static Type tuple(std::vector<Type> items);
  static Type named_tuple(const void* of, std::vector<std::string> names, std::vector<Type> items);
  static Type list(Type item);
  static Type empty_list();  // of what is not known yet
  static Type map(Type key, Type value);
  static Type empty_map();
  static Type instance(const void* of, std::vector<std::string> names, std::vector<Type> fields);
  static Type truth() { return number(DType::kBool); }
  static Type index() { return number(DType::kInt64, Weak::kInt); }

  bool is_none() const { return kind == Kind::kNone; }
  bool is_number() const { return kind == Kind::kNumber; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_tuple() const { return kind == Kind::kTuple; }
  bool is_named_tuple() const { return is_tuple() && of; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_instance() const { return kind == Kind::kInstance; }
  // The type of item number `index` of a value that consists of items.
  const Type& item(size_t index) const {
    return items[is_list() ? 0 : is_map() ? index % 2 : index];
  }
  bool operator==(const Type&) const = default;
};

// "float64", "int" (a number of the language), "array of float32 (2 axes)", "(int, float)".
std::string type_text(const Type& type);
// Types that are equal, and no others, have the same key.
std::string type_key(const Type& type);

struct Expression {
  enum class Kind : uint8_t {
    kNumber,    // number
    kVariable,  // index: a variable of the function
    kCast,      // args[0], to the expression's type
    kRow,       // a row of the table of ufuncs on args, by its loop
    kCall,      // index: a function of the program, called with args
    kSupport,   // a function of the support text, `symbol`, called with args
    kChoice,    // args[0] ? args[1] : args[2]
    kAnd,       // of truths; args[1] is not looked at where args[0] decides
    kOr,
    kNot,
    kElement,  // of the array args[0] at args[1...], one for each axis
    kExtent,   // of the array args[0] along axis `index`
    kTuple,    // of args
    kItem,     // number `index` of the tuple args[0]
    kField,    // number `index` of the instance args[0]
    kAtomic,   // a function of the support text on the element args[0] itself, and the rest
    kMemory,   // the function's storage `index` as an array with the extents args
    // args[0] for each place of the arrays args[1...], which broadcast: a new array. With no type,
    // what args[1] is given, and args[2...] are what args[0] reads.
    kElementwise,
    kPlace,  // in args[0] of such a one: the element of the array, or the number, args[1 + index]
  };
  Kind kind = Kind::kNumber;
  Type type;
  Scalar number;
  int index = 0;
  const Ufunc* ufunc = nullptr;
  int loop = 0;
  std::string symbol;
  std::vector<Expression> args;
  std::vector<Expression> tag;  // of type `either`: whether it is NumPy's; one, or none where known
  bool unsettled = false;       // it may be no finite number, of which nothing has been told yet
  bool effects = false;         // computing it changes something, or reads what others may change
  bool fails = false;           // of a function of the support text: it may raise

  static Expression constant(const Scalar& number);
  static Expression variable(int index, const Type& type);
};

struct Statement {
  enum class Kind : uint8_t {
    kAssign,  // variable = values[0]
    kStore,   // values[0], an element or a field, = values[1]
    kIf,      // values[0]: the condition
    kWhile,
    kRange,  // variable takes values[0] up to values[1] by values[2]
    kBreak,
    kContinue,
    kReturn,    // values[0], if there is a value
    kEvaluate,  // values[0], for its effects
  };
  Kind kind = Kind::kEvaluate;
  int line = 0;
  int variable = 0;
  bool parallel = false;  // of a range: its rounds may run at the same time
  int unroll = 0;         // of a range: how many rounds are written out; 0: as the compiler likes
  std::vector<Expression> values;
  std::vector<Statement> body, otherwise;
};

struct Variable {
  std::string name;
  Type type;
};

// Memory that a function declares, of a size that is known while translating.
struct Storage {
  enum class Kind : uint8_t {
    kShared,   // of the block
    kDynamic,  // of the block, as much as the launch says
    kLocal,    // of the thread
    kConstant,
  };
  Kind kind = Kind::kLocal;
  DType dtype;
  int64_t count = 0;
  std::string bytes;  // of a constant one
};

struct Function {
  std::string name;                 // in the script
  std::string symbol;               // in the text
  std::string file;                 // which the lines of statements are of
  std::vector<Variable> variables;  // the parameters first, then the outputs
  int parameters = 0;
  int outputs = 0;  // parameters by reference
  Type result;
  std::vector<Storage> storages;
  std::vector<Statement> body;
};

// Functions that call each other; the first is the entry.
struct Program {
  std::vector<std::unique_ptr<Function>> functions;
  bool cooperative = false;  // of a grid: its blocks wait for one another
  bool prints = false;       // of a grid: by printf
};

}  // namespace gpy::rt::typed
