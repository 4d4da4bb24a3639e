#include "runtime/typed/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "runtime/cpp_text/names.h"
#include "runtime/cpp_text/rows.h"
#include "runtime/cpp_text/support_text.h"
#include "runtime/typed/parallel.h"
#include "runtime/typed/selection.h"
#include "runtime/typed/strips.h"
#include "runtime/typed/typed_text.h"
#include "runtime/typed/walk.h"

namespace gpy::rt::typed {

static std::string array_type(const Type& type) {
  const std::string view = fmt::format("{}<{}, {}>", type.dense ? "Dense" : "View",
                                       cpp_memory_type_name(type.dtype), type.rank);
  return type.owned ? "Owned<" + view + ">" : view;
}

std::string cpp_type(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kNone: return "void";
    case Type::Kind::kNumber: return std::string(cpp_type_name(type.dtype));
    case Type::Kind::kArray: return array_type(type);
    case Type::Kind::kList:
      return fmt::format("List<{}>", type.items.empty() ? "i64" : cpp_type(type.items[0]));
    case Type::Kind::kMap:
      if (type.items.empty()) return "Map<i64, i64>";
      break;
    case Type::Kind::kTuple:
    case Type::Kind::kInstance: break;
  }
  std::string items;
  for (const Type& item : type.items) items += (items.empty() ? "" : ", ") + cpp_type(item);
  const char* name = type.is_tuple() ? "Tuple" : type.is_map() ? "Map" : "Instance";
  return fmt::format("{}<{}>", name, items);
}

namespace {

// Floats are written by their bits: every compiler reads the same number.
std::string real_text(double number, DType dtype) {
  if (dtype == DType::kFloat64)
    return fmt::format("double_from_bits({:#x}ull)", std::bit_cast<uint64_t>(number));
  const auto narrow = static_cast<float>(number);
  return fmt::format("float_from_bits({:#x}u)", std::bit_cast<uint32_t>(narrow));
}

std::string number_text(const Scalar& number, DType dtype) {
  const std::string_view type = cpp_type_name(dtype);
  if (dtype == DType::kBool) return number.truth() ? "true" : "false";
  if (is_integer(dtype)) return fmt::format("{}({:#x}ull)", type, number.as_unsigned());
  if (is_complex(dtype)) {
    const DType part = real_type(dtype);
    return fmt::format("{}({}, {})", type, real_text(number.as_complex().real(), part),
                       real_text(number.as_complex().imag(), part));
  }
  if (is_narrow_float(dtype))
    return fmt::format("{}({})", type, real_text(number.as_double(), DType::kFloat32));
  return real_text(number.as_double(), dtype);
}

// The rows of the table that a program uses, by the names of their functions.
class Rows {
 public:
  const std::string& name(const Ufunc& ufunc, int loop) {
    std::string& name = names_[{ufunc.id, loop}];
    if (name.empty()) {
      name = fmt::format("row_{}_{}", ufunc.name, loop);
      write_row_function(text_, name, ufunc, ufunc.loops[static_cast<size_t>(loop)]);
    }
    return name;
  }
  std::string take() { return text_.take(); }

 private:
  std::map<std::pair<int, int>, std::string> names_;
  CppWriter text_;
};

class FunctionWriter {
 public:
  FunctionWriter(CppWriter& out, Rows& rows, const Program& program, const Function& function,
                 bool one_thread, std::vector<std::string>* checked)
      : out_(out),
        rows_(rows),
        program_(program),
        function_(function),
        one_thread_(one_thread),
        checked_(checked) {}

  static std::string head(const Function& function) {
    std::string parameters;
    for (int i = 0; i < function.parameters + function.outputs; ++i) {
      parameters += fmt::format("{}{}{} v{}", i ? ", " : "",
                                cpp_type(function.variables[static_cast<size_t>(i)].type),
                                i < function.parameters ? "" : "&", i);
    }
    return fmt::format("GPY_FUNCTION {} {}({})", cpp_type(function.result), function.symbol,
                       parameters);
  }

  void write() {
    for (size_t i = 0; i < function_.storages.size(); ++i) constant(i, function_.storages[i]);
    out_.open("{} {{", head(function_));
    for (size_t i = static_cast<size_t>(function_.parameters + function_.outputs);
         i < function_.variables.size(); ++i) {
      out_.line("{} v{} = {{}};", cpp_type(function_.variables[i].type), i);
    }
    for (size_t i = 0; i < function_.storages.size(); ++i) storage(i, function_.storages[i]);
    block(function_.body);
    if (!function_.result.is_none()) out_.line("return {{}};");
    out_.close();
  }

