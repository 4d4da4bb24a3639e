#include "runtime/kernel/scan_kernel.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write.h"
#include "runtime/kernel/checks/checked_text.h"
#include "runtime/kernel/combining_arguments.h"
#include "runtime/kernel/launch.h"
#include "runtime/kernel/reduction_text.h"
#include "runtime/kernel/scan_text.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

ScanKernel::ScanKernel(ScanText text) : text_(std::move(text)) {
  if (text_.outputs.size() != 1) {
    fail(ErrorKind::kValue, "{}: a scan kernel has one output (got {})", text_.name,
         text_.outputs.size());
  }
}

// The call as rows: the scanned axis is the last.
struct ScanKernel::Rows {
  std::vector<Bound> bound;  // the inputs, then the output
  Dims shape;
  int64_t count = 1, length = 1;
  int64_t parts = 1, share = 1;  // of a row; elements of a part
  bool whole = false;            // a row a thread
};

namespace {

// A GPU's block scans 8 elements a thread. Rows that are short, or enough to fill the device, are
// scanned by a thread each.
constexpr int64_t kGpuShare = 8 * kScanThreads;
constexpr int64_t kShortRow = 32;
constexpr int64_t kManyRows = 1 << 16;
// On the host a part is long enough to be worth its turn on a thread.
constexpr int64_t kHostShare = 1 << 15;
constexpr int64_t kManyHostRows = 16;
constexpr int64_t kMostHostParts = 256;

int64_t quotient(int64_t of, int64_t by) { return (of + by - 1) / by; }

int64_t share_of(bool host, int64_t rows, int64_t length) {
  if (!host) return kGpuShare;
  return rows >= kManyHostRows ? length : std::max(kHostShare, quotient(length, kMostHostParts));
}

Dims order_of(int rank, int64_t axis) {
  Dims order;
  for (int64_t each = 0; each < rank; ++each) {
    if (each != axis) order.push_back(each);
  }
  order.push_back(axis);
  return order;
}

// Each operand as one axis in C order, broadcast to the call's shape.
std::vector<Operand> flattened(Session& session, std::span<const KernelParameter> parameters,
                               std::span<const Operand> inputs, const Dims& shape) {
  std::vector<Operand> out;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_array() || parameters[i].raw) {
      out.push_back(inputs[i]);
      continue;
    }
    const Array& array = inputs[i].array();
    const Array whole = array.with_layout(*try_broadcast(array.layout(), shape));
    out.emplace_back(reshape(session, whole, Dims{element_count(shape)}));
  }
  return out;
}

}  // namespace

