#include "runtime/kernel/raw_kernel.h"

#include <fmt/format.h>

#include <array>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/evaluate.h"
#include "runtime/kernel/check_number.h"
#include "runtime/kernel/cuda_source.h"
#include "runtime/ops/create.h"

namespace gpy::rt {

namespace {

struct NamedType {
  std::string_view text;
  DType dtype;
};

constexpr NamedType kTypes[] = {
    {"bool", DType::kBool},
    {"char", DType::kInt8},
    {"signed char", DType::kInt8},
    {"int8_t", DType::kInt8},
    {"int8", DType::kInt8},
    {"unsigned char", DType::kUInt8},
    {"uint8_t", DType::kUInt8},
    {"uint8", DType::kUInt8},
    {"short", DType::kInt16},
    {"int16_t", DType::kInt16},
    {"int16", DType::kInt16},
    {"unsigned short", DType::kUInt16},
    {"uint16_t", DType::kUInt16},
    {"uint16", DType::kUInt16},
    {"int", DType::kInt32},
    {"int32_t", DType::kInt32},
    {"int32", DType::kInt32},
    {"unsigned", DType::kUInt32},
    {"unsigned int", DType::kUInt32},
    {"uint32_t", DType::kUInt32},
    {"uint32", DType::kUInt32},
    {"long", DType::kInt64},
    {"long long", DType::kInt64},
    {"int64_t", DType::kInt64},
    {"int64", DType::kInt64},
    {"ptrdiff_t", DType::kInt64},
    {"unsigned long", DType::kUInt64},
    {"unsigned long long", DType::kUInt64},
    {"uint64_t", DType::kUInt64},
    {"uint64", DType::kUInt64},
    {"size_t", DType::kUInt64},
    {"half", DType::kFloat16},
    {"__half", DType::kFloat16},
    {"float16", DType::kFloat16},
    {"__nv_bfloat16", DType::kBFloat16},
    {"nv_bfloat16", DType::kBFloat16},
    {"bfloat16", DType::kBFloat16},
    {"float", DType::kFloat32},
    {"float32", DType::kFloat32},
    {"double", DType::kFloat64},
    {"float64", DType::kFloat64},
    {"complex<float>", DType::kComplex64},
    {"complex64", DType::kComplex64},
    {"float2", DType::kComplex64},
    {"complex<double>", DType::kComplex128},
    {"complex128", DType::kComplex128},
    {"double2", DType::kComplex128},
};

std::optional<DType> c_dtype(std::string_view type) {
  for (const NamedType& each : kTypes) {
    if (each.text == type) return each.dtype;
  }
  return std::nullopt;
}

std::vector<std::string_view> split_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

RawParameter parse_raw_parameter(std::string_view text) {
  RawParameter out;
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_name_char(c)) {
      const size_t start = i;
      while (i < text.size() &&
             (is_name_char(text[i]) || text[i] == ':' || text[i] == '<' || text[i] == '>'))
        ++i;
      words.emplace_back(text.substr(start, i - start));
    } else {
      out.pointer |= c == '*' || c == '[' || c == '&';
      ++i;
    }
  }
  std::erase_if(words, [&](const std::string& word) {
    out.constant |= word == "const";
    return word == "const" || word == "__restrict__" || word == "volatile" || word == "struct";
  });
  if (words.size() > 1) {
    out.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) out.type += (out.type.empty() ? "" : " ") + word;
  out.dtype = c_dtype(out.type);
  return out;
}

}  // namespace

std::vector<RawParameter> parse_raw_parameters(std::string_view text) {
  const std::string clean = without_comments(text);
  std::vector<RawParameter> out;
  for (std::string_view part : split_commas(clean)) {
    const RawParameter parameter = parse_raw_parameter(part);
    if (!parameter.type.empty() && parameter.type != "void") out.push_back(parameter);
  }
  return out;
}

std::optional<std::vector<RawParameter>> find_raw_parameters(std::string_view source,
                                                             std::string_view name) {
  for (const KernelDeclaration& kernel : find_kernels(source)) {
    if (kernel.name == name) return parse_raw_parameters(kernel.parameters);
  }
  return std::nullopt;
}

RawModule::RawModule(std::string source, std::string name, std::vector<std::string> options)
    : source_(std::move(source)), name_(std::move(name)), options_(std::move(options)) {}

std::shared_ptr<UserFunction> RawModule::function(Session& session, Place place,
                                                  const std::string& name) {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<UserFunction>& function = functions_[fmt::format("{}:{}", place, name)];
  if (function) return function;
  std::shared_ptr<UserModule>& module = modules_[place];
  if (!module) module = session.backend(place).user_kernels().compile(source_, name_, options_);
  return function = module->function(name);
}

RawKernel::RawKernel(std::shared_ptr<RawModule> module, std::string name, bool checked)
    : module_(std::move(module)),
      name_(std::move(name)),
      checked_(checked),
      parameters_(find_raw_parameters(module_->source(), name_)) {}

void RawKernel::compile(Session& session, Space space) {
  const InterruptScope scope(session.interrupt);
  module_->function(session, session.place_of(space), name_);
}

