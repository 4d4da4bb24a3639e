#include "runtime/ops/row_facts.h"

#include <doctest/doctest.h>

#include <set>
#include <string_view>

namespace gpy::rt {

TEST_CASE("each name of a ufunc finds it, and no other one has it") {
  std::set<std::string_view> seen;
  for (const Ufunc& ufunc : ufuncs()) {
    INFO(ufunc.name);
    CHECK(seen.insert(ufunc.name).second);
    CHECK(find_ufunc(ufunc.name) == &ufunc);
    for (std::string_view name : facts_of(ufunc).also) {
      if (name.empty()) continue;
      INFO(name);
      CHECK(seen.insert(name).second);
      CHECK(find_ufunc(name) == &ufunc);
    }
  }
  CHECK(find_ufunc("") == nullptr);
}

TEST_CASE("what a row does not say is as usual") {
  const RowFacts& sine = facts_of(ufunc(Row::sin));
  CHECK(sine.in == kArrayModules);
  CHECK_FALSE(sine.tells_types);
  CHECK(facts_of(ufunc(Row::erf)).in == (kGp | kSpecial));
  CHECK(facts_of(ufunc(Row::philox)).in == kNowhere);
  CHECK(facts_of(ufunc(Row::add)).cost == 1);
  CHECK(facts_of(ufunc(Row::sin)).cost > facts_of(ufunc(Row::floor_divide)).cost);
}

}  // namespace gpy::rt
