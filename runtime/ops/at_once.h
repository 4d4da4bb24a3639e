#pragma once

// Small operations on ready content of the host, done when they are made: at a thousand elements
// making a node and a plan costs several times the loop. They take arrays of the host only (gp's
// and cupy's stay lazy), and in a lazy session only: an eager one runs everything by plans, which
// is how the two are compared. The loops are those of plans, and so are the bits.
//
// Each function refuses what is large, pending, elsewhere, wanted by somebody else, or wrong: the
// general path then does it, or says why.

#include <optional>
#include <span>

#include "runtime/session.h"

namespace gpy::rt {

struct Ufunc;
struct UfuncLoop;
struct Reduction;

// False where everything goes by plans.
bool acts_at_once(const Session& session);

// Element 0 of a host array whose content is ready; null for others.
const std::byte* try_elements(const Array& array);

// The loop for arrays of one dtype and Python's numbers beside them; null for everything else.
const UfuncLoop* quick_loop(const Ufunc& ufunc, std::span<const Term> terms);

std::optional<Array> try_apply_at_once(Session& session, const Ufunc& ufunc, const UfuncLoop& loop,
                                       std::span<const Term> terms);
// The same into `out`, which has the loop's dtype.
bool try_store_at_once(Session& session, const Ufunc& ufunc, const UfuncLoop& loop,
                       std::span<const Term> terms, const Array& out);

// A copy of all elements as `dtype`. Orders C and K, where they are the same.
std::optional<Array> try_copy_at_once(Session& session, const Array& array, DType dtype,
                                      char order);

// New arrays of the host: of one number, and of 0, 1, ... as int64.
std::optional<Array> try_fill_at_once(Session& session, const Dims& shape, const Scalar& number,
                                      DType dtype);
std::optional<Array> try_count_at_once(Session& session, const Dims& shape);

// target[...] = source.
bool try_write_at_once(Session& session, const Array& target, const Term& source);

// All elements reduced to one, cast to `dtype` before.
std::optional<Scalar> try_reduce_at_once(Session& session, const Reduction& reduction,
                                         const Array& array, DType dtype);

}  // namespace gpy::rt
