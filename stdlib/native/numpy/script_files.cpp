#include "stdlib/native/numpy/script_files.h"

#include <algorithm>
#include <cstring>

#include "src/memory/pieces.h"

namespace gpy::lib {

// The bytes of one call: what is read or written is held twice for so long.
static constexpr size_t kPiece = size_t{4} << 20;

Value method_of_file(Interpreter& vm, const Value& file, const char* method) {
  if (file.is<Str>() || file.is<Bytes>()) return Value();
  return vm.try_get_attribute(file, vm.intern(method));
}

// The name that open() was given, where the file tells one.
static std::string name_of(Interpreter& vm, const Value& file) {
  const Value name = vm.try_get_attribute(file, vm.intern("name"));
  if (name.is_defined() && name.is<Str>()) return std::string(name.as<Str>()->view());
  return "the file";
}

ScriptInput::ScriptInput(Interpreter& vm, const Value& file)
    : vm_(vm), read_(vm.get_attribute(file, vm.intern("read"))), name_(name_of(vm, file)) {}

size_t ScriptInput::read(void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const size_t wanted = std::min(kPiece, bytes - done);
    const Value got = vm_.call(read_, {Value::integer(static_cast<int64_t>(wanted))});
    if (!got.is<Bytes>()) {
      vm_.raise_type_error("{}: read() must return bytes, not {}", name_, vm_.type_name(got));
    }
    const auto& data = got.as<Bytes>()->data;
    if (data.empty()) break;
    if (data.size() > wanted) {
      vm_.raise_value_error("{}: read({}) returned {} bytes", name_, wanted, data.size());
    }
    std::memcpy(static_cast<char*>(to) + done, data.data(), data.size());
    done += data.size();
  }
  return done;
}

void ScriptOutput::write(const void* from, size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const size_t piece = std::min(kPiece, bytes);
    vm_.call(write_, {vm_.bytes(copy_text(vm_, {at, piece}))});
    at += piece;
    bytes -= piece;
  }
}

static int64_t size_of(Interpreter& vm, const Value& file) {
  vm.call_method(file, "seek", {Value::integer(0), Value::integer(2)});
  return vm.to_index(vm.call_method(file, "tell", {}));
}

ScriptSource::ScriptSource(Interpreter& vm, const Value& file)
    : vm_(vm),
      input_(vm, file),
      seek_(vm.get_attribute(file, vm.intern("seek"))),
      size_(size_of(vm, file)) {}

size_t ScriptSource::read_at(int64_t at, void* to, size_t bytes) {
  vm_.call(seek_, {Value::integer(at)});
  return input_.read(to, bytes);
}

}  // namespace gpy::lib
