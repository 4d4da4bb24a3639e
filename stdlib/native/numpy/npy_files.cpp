// Arrays in .npy files, alone and as members of .npz archives.
#include <algorithm>
#include <optional>

#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"
#include "runtime/io/file.h"
#include "runtime/io/npy.h"
#include "runtime/io/zip.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "src/types/paths.h"
#include "stdlib/native/numpy/file_rows.h"
#include "stdlib/native/numpy/script_files.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {
namespace {

// --- writing -------------------------------------------------------------------------------------

// An array as the bytes of a .npy file.
class NpyContent {
 public:
  NpyContent(Interpreter& vm, const rt::Array& given)
      : fortran_(rt::is_f_contiguous(given.layout()) && !rt::is_c_contiguous(given.layout())),
        array_(rt::astype(session(vm), given, given.dtype(), rt::Casting::kUnsafe, false,
                          fortran_ ? 'F' : 'C')),
        header_(rt::npy_header(array_.dtype(), array_.shape(), fortran_)),
        read_(session(vm), array_) {}

  std::array<std::string_view, 2> pieces() const {
    return {header_,
            {reinterpret_cast<const char*>(read_.data()), static_cast<size_t>(array_.bytes())}};
  }

 private:
  const bool fortran_;
  const rt::Array array_;
  const std::string header_;
  const rt::HostRead read_;
};

// Calls `body` with the output that a name or an open file stands for; a file by name is put in its
// place once it is whole.
template <class Body>
void write_to(Interpreter& vm, const Value& file, std::string_view ending, Body&& body) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  if (Value write = method_of_file(vm, file, "write"); write.is_defined()) {
    ScriptOutput output(vm, std::move(write));
    return body(output);
  }
  std::string path = path_text(vm, file);
  if (!path.ends_with(ending)) path += ending;
  rt::OutputFile output(path);
  body(output);
  output.commit();
}

Value save(Interpreter& vm, const Namespace& names, const Value& file, const Value& source,
           const Value&) {
  const NpyContent content(vm, to_array(vm, source, names));
  write_to(vm, file, ".npy", [&](rt::ByteOutput& output) {
    for (const std::string_view piece : content.pieces()) output.write(piece);
  });
  return Value::none();
}

Value write_npz(Interpreter& vm, const Namespace& names, const Value& file, const Value& arrays,
                bool compresses) {
  write_to(vm, file, ".npz", [&](rt::ByteOutput& output) {
    rt::ZipWriter archive(output);
    for (auto& entry : arrays.as<Dict>()->entries()) {
      if (entry.key.is_undefined()) continue;
      const std::string name = std::string(vm.to_text(entry.key)) + ".npy";
      if (const auto* bytes = entry.value.try_as<Bytes>()) {
        const std::string_view pieces[] = {bytes->data};
        archive.add(name, pieces, compresses);
        continue;
      }
      const NpyContent content(vm, to_array(vm, entry.value, names));
      archive.add(name, content.pieces(), compresses);
    }
    archive.finish();
  });
  return Value::none();
}

// --- reading -------------------------------------------------------------------------------------

rt::Array read_elements(Interpreter& vm, rt::NpyReader& reader, rt::Space space) {
  const rt::NpyHeader& header = reader.header();
  rt::Dims shape = header.shape;
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  rt::Array array = rt::empty(session(vm), shape, header.dtype, rt::Space::host());
  {
    const rt::WriteAccess access(session(vm), array, rt::kHostPlace);
    reader.read(access.data());
  }
  array = rt::to_space(session(vm), array, space);
  return header.fortran_order ? rt::transpose(array) : array;
}

// Elements of a dtype that is none of numbers, from the bytes of the file: the library's other
// kinds of arrays read the dtype.
Value read_other(Interpreter& vm, rt::NpyReader& reader) {
  const Value kinds = arrays(vm).other_kinds(vm);
  const rt::NpyHeader& header = reader.header();
  const Value dtype = vm.call_method(kinds, "dtype_of_npy", {vm.str(header.other)});
  reader.set_item_size(vm.to_index(vm.get_attribute(dtype, "itemsize")));
  const int64_t size = reader.header().byte_count;
  const rt::Array bytes = rt::empty(session(vm), {size}, rt::DType::kUInt8, rt::Space::host());
  {
    const rt::WriteAccess access(session(vm), bytes, rt::kHostPlace);
    reader.read(access.data());
  }
  return vm.call_method(kinds, "of_npy",
                        {wrap_array(vm, bytes), dtype, shape_tuple(vm, header.shape.span()),
                         Value::boolean(header.fortran_order)});
}

// The array that follows the header, in the namespace's space. A device holds numbers alone.
Value read_array(Interpreter& vm, const Namespace& names, rt::ByteInput& input,
                 int64_t max_header) {
  rt::NpyReader reader(input, static_cast<size_t>(std::max<int64_t>(max_header, 0)),
                       !names.is_cupy());
  if (!reader.header().other.empty()) return read_other(vm, reader);
  return wrap_array(vm, read_elements(vm, reader, names.space(session(vm))));
}

constexpr std::string_view kZipMark = "PK\3\4", kEmptyZipMark = "PK\5\6";