namespace {

void check_array(const std::string& kernel, size_t i, const RawParameter& parameter,
                 const Array& array) {
  if (!parameter.pointer && array.rank() > 0) {
    fail(ErrorKind::kType, "{}: {} is of type {}, but an array was passed", kernel,
         argument_text(i, parameter.name), parameter.type);
  }
  if (!parameter.pointer) return;
  if (parameter.dtype && *parameter.dtype != array.dtype()) {
    fail(ErrorKind::kType,
         "{}: {} points to {}, but the array is {}: convert it with .astype('{}')", kernel,
         argument_text(i, parameter.name), parameter.type, name(array.dtype()),
         name(*parameter.dtype));
  }
  if (!is_c_contiguous(array.layout())) {
    fail(ErrorKind::kValue, "{}: {} must be C-contiguous (shape {}, strides {}): pass a copy()",
         kernel, argument_text(i, parameter.name), tuple_text(array.shape()),
         tuple_text(array.strides()));
  }
  if (!parameter.constant && !array.writeable()) {
    fail(ErrorKind::kValue, "{}: {} is written, but the array is read-only", kernel,
         argument_text(i, parameter.name));
  }
}

}  // namespace

DType RawKernel::dtype_of(size_t i, const Scalar& number) const {
  const bool known = parameters_ && i < parameters_->size();
  const RawParameter* parameter = known ? &(*parameters_)[i] : nullptr;
  if (!parameter || !parameter->dtype || parameter->pointer) return number.dtype();
  if (checked_) {
    check_number(name_, i, parameter->name, parameter->type, *parameter->dtype, number);
  }
  return *parameter->dtype;
}

void RawKernel::check(std::span<const Operand> arguments) const {
  if (!parameters_) return;
  if (checked_ ? arguments.size() != parameters_->size() : arguments.size() < parameters_->size()) {
    fail(ErrorKind::kType, "{}() takes {} argument{} but {} {} given", name_, parameters_->size(),
         parameters_->size() == 1 ? "" : "s", arguments.size(),
         arguments.size() == 1 ? "was" : "were");
  }
  for (size_t i = 0; checked_ && i < arguments.size(); ++i) {
    const RawParameter& parameter = (*parameters_)[i];
    if (arguments[i].is_array()) {
      check_array(name_, i, parameter, arguments[i].array());
    } else if (parameter.pointer) {
      fail(ErrorKind::kType, "{}: {} is a pointer: pass an array", name_,
           argument_text(i, parameter.name));
    }
  }
}

namespace {

// Storage for every argument's value, and the addresses that a launch takes.
class Packed {
 public:
  explicit Packed(size_t count) : values_(count), addresses_(count) {
    for (size_t i = 0; i < count; ++i) addresses_[i] = values_[i].data();
  }
  std::byte* value(size_t i) { return values_[i].data(); }
  std::span<void* const> addresses() const { return addresses_; }

 private:
  std::vector<std::array<std::byte, 16>> values_;
  std::vector<void*> addresses_;
};

bool one_number(const Operand& argument, const RawParameter* parameter) {
  if (!argument.is_array()) return true;
  return argument.array().is_scalar() ||
         (parameter && !parameter->pointer && argument.array().rank() == 0);
}

// A number for a pointer may be the address of an array, whose content somebody still wants to
// read.
bool may_have_address(std::span<const Operand> arguments,
                      const std::optional<std::vector<RawParameter>>& parameters) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool known = parameters && i < parameters->size();
    if (!arguments[i].is_array() && (!known || (*parameters)[i].pointer)) return true;
  }
  return false;
}

}  // namespace

void RawKernel::launch(Session& session, const LaunchShape& shape,
                       std::span<const Operand> arguments, Space space) {
  check(arguments);
  const InterruptScope scope(session.interrupt);
  const Place place = session.place_of(space);
  const std::shared_ptr<UserFunction> function = module_->function(session, place, name_);
  if (may_have_address(arguments, parameters_)) launch_pending(session, place);
  Packed packed(arguments.size());
  std::vector<LentMemory> lent;
  lent.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const RawParameter* parameter =
        parameters_ && i < parameters_->size() ? &(*parameters_)[i] : nullptr;
    if (one_number(arguments[i], parameter)) {
      const Scalar number =
          arguments[i].is_array() ? item(session, arguments[i].array()) : arguments[i].scalar();
      number.store(dtype_of(i, number), packed.value(i));
      continue;
    }
    const Array& array = arguments[i].array();
    if (array.space().is_host() && space.is_device())
      fail(ErrorKind::kType, "Unsupported type <class 'numpy.ndarray'>");
    const bool read = parameter && parameter->pointer && parameter->constant;
    const auto use = read ? LentMemory::Use::kRead : LentMemory::Use::kWrite;
    const void* address = lent.emplace_back(session, array, place, use).address();
    std::memcpy(packed.value(i), &address, sizeof(address));
  }
  function->launch({.grid = shape.grid,
                    .block = shape.block,
                    .shared_bytes = shape.shared_bytes,
                    .arguments = packed.addresses(),
                    .catches_faults = session.catches_kernel_faults});
}

}  // namespace gpy::rt