 private:
  std::string storage_name(size_t index) const {
    return fmt::format("{}_memory{}", function_.symbol, index);
  }

  // The bytes of a constant array are words, whatever its elements are.
  void constant(size_t index, const Storage& storage) {
    if (storage.kind == Storage::Kind::kDynamic)
      return out_.line("extern __shared__ u64 gpy_dynamic_shared[];");
    if (storage.kind != Storage::Kind::kConstant) return;
    std::string words;
    for (size_t at = 0; at < storage.bytes.size() || at == 0; at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, storage.bytes.data() + at, std::min<size_t>(8, storage.bytes.size() - at));
      words += fmt::format("{:#x}ull, ", word);
    }
    out_.line("__constant__ u64 {}[] = {{{}}};", storage_name(index), words);
  }

  void storage(size_t index, const Storage& storage) {
    const bool shared = storage.kind == Storage::Kind::kShared;
    if (!shared && storage.kind != Storage::Kind::kLocal) return;
    out_.line("{}alignas(16) {} {}[{}];", shared ? "__shared__ " : "",
              cpp_memory_type_name(storage.dtype), storage_name(index),
              std::max<int64_t>(storage.count, 1));
    if (shared && checked_)
      out_.line("_gpy_declare({}, {});", storage_name(index), name_number(name_of(index)));
  }

  // The variable that a storage is assigned to.
  std::string name_of(size_t storage) const {
    std::string name = "memory";
    const auto search = [&](const auto& self, const Statements& statements) -> void {
      for (const Statement& each : statements) {
        const bool assigns = each.kind == Statement::Kind::kAssign &&
                             each.values[0].kind == Expression::Kind::kMemory;
        if (assigns && each.values[0].index == static_cast<int>(storage))
          name = function_.variables[static_cast<size_t>(each.variable)].name;
        self(self, each.body);
        self(self, each.otherwise);
      }
    };
    search(search, function_.body);
    return name;
  }

  // The number that findings have for the name of an array.
  size_t name_number(const std::string& name) const {
    const auto known = std::ranges::find(*checked_, name);
    const size_t number = static_cast<size_t>(known - checked_->begin());
    if (known == checked_->end()) checked_->push_back(name);
    return number;
  }
  std::string access_place(const Expression& array) const {
    std::string name = "array";  // of what the script has not named
    if (array.kind == Expression::Kind::kVariable)
      name = function_.variables[static_cast<size_t>(array.index)].name;
    return fmt::format("AccessPlace({})", name_number(name.starts_with('.') ? "array" : name));
  }

  std::string memory(const Expression& node) {
    const Storage& storage = function_.storages[static_cast<size_t>(node.index)];
    const std::string name = storage.kind == Storage::Kind::kDynamic
                                 ? "gpy_dynamic_shared"
                                 : storage_name(static_cast<size_t>(node.index));
    std::string extents;
    for (const Expression& each : node.args) extents += ", " + text(each);
    if (checked_ && storage.kind == Storage::Kind::kDynamic)
      extents =
          fmt::format(", ::_gpy_dynamic_bytes() / sizeof({})", cpp_memory_type_name(storage.dtype));
    return fmt::format("array_over<{}, {}>((void*){}{})", cpp_memory_type_name(storage.dtype),
                       node.type.rank, name, extents);
  }

  using Statements = std::vector<Statement>;

  void block(const Statements& statements) {
    for (const Statement& each : statements) statement(each);
  }

  void place(int line) {
    if (line <= 0 || function_.file.empty()) return;
    std::string file;
    for (const char c : function_.file)
      file += (c == '\\' || c == '"') ? fmt::format("\\{}", c) : std::string(1, c);
    out_.raw(fmt::format("#line {} \"{}\"\n", line, file));
  }

  // What fails without a line of its own has failed at this one.
  void note_line(const Statement& node) {
    if (std::ranges::any_of(node.values, may_fail)) out_.line("call_frame->line = {};", node.line);
  }
  static bool may_fail(const Expression& node) {
    return node.fails || node.kind == Expression::Kind::kElementwise ||
           std::ranges::any_of(node.args, may_fail);
  }

