// Small host arrays computed at once equal the results of plans, bit by bit and stride by stride.

#include "runtime/ops/at_once.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/reduction.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {
namespace {

// A session that computes small arrays at once and one that runs plans, with the same arrays.
struct Twins {
  std::shared_ptr<Runtime> runtime = std::make_shared<Runtime>(DeviceChoice::parse("cpu"));
  Session now{runtime}, planned{runtime};

  Twins() { planned.lazy = false; }

  template <class Make> void check(Make&& make) {
    const std::string one = outcome(now, make), other = outcome(planned, make);
    CHECK(one == other);
  }

 private:
  // dtype, shape, strides and bytes, or the error.
  template <class Make> std::string outcome(Session& session, Make&& make) {
    try {
      const Array result = make(session);
      const Array dense = copy(session, result, 'C');
      const HostRead read(session, dense);
      std::string text(name(result.dtype()));
      text += tuple_text(result.shape()) + tuple_text(result.strides());
      const auto* bytes = reinterpret_cast<const unsigned char*>(read.data());
      for (int64_t i = 0; i < dense.bytes(); ++i) text += fmt::format("{:02x}", bytes[i]);
      return text;
    } catch (const Error& error) {
      return error.message();
    }
  }
};

Array random_array(Session& session, DType dtype, const Dims& shape, uint32_t seed) {
  std::mt19937 engine(seed);
  const int64_t count = element_count(shape);
  std::vector<std::byte> bytes(static_cast<size_t>(count * item_size(dtype)));
  for (int64_t i = 0; i < count; ++i) {
    const double number = static_cast<double>(engine() % 4096) / 64 - (engine() % 3 ? 0 : 30);
    Scalar::weak(dtype == DType::kBool ? double(engine() % 2) : number)
        .store(dtype, bytes.data() + i * item_size(dtype));
  }
  return from_host(session, dtype, shape, bytes.data(), Space::host());
}

enum class Form { kPacked, kEverySecond, kBackwards, kColumn, kTurned };
constexpr Form kForms[] = {Form::kPacked, Form::kEverySecond, Form::kBackwards, Form::kColumn,
                           Form::kTurned};

// An array of 6 x 10 whose memory lies as `form` says; kColumn broadcasts.
Array formed(Session& session, DType dtype, Form form, uint32_t seed) {
  constexpr int64_t rows = 6, cols = 10;
  switch (form) {
    case Form::kPacked: return random_array(session, dtype, {rows, cols}, seed);
    case Form::kColumn: return random_array(session, dtype, {rows, 1}, seed);
    case Form::kTurned: {
      const int64_t order[] = {1, 0};
      return transpose(random_array(session, dtype, {cols, rows}, seed), order);
    }
    default: break;
  }
  SliceIndex every{std::nullopt, std::nullopt, form == Form::kBackwards ? -2 : 2};
  const std::vector<IndexItem> items{SliceIndex{}, every};
  return get_items(session, random_array(session, dtype, {rows, 2 * cols}, seed), items);
}

TEST_CASE("every ufunc gives at once what its plan gives") {
  Twins twins;
  for (const Ufunc& ufunc : ufuncs()) {
    if (ufunc.arity > 2) continue;
    INFO(ufunc.name);
    for (const UfuncLoop& loop : ufunc.loops) {
      for (const Form form : kForms) {
        twins.check([&](Session& session) {
          std::vector<Operand> inputs{formed(session, loop.in[0], form, 1)};
          if (ufunc.arity == 2) inputs.push_back(formed(session, loop.in[1], Form::kPacked, 2));
          return apply(session, ufunc, inputs, {}, Space::host());
        });
      }
    }
  }
}

TEST_CASE("mixed dtypes, numbers and shapes that do not fit") {
  Twins twins;
  for (const char* name : {"add", "less", "divide", "power", "where"}) {
    const Ufunc& ufunc = *find_ufunc(name);
    for (const DType a : {DType::kBool, DType::kUInt8, DType::kInt64, DType::kFloat32}) {
      for (const DType b : {DType::kInt32, DType::kUInt64, DType::kFloat16, DType::kComplex128}) {
        INFO(name, rt::name(a), rt::name(b));
        twins.check([&](Session& session) {
          std::vector<Operand> inputs{formed(session, a, Form::kEverySecond, 1),
                                      formed(session, b, Form::kPacked, 2)};
          if (ufunc.arity == 3)
            inputs.insert(inputs.begin(), formed(session, DType::kBool, Form::kColumn, 3));
          return apply(session, ufunc, inputs, {}, Space::host());
        });
        if (ufunc.arity == 3) continue;
        for (const Scalar& number : {Scalar::weak(int64_t{300}), Scalar::weak(2.5)}) {
          twins.check([&](Session& session) {
            const Operand inputs[] = {formed(session, a, Form::kTurned, 1), number};
            return apply(session, ufunc, inputs, {}, Space::host());
          });
        }
        twins.check([&](Session& session) {
          const Operand inputs[] = {random_array(session, a, {3}, 1),
                                    random_array(session, b, {4}, 2)};
          return apply(session, ufunc, inputs, {}, Space::host());
        });
      }
    }
  }
}

TEST_CASE("results larger than a number's chunk") {
  Twins twins;
  for (const int64_t count : {511, 512, 513, 1025, 4096}) {
    twins.check([&](Session& session) {
      const Array x = random_array(session, DType::kFloat64, {count}, 5);
      const Operand inputs[] = {Scalar::weak(0.3), x};
      return apply(session, *find_ufunc("arctan2"), inputs, {}, Space::host());
    });
  }
}

TEST_CASE("a call keeps its own numbers, whichever were used before") {
  Twins twins;
  for (int i = 0; i < 40; ++i) {
    twins.check([&](Session& session) {
      auto number = [&](int n) {
        const Scalar value = Scalar::of(DType::kFloat64, int64_t{n % 7});
        const Array one = full(session, {}, value, DType::kFloat64, Space::host());
        return broadcast_to(one, Dims{3});
      };
      const Operand condition = random_array(session, DType::kBool, {3}, 1);
      const Operand inputs[] = {condition, number(i), number(i * i + i / 3)};
      return apply(session, *find_ufunc("where"), inputs, {}, Space::host());
    });
  }
}

TEST_CASE("every reduction of all elements") {
  Twins twins;
  for (const Reduction& reduction : reductions()) {
    INFO(reduction.name);
    for (int type = 0; type < kTypeCodes; ++type) {
      for (const Form form : kForms) {
        twins.check([&](Session& session) {
          const Array x = formed(session, dtype_at(type), form, 7);
          if (reduction.is_arg) return arg_reduce(session, reduction, x, std::nullopt, false);
          return reduce(session, reduction, x, {});
        });
      }
    }
  }
  for (const int64_t count : {1, 7, 129, 1025, 4096}) {
    twins.check([&](Session& session) {
      return reduce(session, Fold::add, random_array(session, DType::kFloat32, {count}, 9), {});
    });
  }
}

// `target op= source` where they share memory in every way of three.
TEST_CASE("writes that overlap what is read") {
  Twins twins;
  for (const int64_t shift : {-1, 0, 1}) {
    for (const DType dtype : {DType::kFloat64, DType::kInt8}) {
      twins.check([&](Session& session) {
        const Array x = random_array(session, dtype, {40}, 11);
        auto part = [&](int64_t from) {
          const IndexItem items[] = {SliceIndex{from, from + 30, std::nullopt}};
          return get_items(session, x, items);
        };
        const Array out = part(5);
        UfuncOptions options;
        options.out = &out;
        const Operand inputs[] = {out, part(5 + shift)};
        apply(session, *find_ufunc("add"), inputs, options, Space::host());
        write(session, part(2), part(4));
        write(session, part(8), Scalar::weak(int64_t{3}));
        return x;
      });
    }
  }
}

TEST_CASE("who read before a write keeps the old content") {
  Twins twins;
  twins.check([&](Session& session) {
    const Array x = random_array(session, DType::kFloat64, {20}, 13);
    const Array large =
        full(session, Dims{100000}, Scalar::weak(1.0), DType::kFloat64, Space::host());
    const Array pending =
        ops::add(session, large, item(session, reduce(session, Fold::add, x, {})), Space::host());
    const Array shared = to_space(session, to_space(session, x, Space::automatic()), Space::host());
    write(session, x, Scalar::weak(2.0));
    const IndexItem first[] = {SliceIndex{std::nullopt, 20, std::nullopt}};
    return ops::add(session, get_items(session, pending, first), shared, Space::host());
  });
}

}  // namespace
}  // namespace gpy::rt
