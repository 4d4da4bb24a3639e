// Which loops run in parallel, and which ifs are written without a jump.

#include "runtime/typed/parallel.h"

#include <doctest/doctest.h>

#include "runtime/typed/selection.h"

namespace gpy::rt::typed {
namespace {

const Type kDouble = Type::number(DType::kFloat64);
const Type kInt = Type::number(DType::kInt64);

Expression row(Row which, std::vector<Expression> args) {
  Expression out;
  out.kind = Expression::Kind::kRow;
  out.ufunc = &ufunc(which);
  out.type = kDouble;
  out.args = std::move(args);
  return out;
}

Statement assign(int variable, Expression value) {
  Statement out;
  out.kind = Statement::Kind::kAssign;
  out.variable = variable;
  out.values = {std::move(value)};
  return out;
}

// for i in range(n): the body. Variables: i, n, x, y, total.
struct Loop {
  Function function;
  Statement loop;

  explicit Loop(std::vector<Statement> body) {
    function.variables = {{"i", kInt}, {"n", kInt}, {"x", kDouble}, {"y", kDouble}, {"t", kDouble}};
    loop.kind = Statement::Kind::kRange;
    loop.parallel = true;
    loop.values = {Expression::variable(1, kInt), Expression::variable(1, kInt),
                   Expression::variable(1, kInt)};
    loop.body = std::move(body);
  }
  std::optional<ParallelPlan> plan() const { return plan_parallel(function, loop); }
};

Expression x() { return Expression::variable(2, kDouble); }
Expression y() { return Expression::variable(3, kDouble); }
Expression total() { return Expression::variable(4, kDouble); }

TEST_CASE("a sum is reduced, what it is made of is each thread's own") {
  const Loop loop({assign(3, row(Row::square, {x()})), assign(4, row(Row::add, {total(), y()}))});
  const auto plan = loop.plan();
  REQUIRE(plan);
  CHECK(plan->shared == std::vector{2});
  CHECK(plan->own == std::vector{0, 3});
  REQUIRE(plan->reductions.size() == 1);
  CHECK(plan->reductions[0].variable == 4);
  CHECK(plan->reductions[0].kind == Reduction::Kind::kSum);
}

TEST_CASE("a round that needs another one's value makes a loop serial") {
  CHECK_FALSE(Loop({assign(4, row(Row::multiply, {row(Row::add, {total(), x()}), y()}))}).plan());
  CHECK_FALSE(Loop({assign(3, row(Row::add, {x(), y()})), assign(2, y())}).plan());
  const Loop twice(
      {assign(4, row(Row::add, {total(), x()})), assign(4, row(Row::multiply, {total(), x()}))});
  CHECK_FALSE(twice.plan());
}

TEST_CASE("a loop that is left is serial, one inside of it may be left") {
  Statement leave;
  leave.kind = Statement::Kind::kBreak;
  CHECK_FALSE(Loop({leave}).plan());
  Statement inner;
  inner.kind = Statement::Kind::kWhile;
  inner.values = {Expression::constant(Scalar(true))};
  inner.body = {leave};
  CHECK(Loop({inner}).plan());
}

Statement when(Expression test, Statement inner) {
  Statement out;
  out.kind = Statement::Kind::kIf;
  out.values = {std::move(test)};
  out.body = {std::move(inner)};
  return out;
}

Expression element(int array) {
  Expression out;
  out.kind = Expression::Kind::kElement;
  out.type = kDouble;
  out.args = {Expression::variable(array, Type::array(DType::kFloat64, 1, true)),
              Expression::variable(0, kInt)};
  return out;
}

Statement store(Expression place, Expression value) {
  Statement out;
  out.kind = Statement::Kind::kStore;
  out.values = {std::move(place), std::move(value)};
  return out;
}

TEST_CASE("an if that assigns something cheap is a selection") {
  const Loop loop({});
  const Expression test = row(Row::less, {x(), y()});
  const auto selection =
      try_selection(loop.function, when(test, assign(4, row(Row::add, {x(), y()}))), true);
  REQUIRE(selection);
  CHECK(selection->variable == 4);
  CHECK(selection->values[0].symbol == "selected");
  CHECK_FALSE(try_selection(loop.function, when(test, assign(4, element(2))), true));
  CHECK_FALSE(
      try_selection(loop.function, when(test, assign(4, row(Row::divide, {x(), y()}))), true));
}

TEST_CASE("an element is stored without being asked for only where it has been read") {
  const Loop loop({});
  const Statement seen = when(row(Row::less, {x(), element(2)}), store(element(2), x()));
  CHECK(try_selection(loop.function, seen, true));
  CHECK_FALSE(try_selection(loop.function, seen, false));
  const Statement other = when(row(Row::less, {x(), element(2)}), store(element(3), x()));
  CHECK_FALSE(try_selection(loop.function, other, true));
}

}  // namespace
}  // namespace gpy::rt::typed