  void statement(const Statement& node) {
    place(node.line);
    note_line(node);
    switch (node.kind) {
      case Statement::Kind::kAssign:
        return out_.line("v{} = {};", node.variable, text(node.values[0]));
      case Statement::Kind::kStore:
        return out_.line("{} = {};", place_text(node.values[0]), text(node.values[1]));
      case Statement::Kind::kIf: return branch(node);
      case Statement::Kind::kWhile:
        out_.open("while ({}) {{", text(node.values[0]));
        block(node.body);
        return out_.close();
      case Statement::Kind::kRange: return any_range(node);
      case Statement::Kind::kBreak: return out_.line("break;");
      case Statement::Kind::kContinue: return out_.line("continue;");
      case Statement::Kind::kReturn:
        if (node.values.empty()) return out_.line("return;");
        return out_.line("return {};", text(node.values[0]));
      case Statement::Kind::kEvaluate: return out_.line("{};", text(node.values[0]));
    }
  }

  void branch(const Statement& node) {
    if (const auto selection = try_selection(function_, node, one_thread_ && !in_parallel_))
      return statement(*selection);
    out_.open("if ({}) {{", text(node.values[0]));
    block(node.body);
    if (!node.otherwise.empty()) {
      out_.turn("} else {");
      block(node.otherwise);
    }
    out_.close();
  }

  void any_range(const Statement& node) {
    const bool may_share = node.parallel && !in_parallel_;
    const auto plan = may_share ? plan_parallel(function_, node) : std::nullopt;
    return plan ? parallel_range(node, *plan) : range(node);
  }

  const Type& variable_type(int variable) const {
    return function_.variables[static_cast<size_t>(variable)].type;
  }
  // Threads count no references: the arrays of the loop's surroundings outlive it.
  static std::string shared_type(Type type) {
    type.owned = false;
    return cpp_type(type);
  }
  std::string first_value(const Reduction& reduction) const {
    const std::string type = cpp_type(variable_type(reduction.variable));
    if (reduction.kind == Reduction::Kind::kSum) return type + "(0)";
    if (reduction.kind == Reduction::Kind::kProduct) return type + "(1)";
    return fmt::format("p{}", reduction.variable);
  }
  static std::string_view joining(Reduction::Kind kind) {
    switch (kind) {
      case Reduction::Kind::kSum: return "add";
      case Reduction::Kind::kProduct: return "multiply";
      case Reduction::Kind::kLeast: return "smaller";
      case Reduction::Kind::kGreatest: return "greater";
    }
    return "";
  }

  void parallel_range(const Statement& node, const ParallelPlan& plan) {
    const int depth = loops_++;
    in_parallel_ = true;
    out_.open("{{");
    out_.line(
        "const i64 first{0} = {1}, step{0} = {3}, rounds{0} = range_count(first{0}, {2}, "
        "step{0}), parts{0} = part_count(rounds{0});",
        depth, text(node.values[0]), text(node.values[1]), text(node.values[2]));
    for (const int each : plan.shared)
      out_.line("const {} p{} = v{};", shared_type(variable_type(each)), each, each);
    for (const Reduction& each : plan.reductions)
      out_.line("{0} p{1} = v{1}, partial{1}[kMostParts]; {0}* const all{1} = partial{1};",
                cpp_type(variable_type(each.variable)), each.variable);
    part(node, plan, depth);
    out_.line("run_parallel(part{0}, rounds{0}, parts{0});", depth);
    for (const Reduction& each : plan.reductions)
      out_.line("for (i64 k = 0; k < parts{0}; ++k) v{1} = {2}(v{1}, partial{1}[k]);", depth,
                each.variable, joining(each.kind));
    out_.close();
    in_parallel_ = false;
  }

  // The rounds [low, high) with variables of their own.
  void part(const Statement& node, const ParallelPlan& plan, int depth) {
    out_.open("auto part{} = [=](i64 low, i64 high, i64 number) {{", depth);
    for (const int each : plan.shared)
      out_.line("const {} v{} = p{};", shared_type(variable_type(each)), each, each);
    for (const int each : plan.own)
      out_.line("{} v{} = {{}};", cpp_type(variable_type(each)), each);
    for (const Reduction& each : plan.reductions)
      out_.line("{} v{} = {};", cpp_type(variable_type(each.variable)), each.variable,
                first_value(each));
    out_.open("for (i64 round = low; round < high; ++round) {{");
    out_.line("v{} = {}(range_item(first{}, step{}, round));", node.variable,
              cpp_type(variable_type(node.variable)), depth, depth);
    block(node.body);
    out_.close();
    for (const Reduction& each : plan.reductions)
      out_.line("all{0}[number] = v{0};", each.variable);
    out_.line("(void)number;");
    out_.close("};");
  }

