#pragma once

// Loops cut into strips. A loop that stores one element each round, the next one of a dense array,
// is cut where a round changes what all of them read, so that this is read once; and of one that
// leaves where a check fails, the checks of a whole strip are made ahead. Compilers write the rest
// in vectors, which they cannot do of a loop that may end anywhere, or that may change what its
// condition reads. A loop that only sums up looks at its sums behind each strip: what was no finite
// number once stays none. Where such a look fails, the strip is run round by round.

#include <optional>
#include <vector>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

struct Strips {
  std::vector<Statement> head;       // what the addresses of a strip's first round are made of
  std::vector<Statement> sweep;      // a round's values without what it stores
  std::vector<Expression> stays;     // what must hold in each round, behind the sweep's
  std::vector<Expression> sums;      // what must hold behind a strip, of a loop without stores
  std::vector<Expression> polls;     // what must hold before a strip
  std::vector<Statement> unchecked;  // a round that need not look
  std::vector<int> own;              // the variables that a round assigns to
  Expression stored;                 // the element that a round stores
  std::vector<Expression> fixed;     // elements that all rounds read
  std::vector<Expression> moving;    // elements that are read one after the other
  bool has_checks() const { return !polls.empty() || !stays.empty(); }
};

// Nothing where rounds might have to be left elsewhere, or might change values of one another.
std::optional<Strips> plan_strips(const Function& function, const Statement& range);

}  // namespace gpy::rt::typed
