#include "plan_cases.h"

#include <fmt/format.h>

#include "plan_maker.h"

namespace gpy::rt::test {
namespace {

constexpr DType kF16 = DType::kFloat16, kF32 = DType::kFloat32, kF64 = DType::kFloat64;
constexpr DType kI8 = DType::kInt8, kI64 = DType::kInt64, kC128 = DType::kComplex128;

using Cases = std::vector<PlanCase>;

// (x - y) * (x - y); complex numbers, whose product some instruction sets round once, are added.
Plan squared_difference(const Dims& extents, DType dtype, const Dims& x, const Dims& y,
                        const Dims& z) {
  PlanMaker make(extents);
  const Register a = make.input(dtype, x), b = make.input(dtype, y);
  const Register off = make.op("subtract", {a, b});
  const char* last = is_complex(dtype) ? "add" : "multiply";
  return make.output(make.op(last, {off, off}), z).finish();
}

void add_flat(Cases& cases) {
  for (DType dtype : {kI8, kF16, kF32, kF64, kC128}) {
    for (int64_t n : {int64_t{1}, int64_t{7}, int64_t{1000}, int64_t{70001}}) {
      for (int64_t shift : {0, 1, 3}) {
        PlanCase test{fmt::format("flat {} {} +{}", name(dtype), n, shift),
                      squared_difference({n}, dtype, {1}, {1}, {1})};
        test.origins = {shift, 2 * shift, shift == 3 ? 1 : 0};
        cases.push_back(std::move(test));
      }
    }
  }
  PlanMaker mixed({3001});
  const Register narrow = mixed.input(DType::kInt16), wide = mixed.input(kF64),
                 one = mixed.input(kF32, {0});
  const Register k = mixed.scalar(kF64);
  const Register sum = mixed.op("add", {mixed.op("multiply", {narrow, k}), wide});
  const Register test = mixed.op("greater", {sum, one});
  mixed.output(sum).output(test).output(mixed.cast(sum, kF32));
  cases.push_back(
      {"mixed types, three outputs, a broadcast element", mixed.finish(), {}, {1, 0, 0, 0, 2, 0}});
  PlanMaker zero({});
  const Register x = zero.input(kF32, {});
  cases.push_back({"no dimensions", zero.output(zero.op("add", {x, x}), {}).finish()});
}

void add_layouts(Cases& cases) {
  cases.push_back(
      {"row of 8 repeated", squared_difference({300, 8}, kF32, {8, 1}, {0, 1}, {8, 1})});
  cases.push_back({"column repeated",
                   squared_difference({30, 40}, kF32, {40, 1}, {1, 0}, {40, 1}),
                   {},
                   {1, 0, 0}});
  cases.push_back({"rows of 3", squared_difference({1001, 3}, kF32, {3, 1}, {0, 1}, {3, 1})});
  cases.push_back({"rows of 6 float32: vectors of 2",
                   squared_difference({101, 6}, kF32, {6, 1}, {8, 1}, {6, 1})});
  cases.push_back({"inner part of rows",
                   squared_difference({40, 20}, kF32, {32, 1}, {32, 1}, {20, 1}),
                   {},
                   {3, 5, 0}});
  cases.push_back({"every second", squared_difference({5003}, kF32, {2}, {1}, {1})});
  cases.push_back({"backwards", squared_difference({5003}, kF64, {-1}, {1}, {1})});
  cases.push_back({"backwards into every third", squared_difference({503}, kI8, {-1}, {-2}, {3})});
  cases.push_back({"transposed", squared_difference({70, 90}, kF32, {1, 70}, {90, 1}, {90, 1})});
  cases.push_back(
      {"transposed float16", squared_difference({67, 35}, kF16, {1, 67}, {35, 1}, {35, 1})});
  cases.push_back(
      {"both transposed", squared_difference({64, 64}, kF64, {1, 64}, {1, 64}, {64, 1})});
  cases.push_back(
      {"transposed in three dimensions",
       squared_difference({5, 40, 33}, kI64, {1320, 1, 40}, {1320, 33, 1}, {1320, 33, 1})});
  cases.push_back(
      {"five dimensions", squared_difference({3, 4, 5, 2, 7}, kF32, {1, 3, 12, 60, 120},
                                             {280, 70, 14, 7, 1}, {280, 70, 14, 7, 1})});
  cases.push_back(
      {"five dimensions, inner row", squared_difference({3, 4, 5, 2, 8}, kF32, {8, 24, 96, 480, 1},
                                                        {320, 80, 16, 8, 1}, {320, 80, 16, 8, 1})});
  cases.push_back(
      {"into a strided region", squared_difference({30, 16}, kF32, {16, 1}, {16, 1}, {40, 2})});
  cases.push_back({"into the middle of rows",
                   squared_difference({30, 16}, kF32, {16, 1}, {16, 1}, {40, 1}),
                   {},
                   {0, 0, 5}});
  cases.push_back({"nothing", squared_difference({0}, kF32, {1}, {1}, {1})});
}

// Any byte but 0 is true: a bool that is only moved keeps its byte, a computed one is 0 or 1.
void add_bools(Cases& cases) {
  constexpr DType kBool = DType::kBool;
  PlanMaker flat({4099});
  cases.push_back({"bools moved", flat.output(flat.input(kBool)).finish()});
  PlanMaker turned({40, 70});
  cases.push_back({"bools turned", turned.output(turned.input(kBool, {1, 40})).finish()});
  PlanMaker both({1003});
  const Register x = both.input(kBool);
  cases.push_back(
      {"bools moved and negated", both.output(x).output(both.op("logical_not", {x})).finish()});
  PlanMaker take({777});
  const Register from = take.gathered(kBool, {0}), index = take.input(kI64);
  const Register taken = take.gather(from, index);
  take.output(taken).output(take.op("logical_not", {taken}));
  cases.push_back({"bools taken and negated", take.finish(), {Draw::kAny, Draw::kIndex}, {}, 500});
  PlanMaker put({64});
  const Register value = put.input(kBool), to = put.iota({7});
  cases.push_back({"bools put", put.output(value, {0}, to).finish(), {}, {}, 64 * 7});
}

void add_counting(Cases& cases) {
  PlanMaker flat({1003});
  const Register i = flat.iota({1});
  cases.push_back({"counting", flat.output(flat.op("multiply", {i, i})).finish()});
  PlanMaker grid({40, 24});
  const Register row = grid.iota({1, 0}), column = grid.iota({0, 3});
  cases.push_back(
      {"counting in two directions", grid.output(grid.op("subtract", {row, column})).finish()});
  PlanMaker odd({41, 23});
  const Register at = odd.iota({-100000000000, 7});
  cases.push_back({"counting beyond 32 bits", odd.output(at).finish()});
}

void add_gathers(Cases& cases) {
  PlanMaker take({777});
  const Register from = take.gathered(kF32, {0}), index = take.input(kI64);
  cases.push_back({"take",
                   take.output(take.gather(from, index)).finish(),
                   {Draw::kAny, Draw::kIndex},
                   {},
                   500});
  PlanMaker rows({37, 12});
  const Register table = rows.gathered(kF64, {0, 1}), which = rows.input(kI64, {1, 0});
  cases.push_back({"take rows",
                   rows.output(rows.gather(table, which)).finish(),
                   {Draw::kAny, Draw::kIndex},
                   {},
                   90});
  PlanMaker picked({37, 11});
  const Register source = picked.gathered(kI8, {11, 1}), by = picked.input(kI64, {1, 37});
  cases.push_back({"take with an index of its own each",
                   picked.output(picked.gather(source, by)).finish(),
                   {Draw::kAny, Draw::kIndex},
                   {},
                   50});
  PlanMaker put({64});
  const Register value = put.input(kF32), to = put.iota({7});
  cases.push_back({"put", put.output(value, {0}, to).finish(), {}, {}, 64 * 7});
  PlanMaker put_rows({16, 9});
  const Register values = put_rows.input(kF32), row = put_rows.iota({18, 0});
  cases.push_back({"put rows", put_rows.output(values, {0, 1}, row).finish(), {}, {}, 16 * 18});
}

// --- reductions ---

// sum of x * x, the products kept too if asked: `run` is the extent of the reduced dimensions that
// end the array's C order.
PlanCase reduction_case(std::string name, const Dims& extents, DType dtype, const Dims& strides,
                        std::string_view row, int kept, int64_t run, bool keep = false) {
  PlanMaker make(extents);
  const Register x = make.input(dtype, strides);
  const Register value = make.op("add", {x, x});
  if (keep) make.output(value);
  make.reduce(row, value, kept, run);
  return {std::move(name), make.finish(), {Draw::kSmall}, {1}};
}

void add_reductions(Cases& cases) {
  for (DType dtype : {kI8, kF32, kF64}) {
    for (int64_t n :
         {int64_t{1}, int64_t{3}, int64_t{100}, int64_t{5000}, int64_t{20001}, int64_t{400003}}) {
      if (dtype == kI8 && n > 5000) continue;
      cases.push_back(reduction_case(fmt::format("sum of {} {}", n, name(dtype)), {n}, dtype, {1},
                                     "add", 0, n));
    }
  }
  cases.push_back(reduction_case("sum and products", {30000}, kF32, {1}, "add", 0, 30000, true));
  cases.push_back(reduction_case("rows of 8", {5000, 8}, kF32, {8, 1}, "add", 1, 8));
  cases.push_back(reduction_case("rows of 7", {5000, 7}, kF32, {7, 1}, "add", 1, 7));
  cases.push_back(reduction_case("rows of 100", {50, 100}, kF32, {100, 1}, "add", 1, 100));
  cases.push_back(
      reduction_case("rows of 1000", {40, 1000}, kF32, {1000, 1}, "add", 1, 1000, true));
  cases.push_back(reduction_case("rows of 20001", {3, 20001}, kF32, {20001, 1}, "add", 1, 20001));
  cases.push_back(reduction_case("columns of 8", {8, 50000}, kF32, {1, 8}, "add", 1, 1));
  cases.push_back(reduction_case("columns of 6 float64", {6, 3000}, kF64, {1, 6}, "add", 1, 1));
  cases.push_back(reduction_case("columns of 200", {200, 300}, kF32, {1, 200}, "add", 1, 1, true));
  cases.push_back(reduction_case("columns of 203", {203, 90}, kF32, {1, 203}, "maximum", 1, 1));
  cases.push_back(reduction_case("long columns", {130, 9000}, kF32, {1, 130}, "add", 1, 1));
  cases.push_back(reduction_case("few long columns", {3, 60000}, kF64, {1, 3}, "maximum", 1, 1));
  cases.push_back(reduction_case("many short columns", {40000, 8}, kF32, {1, 40000}, "add", 1, 1));
  cases.push_back(reduction_case("middle axis", {9, 64, 33}, kF32, {2112, 1, 64}, "add", 2, 1));
  cases.push_back(
      reduction_case("middle axis of odd rows", {9, 31, 33}, kF32, {1023, 1, 31}, "add", 2, 1));
  cases.push_back(
      reduction_case("first and last axis", {40, 30, 12}, kF32, {12, 480, 1}, "add", 1, 12));
  cases.push_back(
      reduction_case("first and last axis, odd", {40, 30, 21}, kF32, {21, 840, 1}, "add", 1, 21));
  cases.push_back(reduction_case("columns in row order", {90, 300}, kF32, {300, 1}, "add", 1, 1));
  cases.push_back(reduction_case("rows in column order", {90, 600}, kF32, {1, 90}, "add", 1, 600));
  cases.push_back(
      reduction_case("integers, rows in column order", {90, 600}, kI64, {1, 90}, "add", 1, 600));
  cases.push_back(reduction_case("argmax", {30000}, kF32, {1}, "argmax", 0, 30000));
  cases.push_back(reduction_case("argmin of columns", {77, 3000}, kI64, {1, 77}, "argmin", 1, 1));
  cases.push_back(reduction_case("argmax of rows", {40, 700}, kI8, {700, 1}, "argmax", 1, 700));
  cases.push_back(
      reduction_case("all of bools", {70000}, DType::kBool, {1}, "logical_and", 0, 70000));
  cases.push_back(reduction_case("nothing, five times", {5, 0}, kF32, {1, 1}, "add", 1, 1));
  cases.push_back(reduction_case("one of each", {50}, kF32, {1}, "add", 1, 1));
  PlanMaker everything({200, 3});
  const Register table = everything.gathered(kF32, {0, 0}), index = everything.input(kI64);
  everything.reduce("add", everything.gather(table, index), 1, 3);
  cases.push_back({"sum of gathered", everything.finish(), {Draw::kSmall, Draw::kIndex}, {}, 100});
}

PlanCase scan_case(std::string name, const Dims& extents, DType dtype, const Dims& strides,
                   std::string_view row, int64_t run, Dims result) {
  PlanMaker make(extents);
  const Register x = make.input(dtype, strides);
  make.scan(row, make.op("add", {x, x}), run, std::move(result));
  return {std::move(name), make.finish(), {Draw::kSmall}, {1}};
}

void add_scans(Cases& cases) {
  for (int64_t n : {int64_t{1}, int64_t{1000}, int64_t{5003}, int64_t{100003}}) {
    cases.push_back(scan_case(fmt::format("running sum of {}", n), {n}, kF32, {1}, "add", n, {1}));
  }
  cases.push_back(scan_case("running maximum", {70000}, kF64, {1}, "maximum", 70000, {1}));
  cases.push_back(
      scan_case("running sum of rows", {30, 900}, kI64, {900, 1}, "add", 900, {900, 1}));
  cases.push_back(
      scan_case("running sum of odd rows", {300, 37}, kF32, {37, 1}, "add", 37, {37, 1}));
  cases.push_back(
      scan_case("running sum of columns", {300, 200}, kF32, {1, 300}, "add", 1, {1, 300}));
  cases.push_back(
      scan_case("running sum of odd columns", {301, 20}, kF64, {1, 301}, "add", 1, {1, 301}));
  cases.push_back(scan_case("running sum along the middle", {6, 40, 50}, kF32, {2000, 1, 40}, "add",
                            1, {2000, 1, 40}));
  cases.push_back(
      scan_case("running sum backwards in memory", {5000}, kF32, {-1}, "add", 5000, {-1}));
}

// Rows whose helpers are + - * / sqrt or whole-number work: the same bits everywhere.
bool is_elementary(std::string_view name) {
  static constexpr std::string_view kElementary[] = {
      "exp",   "log",     "sin",     "cos",    "tan",       "arc",         "sinh",
      "cosh",  "tanh",    "cbrt",    "hypot",  "pow",       "float_power", "erf",
      "expm1", "radians", "degrees", "angle",  "logaddexp", "deg2rad",     "rad2deg",
      "sinc",  "i0",      "random",  "normal", "gamma"};
  for (std::string_view word : kElementary) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// Complex functions and sums of logarithms cancel in parts of their result. Only the CPU follows
// C's Annex G for infinite complex numbers; a power's error grows with its logarithm.
void set_tolerance(std::string_view name, const UfuncLoop& loop, PlanCase& test) {
  const bool complex = is_complex(loop.in[0]);
  if (!is_elementary(name) && !complex) return;
  const bool power = complex && name.find("pow") != std::string_view::npos;
  test.ulps = power ? 1024 : 4;
  test.of_one = complex || name.starts_with("logaddexp");
  if (complex && is_elementary(name)) test.draws = {Draw::kFinite, Draw::kFinite};
}

// Parameters that most distributions have: chances, and small numbers. A last bit's difference of
// two logarithms grows where numbers cancel.
void set_parameters(const Ufunc& ufunc, const UfuncLoop& loop, PlanCase& test) {
  if (!ufunc.name.starts_with("draw_")) return;
  test.ulps = 256;
  test.of_one = true;
  test.index_limit = 50;
  test.draws = {Draw::kAny};
  for (int a = 1; a < ufunc.arity; ++a) {
    test.draws.push_back(loop.in[a] == DType::kInt64 ? Draw::kIndex : Draw::kUnit);
  }
}

}  // namespace

Cases structure_cases() {
  Cases cases;
  add_flat(cases);
  add_layouts(cases);
  add_bools(cases);
  add_counting(cases);
  add_gathers(cases);
  add_reductions(cases);
  add_scans(cases);
  return cases;
}

namespace {

// The sum over the last axis, or the first, of random numbers; seen as they are, beside another
// place in memory, after a cast, with the numbers kept too, or with a scalar added.
TreePair tree_pair(std::string_view what, const Dims& extents, const Dims& strides, int kept,
                   int64_t run, DType dtype) {
  auto plan = [&](bool other) {
    PlanMaker make(extents);
    const bool narrow = other && what == "cast";
    Register x = make.input(narrow ? DType::kInt8 : dtype, strides);
    if (narrow) x = make.cast(x, dtype);
    if (other && what == "kept") make.output(x);
    if (other && what == "negated twice") x = make.op("negative", {make.op("negative", {x})});
    make.reduce("add", x, kept, run);
    return make.finish();
  };
  const std::string name = fmt::format("sum of {} x {}, kept {}", extents[0], extents[1], kept);
  const Draw draw = what == "cast" ? Draw::kSmall : Draw::kUnit;
  TreePair pair{{name, plan(false), {draw}},
                {fmt::format("{}, {}", name, what), plan(true), {draw}}};
  if (what == "elsewhere") pair.other.origins = {3};
  pair.plain.seed = pair.other.seed = name;
  return pair;
}

}  // namespace

std::vector<TreePair> tree_pairs() {
  std::vector<TreePair> pairs;
  for (const char* what : {"elsewhere", "kept", "negated twice", "cast"}) {
    for (DType dtype : {kF32, kF64, kF16}) {
      pairs.push_back(tree_pair(what, {3, 50001}, {50001, 1}, 1, 50001, dtype));
      pairs.push_back(tree_pair(what, {700, 300}, {300, 1}, 1, 300, dtype));
      pairs.push_back(tree_pair(what, {5000, 20}, {20, 1}, 1, 20, dtype));
      pairs.push_back(tree_pair(what, {300, 700}, {1, 300}, 1, 1, dtype));
      pairs.push_back(tree_pair(what, {10, 50001}, {1, 10}, 1, 1, dtype));
    }
  }
  // The same matrix in the other order of memory.
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{90, 600}, {7, 30000}}) {
    for (int64_t run : {int64_t{1}, columns}) {
      TreePair pair = tree_pair("order", {rows, columns}, {columns, 1}, 1, run, kF32);
      pair.other.transpose_input = true;
      pair.other.plan.inputs[0].strides = {1, rows};
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

Cases ufunc_cases() {
  Cases cases;
  for (const Ufunc& ufunc : ufuncs()) {
    for (const UfuncLoop& loop : ufunc.loops) {
      PlanMaker make({4099});
      std::vector<Register> args;
      for (int a = 0; a < ufunc.arity; ++a) args.push_back(make.input(loop.in[a]));
      PlanOp op;
      op.ufunc = ufunc.id;
      op.loop = static_cast<uint16_t>(&loop - ufunc.loops.data());
      op.dtype = loop.out;
      for (int a = 0; a < ufunc.arity; ++a) op.args[a] = args[a];
      PlanCase test{fmt::format("{} {}", ufunc.name, name(loop.in[ufunc.arity - 1])),
                    make.apply(op)};
      set_tolerance(ufunc.name, loop, test);
      set_parameters(ufunc, loop, test);
      cases.push_back(std::move(test));
    }
  }
  for (int from = 0; from < kTypeCodes; ++from) {
    for (int to = 0; to < kTypeCodes; ++to) {
      PlanMaker make({4099});
      const Register x = make.input(dtype_at(from));
      const Register y = make.cast(x, dtype_at(to));
      cases.push_back({fmt::format("{} to {}", name(dtype_at(from)), name(dtype_at(to))),
                       make.output(y).finish()});
    }
  }
  return cases;
}

Cases reduction_cases() {
  Cases cases;
  for (const Reduction& row : reductions()) {
    for (const ReductionLoop& loop : row.loops) {
      PlanMaker make({20, 60});
      make.reduce(row.name, make.input(loop.in), 1, 60);
      cases.push_back({fmt::format("{} of {}", row.name, name(loop.in)),
                       make.finish(),
                       {Draw::kSmall},
                       {},
                       1,
                       1000});
      if (!row.scans) continue;
      PlanMaker scan({20, 60});
      scan.scan(row.name, scan.input(loop.in), 60, {60, 1});
      // A product that leaves the range would depend on where it began.
      const bool rounds = row.name == "multiply" && is_inexact(loop.in);
      cases.push_back({fmt::format("running {} of {}", row.name, name(loop.in)),
                       scan.finish(),
                       {rounds ? Draw::kUnit : Draw::kSmall},
                       {},
                       1,
                       1000});
    }
  }
  return cases;
}

}  // namespace gpy::rt::test