  // The number of rounds is known before the first, as Python's range knows it, and the variable
  // keeps its last value.
  void range(const Statement& node) {
    const int depth = loops_++;
    const Expression& step = node.values[2];
    const std::string variable = fmt::format("v{}", node.variable);
    out_.line("const i64 first{0} = {1}, end{0} = {2};", depth, text(node.values[0]),
              text(node.values[1]));
    const bool by_one = step.kind == Expression::Kind::kNumber && step.number.as_int() == 1;
    if (by_one && one_thread_ && !in_parallel_ && !node.unroll) {
      if (const auto plan = plan_strips(function_, node)) return strips(node, *plan, depth);
    }
    if (!by_one)
      out_.line("const i64 step{0} = {1}, rounds{0} = range_count(first{0}, end{0}, step{0});",
                depth, text(step));
    if (node.unroll) out_.line("GPY_UNROLL({})", node.unroll);
    if (by_one) {
      out_.open("for (i64 at{0} = first{0}; at{0} < end{0}; ++at{0}) {{", depth);
    } else {
      out_.open(
          "for (i64 round{0} = 0, at{0} = first{0}; round{0} < rounds{0}; ++round{0}, "
          "at{0} = next_of_range(at{0}, step{0})) {{",
          depth);
    }
    out_.line("{} = {}(at{});", variable,
              cpp_type(function_.variables[static_cast<size_t>(node.variable)].type), depth);
    block(node.body);
    out_.close();
  }

  // The longest strip whose checks are made ahead: what it reads is still near when it is run.
  static constexpr int kStrip = 512;

  void strips(const Statement& node, const Strips& plan, int depth) {
    if (!plan.sums.empty()) return sum_strips(node, plan, depth);
    out_.open("for (i64 part{0} = first{0}; part{0} < end{0};) {{", depth);
    out_.line("i64 stop{0} = {1};", depth,
              plan.has_checks() ? fmt::format("smaller(end{0}, part{0} + {1})", depth, kStrip)
                                : fmt::format("end{}", depth));
    out_.line("i64 strays{} = 0;", depth);
    const size_t known = known_.size();
    std::vector<KnownElement> known_here = known_elements(plan, depth);
    look_at_addresses(node, plan, depth, known_here);
    std::ranges::move(known_here, std::back_inserter(known_));
    for (const Expression& each : plan.polls)
      out_.line("strays{} |= -i64(!{});", depth, text(each));
    if (!plan.stays.empty()) {
      out_.open("if (strays{} == 0) {{", depth);
      own_variables(plan);
      open_rounds(node, depth);
      block(plan.sweep);
      for (const Expression& each : plan.stays)
        out_.line("strays{} |= {} ? i64(0) : i64(-1);", depth, text(each));
      out_.close();
      out_.close();
    }
    if (plan.has_checks()) out_.open("if (strays{} == 0) {{", depth);
    open_rounds(node, depth);
    block(plan.unchecked);
    out_.close();
    if (plan.has_checks()) {
      out_.turn("} else {");
      open_rounds(node, depth);
      block(node.body);
      out_.close();
      out_.close();
    }
    known_.resize(known);
    out_.line("part{0} = stop{0};", depth);
    out_.close();
  }

  void sum_strips(const Statement& node, const Strips& plan, int depth) {
    out_.open("for (i64 part{0} = first{0}; part{0} < end{0};) {{", depth);
    out_.line("const i64 stop{0} = smaller(end{0}, part{0} + {1});", depth, kStrip);
    for (const int each : plan.own) out_.line("const auto w{0}_{1} = v{1};", depth, each);
    out_.line("bool holds{} = true;", depth);
    for (const Expression& each : plan.polls)
      out_.line("holds{0} = holds{0} && {1};", depth, text(each));
    out_.open("if (holds{}) {{", depth);
    open_rounds(node, depth);
    block(plan.unchecked);
    out_.close();
    for (const Expression& each : plan.sums)
      out_.line("holds{0} = holds{0} && {1};", depth, text(each));
    out_.close();
    out_.open("if (!holds{}) {{", depth);
    for (const int each : plan.own) out_.line("v{1} = w{0}_{1};", depth, each);
    open_rounds(node, depth);
    block(node.body);
    out_.close();
    out_.close();
    out_.line("part{0} = stop{0};", depth);
    out_.close();
  }