// Looks at the first bytes of a file, and gives them again.
class PeekedInput final : public rt::ByteInput {
 public:
  explicit PeekedInput(rt::ByteInput& input) : input_(input), start_(kZipMark.size(), '\0') {
    start_.resize(input.read(start_.data(), start_.size()));
  }
  const std::string& start() const { return start_; }

  const std::string& path() const override { return input_.path(); }
  int64_t left() const override {
    const int64_t left = input_.left();
    return left < 0 ? -1 : left + std::ssize(start_);
  }
  size_t read(void* to, size_t bytes) override {
    const size_t again = start_.copy(static_cast<char*>(to), bytes);
    start_.erase(0, again);
    return again + input_.read(static_cast<char*>(to) + again, bytes - again);
  }

 private:
  rt::ByteInput& input_;
  std::string start_;
};

// None for an archive, of which four bytes have been read.
Value read_npy(Interpreter& vm, const Namespace& names, rt::ByteInput& file, int64_t max_header) {
  PeekedInput input(file);
  if (input.start() == kZipMark || input.start() == kEmptyZipMark) return Value::none();
  if (input.start().empty()) {
    vm.raise(vm.types.eof_error, input.path() + ": the file is empty: no data left in it");
  }
  return read_array(vm, names, input, max_header);
}

Value load_npy(Interpreter& vm, const Namespace& names, const Value& file, int64_t max_header) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  if (method_of_file(vm, file, "read").is_defined()) {
    ScriptInput input(vm, file);
    return read_npy(vm, names, input, max_header);
  }
  rt::InputFile input(path_text(vm, file));
  return read_npy(vm, names, input, max_header);
}

// --- archives ------------------------------------------------------------------------------------

// Names are UTF-8 where they say so; others that are none are Latin-1.
Value name_value(Interpreter& vm, const std::string& name) {
  const Value bytes = vm.bytes(name);
  try {
    return vm.call_method(bytes, "decode", {});
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.value_error)) throw;
  }
  return vm.call_method(bytes, "decode", {vm.str("latin-1")});
}

Value npz_members(Interpreter& vm, const Value& file) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  ScriptSource source(vm, file);
  std::vector<Value> members;
  for (const rt::ZipMember& member : rt::read_zip_directory(source)) {
    const auto number = [](int64_t value) { return Value::integer(value); };
    members.push_back(
        vm.tuple({name_value(vm, member.name), number(member.method), number(member.flags),
                  number(member.crc), number(member.packed_size), number(member.size),
                  number(member.offset)}));
  }
  return vm.list(std::move(members));
}

rt::ZipMember to_member(Interpreter& vm, const Value& value) {
  const std::span<const Value> fields = value.as<Tuple>()->items();
  const auto number = [&](size_t at) { return vm.to_index(fields[at]); };
  return {.name = std::string(vm.to_text(fields[0])),
          .method = static_cast<int>(number(1)),
          .flags = static_cast<int>(number(2)),
          .crc = static_cast<uint32_t>(number(3)),
          .packed_size = number(4),
          .size = number(5),
          .offset = number(6)};
}

Value content_of(Interpreter& vm, rt::ByteInput& input, int64_t size) {
  const rt::Charge room(static_cast<size_t>(size));
  std::string content(static_cast<size_t>(size), '\0');
  content.resize(input.read(content.data(), content.size()));
  return vm.bytes(std::move(content));
}

// An array, or bytes where the member is no .npy file.
Value npz_member(Interpreter& vm, const Namespace& names, const Value& file, const Value& member,
                 int64_t max_header) {
  constexpr std::string_view kNpyMark = "\x93NUM";
  const rt::InterruptScope scope(&vm.interrupt_flag());
  ScriptSource source(vm, file);
  const rt::ZipMember wanted = to_member(vm, member);
  rt::ZipMemberInput content(source, wanted);
  PeekedInput input(content);
  if (input.start() != kNpyMark) return content_of(vm, input, wanted.size);
  return read_array(vm, names, input, max_header);
}

Value npz_bytes(Interpreter& vm, const Value& file, const Value& member) {
  const rt::InterruptScope scope(&vm.interrupt_flag());
  ScriptSource source(vm, file);
  const rt::ZipMember wanted = to_member(vm, member);
  rt::ZipMemberInput content(source, wanted);
  return content_of(vm, content, wanted.size);
}

const Native kFunctions[] = {
    {"save", "(file, arr, allow_pickle=True)", typed<save>, "Writes an array to a .npy file."},
};

const Native kOwnRows[] = {
    {"_load_npy", "(file, max_header_size, /)", typed<load_npy>,
     "The array of a .npy file; None for an archive."},
    {"_write_npz", "(file, arrays, compresses, /)", typed<write_npz>,
     "Writes an archive of a dict's arrays; bytes are members as they stand."},
    {"_npz_members", "(file, /)", typed<npz_members>, "What an open archive's directory tells."},
    {"_npz_member", "(file, member, max_header_size, /)", typed<npz_member>,
     "An archive's array, or the bytes of what is none."},
    {"_npz_bytes", "(file, member, /)", typed<npz_bytes>, "The bytes of a member."},
};

}  // namespace

Family npy_family() { return {.functions = kFunctions}; }

std::span<const Native> own_file_rows() { return kOwnRows; }

}  // namespace gpy::lib
