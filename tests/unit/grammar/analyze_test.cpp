// PEGTL's own check of the rules: no rule can loop without consuming.

#include <doctest/doctest.h>

#include <tao/pegtl/contrib/analyze.hpp>

#include "grammar/rules/compounds.h"

namespace gpy::syntax {
namespace {

TEST_CASE("the grammar has no cycle without progress") {
  CHECK_EQ(tao::pegtl::analyze<rules::file>(), 0);
  CHECK_EQ(tao::pegtl::analyze<rules::lone_expression>(), 0);
}

}  // namespace
}  // namespace gpy::syntax