  void open_rounds(const Statement& node, int depth) {
    out_.open("for (i64 at{0} = part{0}; at{0} < stop{0}; ++at{0}) {{", depth);
    out_.line("v{} = {}(at{});", node.variable, cpp_type(variable_type(node.variable)), depth);
  }

  // What is computed ahead changes no variable of the function.
  void own_variables(const Strips& plan) {
    for (const int each : plan.own)
      out_.line("{} v{} = {{}};", cpp_type(variable_type(each)), each);
  }

  // An element that is read already, or whose address follows from that of the strip's first round
  // by what a compiler sees to be a sum that does not wrap.
  struct KnownElement {
    const Expression* element;
    std::string name, place;
  };

  std::vector<KnownElement> known_elements(const Strips& plan, int depth) {
    std::vector<KnownElement> out;
    const auto add = [&](const Expression& element, bool moves) {
      const std::string name = fmt::format("{}{}_{}", moves ? "m" : "h", depth, out.size());
      out_.line("{}{} {};", cpp_memory_type_name(element.type.dtype), moves ? "*" : "", name);
      out.push_back(
          {&element, name, moves ? fmt::format("{0}[at{1} - part{1}]", name, depth) : name});
    };
    for (const Expression& each : plan.fixed) add(each, false);
    for (const Expression& each : plan.moving) add(each, true);
    add(plan.stored, true);
    return out;
  }

  void look_at_addresses(const Statement& node, const Strips& plan, int depth,
                         const std::vector<KnownElement>& known) {
    out_.open("{{");
    own_variables(plan);
    out_.line("v{} = {}(part{});", node.variable, cpp_type(variable_type(node.variable)), depth);
    block(plan.head);
    const size_t fixed = plan.fixed.size();
    for (size_t i = fixed; i < known.size(); ++i)
      out_.line("{} = &{};", known[i].name, place_text(*known[i].element));
    const std::string& stored = known.back().name;
    for (const Expression& each : plan.fixed)
      out_.line("stop{0} = strip_end({1}, &{2}, part{0}, stop{0});", depth, stored,
                place_text(each));
    for (size_t i = 0; i < fixed; ++i)
      out_.line("{} = {};", known[i].name, place_text(plan.fixed[i]));
    for (size_t i = fixed; plan.has_checks() && i + 1 < known.size(); ++i)
      out_.line("strays{0} |= -i64(!reads_ahead({1}, {2}, stop{0} - part{0}));", depth, stored,
                known[i].name);
    out_.close();
  }

  std::string place_text(const Expression& node) {
    for (const KnownElement& each : known_) {
      if (is_same(*each.element, node)) return each.place;
    }
    if (node.kind == Expression::Kind::kField) return text(node);
    if (checked_) {
      return fmt::format("checked_at({}, {}{}{})", text(node.args[0]), access_place(node.args[0]),
                         node.args.size() > 1 ? ", " : "", arguments(node.args, 1));
    }
    return fmt::format("{}.at({})", text(node.args[0]), arguments(node.args, 1));
  }

  std::string arguments(const std::vector<Expression>& args, size_t first = 0) {
    std::string out;
    for (size_t i = first; i < args.size(); ++i) out += (i > first ? ", " : "") + text(args[i]);
    return out;
  }

  // The language computes operands from left to right, C++ in any order.
  // `before`: arguments that are written already.
  std::string call(const std::string& function, const std::vector<Expression>& args,
                   const std::string& before = "") {
    bool effects = false;
    for (const Expression& each : args) effects = effects || each.effects;
    if (!effects || args.size() < 2)
      return fmt::format("{}({}{})", function, before, arguments(args));
    std::string out = "[&] { ", names;
    const int depth = temporaries_++;
    for (size_t i = 0; i < args.size(); ++i) {
      const std::string name = fmt::format("t{}_{}", depth, i);
      out += fmt::format("const {} {} = {}; ", cpp_type(args[i].type), name, text(args[i]));
      names += (i ? ", " : "") + name;
    }
    return out + fmt::format("return {}({}{}); }}()", function, before, names);
  }

