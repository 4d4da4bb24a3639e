#include "runtime/cuda/text/parameters.h"

#include <fmt/format.h>

#include <bit>

#include "runtime/cpp_text/names.h"

namespace gpy::rt::cuda {
namespace {

class TextVisitor {
 public:
  TextVisitor(const Plan& plan, const Schedule& schedule) : plan(plan), s(schedule) {}
  const Plan& plan;
  const Schedule& s;
  // Another parameter may follow the struct, at a multiple of 16 as they are packed.
  std::string text = s.walks_grid ? "struct alignas(16) Params {\n" : "struct Params {\n";

  void pointer(Pointer kind, int i) {
    switch (kind) {
      case Pointer::kInput:
        text += fmt::format("  const {}* in{};\n", cpp_memory_type_name(plan.inputs[i].dtype), i);
        break;
      case Pointer::kOutput:
        text += fmt::format("  {}* out{};\n", cpp_memory_type_name(plan.outputs[i].dtype), i);
        break;
      case Pointer::kResult:
        text += fmt::format("  {}* result;\n", cpp_type_name(plan.reduction->dtype));
        break;
      case Pointer::kPartials: text += "  void* partials;\n"; break;
      case Pointer::kCounters: text += "  u32* counters;\n"; break;
    }
  }
  void scalar(int i) {
    text += fmt::format("  alignas(16) {} s{};\n", cpp_type_name(plan.scalars[i]), i);
  }
  void align() {}
  void iota_stride(int i, int d) { text += fmt::format("  {}i64 in{}_s{};\n", first(), i, d); }
  void divisor(int d) {
    text += fmt::format("  {}{} div{};\n", first(), s.wide ? "WideDivisor" : "Divisor", d);
  }
  void extent(int d) { text += fmt::format("  {}ix extent{};\n", first(), d); }
  void number(Number which) {
    static constexpr const char* kNames[] = {"count", "rows", "length", "splits", "split_length"};
    text += fmt::format("  {}ix {};\n", first(), kNames[static_cast<int>(which)]);
  }
  void input_stride(int i, int d) { text += fmt::format("  ix in{}_s{};\n", i, d); }
  void output_stride(int i, int d) { text += fmt::format("  ix out{}_s{};\n", i, d); }
  void result_stride(int d) { text += fmt::format("  ix result_s{};\n", d); }

 private:
  // Numbers begin at a multiple of 16 bytes, wherever the parameters before them end.
  const char* first() {
    const char* prefix = aligned_ ? "" : "alignas(16) ";
    aligned_ = true;
    return prefix;
  }
  bool aligned_ = false;
};

// i / divisor = (umulhi(i, multiplier) + i) >> shift for i < 2^31.
struct Divisor {
  uint32_t divisor, multiplier, shift;
};

Divisor make_divisor(uint32_t divisor) {
  const uint32_t shift = divisor <= 1 ? 0 : 32 - std::countl_zero(divisor - 1);
  const uint64_t multiplier = ((uint64_t{1} << 32) * ((uint64_t{1} << shift) - divisor)) / divisor;
  return {divisor, static_cast<uint32_t>(multiplier + 1), shift};
}

class PackVisitor {
 public:
  PackVisitor(const Plan& plan, const Schedule& schedule, const Bindings& bindings, void* partials,
              void* counters, ParameterBlock& block)
      : plan(plan),
        s(schedule),
        bindings(bindings),
        partials(partials),
        counters(counters),
        block(block) {}

  void pointer(Pointer kind, int i) {
    switch (kind) {
      case Pointer::kInput: return block.put(bindings.inputs[i]);
      case Pointer::kOutput: return block.put(bindings.outputs[i]);
      case Pointer::kResult: return block.put(bindings.outputs.back());
      case Pointer::kPartials: return block.put(partials);
      case Pointer::kCounters: return block.put(counters);
    }
  }
  void scalar(int i) { block.put(bindings.scalars[i]); }
  void align() { block.align(16); }
  void iota_stride(int i, int d) { block.put(plan.inputs[i].strides[d]); }
  void divisor(int d) {
    const int64_t divisor = std::max<int64_t>(s.divisor(plan, d), 1);
    if (s.wide) return block.put(divisor);
    const Divisor magic = make_divisor(static_cast<uint32_t>(divisor));
    block.put(magic.divisor);
    block.put(magic.multiplier);
    block.put(magic.shift);
  }
  void extent(int d) { index(plan.extents[d]); }
  void number(Number which) {
    const int64_t numbers[] = {s.count, s.rows, s.length, s.splits, s.split_length};
    index(numbers[static_cast<int>(which)]);
  }
  void input_stride(int i, int d) { index(plan.inputs[i].strides[d]); }
  void output_stride(int i, int d) { index(plan.outputs[i].strides[d]); }
  void result_stride(int d) { index(plan.reduction->strides[d]); }

 private:
  void index(int64_t value) {
    if (s.wide) return block.put(value);
    block.put(static_cast<int32_t>(value));
  }

  const Plan& plan;
  const Schedule& s;
  const Bindings& bindings;
  void* partials;
  void* counters;
  ParameterBlock& block;
};

}  // namespace

bool passes_stride(const Schedule& s, Access access, int dim) {
  switch (access) {
    case Access::kOnce:
    case Access::kIota: return false;
    case Access::kVector:  // without vectors: the whole nest is contiguous
      return s.vectors && dim != s.vector_dim;
    case Access::kRepeat: return dim != s.vector_dim;
    case Access::kStrided:
    case Access::kGather:
    case Access::kTiled: return true;
  }
  return true;
}

std::string parameter_text(const Plan& plan, const Schedule& schedule) {
  TextVisitor visitor(plan, schedule);
  visit_parameters(plan, schedule, visitor);
  return visitor.text + "};\n";
}

std::span<const std::byte> ParameterBlock::pack(const Plan& plan, const Schedule& schedule,
                                                const Bindings& bindings, void* partials,
                                                void* counters) {
  bytes_.clear();
  end_ = 0;
  visit_parameters(plan, schedule,
                   PackVisitor(plan, schedule, bindings, partials, counters, *this));
  align(16);
  packed_ = end_;
  return {bytes_.data(), packed_};
}

std::span<const std::byte> ParameterBlock::bind(const Plan& plan, const Schedule& schedule,
                                                const Bindings& bindings, void* partials,
                                                void* counters) {
  end_ = 0;
  visit_bindings(plan, schedule, PackVisitor(plan, schedule, bindings, partials, counters, *this));
  return {bytes_.data(), packed_};
}

std::span<const std::byte> ParameterBlock::with_blocks(uint32_t blocks) {
  end_ = packed_;
  put(blocks);
  return {bytes_.data(), end_};
}

}  // namespace gpy::rt::cuda