void ScanKernel::launch(Session& session, const TypeBinding& types, Rows& rows, bool exclusive,
                        Space space) {
  const NotesHeld notes;
  const Place place = session.place_of(space);
  Backend& backend = session.backend(place);
  const InterruptScope scope(session.interrupt);
  const RecordedWorkOf records(session, space);
  const std::vector<LentMemory> lent = lend_arrays(session, rows.bound, place);
  const bool host = backend.is_host();
  rows.share = share_of(host, rows.count, rows.length);
  rows.parts = quotient(rows.length, rows.share);
  rows.whole = host ? rows.parts == 1 : rows.length <= kShortRow || rows.count >= kManyRows;
  const int64_t bytes =
      text_.type.empty() ? rows.bound.back().array.item_size() : kMostReducedBytes;
  const int64_t jobs = rows.count * rows.parts;
  const Ref<Buffer> partial = backend.allocate(jobs * bytes);
  backend.will_write(*partial);
  std::unique_lock lock(mutex_);
  std::optional<CheckedLaunch> checks = checked_launch(session, place, checked_, rows.bound, lent);
  if (checks) checks->set_combining();
  std::shared_ptr<UserModule>& known =
      compiled_[text_key(place, rows.shape.size(), rows.bound) + (checks ? "c" : "")];
  ArgumentBlock block(!known);
  block.add_int("_rows", rows.count);
  block.add_int("_length", rows.length);
  block.add_int("_parts", rows.parts);
  block.add_int("_share", rows.share);
  block.add_int("_exclusive", exclusive);
  block.add_pointer("_partial", "void", partial->data());
  block.add_ints("_shape", rows.shape);
  add_arguments(rows.bound, lent, block);
  if (!known) {
    const auto text_of = [&](std::span<const Bound> bound, bool) {
      return scan_source(text_, types, bound, block.fields(), rows.shape.size());
    };
    known = compile_version({backend.user_kernels(), text_.name, {}, rows.bound, place, "_apply"},
                            checks.has_value(), text_of, versions_);
  }
  const std::shared_ptr<UserModule> code = known;
  lock.unlock();
  const auto run = [&](const char* entry, int64_t blocks) {
    const auto wide = static_cast<uint32_t>(std::min<int64_t>(blocks, 65535));
    launch_or_record(code->function(entry_name(text_.name) + entry),
                     {.grid = {wide, static_cast<uint32_t>(quotient(blocks, wide))},
                      .block = {host ? 1u : static_cast<uint32_t>(kScanThreads)},
                      .elements = rows.count * rows.length,
                      .catches_faults = session.catches_kernel_faults,
                      .checks = checks ? checks->checks() : nullptr},
                     block.bytes());
  };
  if (rows.whole) {
    run("_rows", std::min<int64_t>(quotient(rows.count, host ? 1 : kScanThreads), 65535));
  } else {
    if (rows.parts > 1) {
      run("_totals", jobs);
      run("_carry", rows.count);
    }
    run("_apply", jobs);
  }
  if (checks) checks->report(text_.name);
}

Array ScanKernel::operator()(Session& session, const ScanCall& call, Space fallback) {
  check_inputs(text_.name, text_.inputs, call.inputs);
  if (call.exclusive && text_.identity.empty())
    fail(ErrorKind::kValue, "{}: an exclusive scan begins with the identity, and there is none",
         text_.name);
  const KernelParameter& output = text_.outputs[0];
  const TypeBinding types = bind_types(text_.name, text_.inputs, output, call.inputs, call.out);
  const Space space = common_space(call.inputs, fallback);
  Dims shape = kernel_shape(text_.inputs, call.inputs);
  std::vector<Operand> inputs = call.inputs;
  int64_t axis = 0;
  if (call.axis) {
    axis = normalize_axis(*call.axis, shape.size());
  } else {
    inputs = flattened(session, text_.inputs, inputs, shape);
    shape = Dims{element_count(shape)};
  }
  if (call.out) check_out_shape(text_.name, output, *call.out, shape);
  const Dims order = order_of(shape.size(), axis);
  Rows rows;
  for (int64_t each : order) rows.shape.push_back(shape[each]);
  rows.length = shape[axis];
  rows.count = element_count(rows.shape.span().first(rows.shape.size() - 1));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const KernelParameter& parameter = text_.inputs[i];
    rows.bound.push_back(bind_arranged(session, parameter, inputs[i], types.dtype_of(parameter),
                                       shape, order, space));
  }
  check_numbers(text_.name, rows.bound);
  const Array result = make_empty(session, types.dtype_of(output), shape, space);
  Bound bound(output, result.dtype());
  bound.output = true;
  bound.array = result.with_layout(arranged(result.layout(), order));
  bound.passing = is_c_contiguous(bound.array.layout()) ? Passing::kDense : Passing::kStrided;
  rows.bound.push_back(std::move(bound));
  if (result.size() > 0) launch(session, types, rows, call.exclusive, space);
  if (!call.out) return result;
  write(session, *call.out, result);
  return *call.out;
}

std::vector<CompiledVersion> ScanKernel::versions() const {
  const std::lock_guard lock(mutex_);
  return versions_;
}

}  // namespace gpy::rt