  // elementwise<T, R>([](T0 e0, T1 e1) -> T { return ...; }, a0, a1)
  std::string elementwise(const Expression& node) {
    const bool makes = !node.type.is_none();
    std::vector<Expression> arrays(node.args.begin() + 1, node.args.end());
    std::string parameters;
    for (size_t i = makes ? 0 : 1; i < arrays.size(); ++i) {
      const size_t place = makes ? i : i - 1;
      parameters += fmt::format("{}{} e{}", place ? ", " : "",
                                cpp_type(Type::number(arrays[i].type.dtype)), place);
    }
    const Expression& body = node.args[0];
    const std::string function = fmt::format("[]({}) -> {} {{ return {}; }}", parameters,
                                             cpp_type(Type::number(body.type.dtype)), text(body));
    if (!makes) return call("elementwise_into", arrays, function + ", ");
    return call(
        fmt::format("elementwise<{}, {}>", cpp_memory_type_name(node.type.dtype), node.type.rank),
        arrays, function + ", ");
  }

  std::string text(const Expression& node) {
    using Kind = Expression::Kind;
    const auto arg = [&](size_t i) { return text(node.args[i]); };
    switch (node.kind) {
      case Kind::kNumber: return number_text(node.number, node.type.dtype);
      case Kind::kVariable: return fmt::format("v{}", node.index);
      case Kind::kCast:
        return fmt::format("{}<{}>({})", node.type.is_array() ? "as_array" : "cast",
                           cpp_type(node.type), arg(0));
      case Kind::kRow: return call(rows_.name(*node.ufunc, node.loop), node.args);
      case Kind::kCall:
        return call(program_.functions[static_cast<size_t>(node.index)]->symbol, node.args);
      case Kind::kSupport:
        if (checked_ && node.symbol == "row") {
          return fmt::format("checked_row({}, {}, {})", arg(0), access_place(node.args[0]), arg(1));
        }
        if (checked_ && node.symbol.starts_with("subscript<")) {
          return fmt::format("checked_{}({}, {}{})", node.symbol, arg(0),
                             access_place(node.args[0]),
                             (node.args.size() > 1 ? ", " : "") + arguments(node.args, 1));
        }
        return call(node.symbol, node.args);
      case Kind::kChoice: return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
      case Kind::kAnd: return fmt::format("({} && {})", arg(0), arg(1));
      case Kind::kOr: return fmt::format("({} || {})", arg(0), arg(1));
      case Kind::kNot: return fmt::format("!({})", arg(0));
      case Kind::kElement: return fmt::format("{}({})", cpp_type(node.type), place_text(node));
      case Kind::kExtent: return fmt::format("{}.shape[{}]", arg(0), node.index);
      case Kind::kTuple: return call(cpp_type(node.type), node.args);
      case Kind::kAtomic:
        return fmt::format("{}({}, {})", node.symbol, place_text(node.args[0]),
                           arguments(node.args, 1));
      case Kind::kMemory: return memory(node);
      case Kind::kItem: return fmt::format("item<{}>({})", node.index, arg(0));
      case Kind::kField: return fmt::format("field<{}>({})", node.index, arg(0));
      case Kind::kElementwise: return elementwise(node);
      case Kind::kPlace: return fmt::format("e{}", node.index);
    }
    return "";
  }

  CppWriter& out_;
  Rows& rows_;
  const Program& program_;
  const Function& function_;
  bool one_thread_;
  int loops_ = 0;
  int temporaries_ = 0;
  bool in_parallel_ = false;
  std::vector<KnownElement> known_;
  std::vector<std::string>* checked_;  // null: accesses are not checked
};

}  // namespace

std::string program_text(const Program& program, bool one_thread,
                         std::vector<std::string>* checked) {
  Rows rows;
  CppWriter functions;
  for (const auto& each : program.functions) functions.line("{};", FunctionWriter::head(*each));
  for (const auto& each : program.functions)
    FunctionWriter(functions, rows, program, *each, one_thread, checked).write();
  std::string out = fmt::format("\n#line 1 \"<support>\"\nnamespace {} {{\n", kNamespace);
  out += "#define GPY_NO_EVENTS\n";
  out += support_text();
  out += typed_text();
  out += "\n#line 1 \"<rows>\"\n" + rows.take() + "\n#line 1 \"<functions>\"\n";
  return out + functions.take() + "}\n#line 1 \"<generated>\"\n";
}

}  // namespace gpy::rt::typed
