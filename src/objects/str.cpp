#include "src/objects/str.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/state.h"

namespace gpy {

// --- making --------------------------------------------------------------------------------------

// Where positions and bytes differ, the offset of every so many code points is kept behind the
// text, if the block has room for it; between them the text is scanned. So indexing a long text
// costs the same at any position.
static constexpr size_t kStride = 32;
static constexpr uint16_t kHasOffsets = 1;  // in the object's flags

static size_t offsets_begin(size_t bytes) { return (bytes + 1 + 3) & ~size_t{3}; }

static size_t room_with_offsets(size_t bytes) {
  return bytes < kStride ? bytes : offsets_begin(bytes) + (bytes / kStride + 1) * sizeof(uint32_t);
}

Ref<Str> Str::allocate(Type* type, size_t bytes, size_t length, size_t capacity) {
  Interpreter& vm = *type->vm;
  const size_t room = std::max(capacity, length == bytes ? bytes : room_with_offsets(bytes));
  vm.claim(room);
  size_t block_bytes = sizeof(Str) + room + 1;
  bool tracked = type->slots.traverse;
  auto* text = new (vm.heap.allocate(block_bytes, tracked)) Str(type, bytes, length, block_bytes);
  text->mutable_data()[bytes] = 0;
  return Ref<Str>(text);
}

Ref<Str> Str::copy_of(Type* type, std::string_view text, size_t length) {
  Ref<Str> copy = allocate(type, text.size(), length);
  copy_bytes(*type->vm, copy->mutable_data(), text.data(), text.size());
  return copy;
}

Ref<Str> Str::make_joined(Interpreter& vm, size_t bytes, size_t length, size_t capacity) {
  return allocate(vm.types.str, bytes, length, capacity);
}

static bool is_ascii_character(std::string_view text) { return text.size() == 1 && text[0] >= 0; }

// Single characters are made once.
Ref<Str> Str::make_character(Interpreter& vm, char c) {
  Ref<Str>& known = vm.state().characters[static_cast<size_t>(c)];
  if (!known) {
    known = allocate(vm.types.str, 1, 1);
    known->mutable_data()[0] = c;
  }
  return known;
}

Ref<Str> Str::make(Interpreter& vm, std::string_view text) {
  if (is_ascii_character(text)) return make_character(vm, text[0]);
  return make_of(vm.types.str, text);
}

// A sequence that the end of a piece cuts counts as the beginning of the next piece.
static MeasuredUtf8 measure_in_pieces(Interpreter& vm, std::string_view text) {
  MeasuredUtf8 all, piece;
  do {
    poll_interrupt(vm);
    piece = measure_utf8(text.substr(all.bytes, kPieceBytes));
    all.bytes += piece.bytes;
    all.code_points += piece.code_points;
  } while (piece.bytes > 0 && all.bytes < text.size());
  return all;
}

Ref<Str> Str::make_of(Type* type, std::string_view text) {
  const MeasuredUtf8 good =
      text.size() <= kPieceBytes ? measure_utf8(text) : measure_in_pieces(*type->vm, text);
  if (good.bytes < text.size()) [[unlikely]]
    return make_of(type, escape_malformed(text));
  return copy_of(type, text, good.code_points);
}

Ref<Str> Str::make_part(Interpreter& vm, std::string_view part, size_t length) {
  if (is_ascii_character(part)) return make_character(vm, part[0]);
  return copy_of(vm.types.str, part, length);
}

Ref<Str> Str::make_part(Interpreter& vm, std::string_view part) {
  size_t length = 0;
  in_pieces(
      vm, part.size(),
      [&](size_t from, size_t to) { length += count_code_points(part.substr(from, to - from)); },
      kPieceBytes);
  return make_part(vm, part, length);
}

bool Str::try_append(const Str& more) {
  if (!is_unshared() || this == &more || bytes + more.bytes > room()) return false;
  std::memcpy(mutable_data() + bytes, more.data(), more.bytes + 1);
  bytes += more.bytes;
  length += more.length;
  cached_hash = -1;
  flags &= static_cast<uint16_t>(~kHasOffsets);
  return true;
}

void Str::destroy(Object* self) {
  auto* text = static_cast<Str*>(self);
  Heap& heap = text->type->vm->heap;
  size_t bytes = text->block_bytes;
  text->~Str();
  heap.free(text, bytes);
}

int64_t Str::hash() {
  if (cached_hash == -1) cached_hash = hash_bytes(view());
  return cached_hash;
}

// --- positions -----------------------------------------------------------------------------------

static const char* step_over(const char* at, size_t code_points) {
  for (; code_points > 0; --code_points) {
    do {
      ++at;
    } while ((*at & 0xC0) == 0x80);
  }
  return at;
}

static uint32_t* offsets_of(const Str& text) {
  const char* begin = text.data() + offsets_begin(text.bytes);
  return reinterpret_cast<uint32_t*>(const_cast<char*>(begin));
}

static void note_offsets(const Str& text) {
  uint32_t* offsets = offsets_of(text);
  const char* at = text.data();
  for (size_t i = 0; i <= text.length / kStride; ++i) {
    offsets[i] = static_cast<uint32_t>(at - text.data());
    if ((i + 1) * kStride <= text.length) at = step_over(at, kStride);
  }
  const_cast<Str&>(text).flags |= kHasOffsets;
}

static bool has_offsets(const Str& text) {
  if (text.flags & kHasOffsets) return true;
  if (text.bytes > UINT32_MAX || text.room() < room_with_offsets(text.bytes)) return false;
  note_offsets(text);
  return true;
}

size_t Str::offset_of(size_t position) const {
  if (is_ascii()) return position;
  const char* at = data();
  if (position >= kStride && has_offsets(*this)) {
    at += offsets_of(*this)[position / kStride];
    position %= kStride;
  }
  return static_cast<size_t>(step_over(at, position) - data());
}

std::string_view Str::slice(size_t from, size_t to) const {
  if (is_ascii()) return view().substr(from, to - from);
  size_t begin = offset_of(from);
  size_t end = to - from < kStride
                   ? static_cast<size_t>(step_over(data() + begin, to - from) - data())
                   : offset_of(to);
  return view().substr(begin, end - begin);
}

// FNV-1a over words, finished with a multiply-shift mix. Nothing has the hash 0, as in CPython.
int64_t hash_bytes(std::string_view bytes) {
  if (bytes.empty()) return 0;
  uint64_t h = 0xcbf29ce484222325ull ^ bytes.size();
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
  }
  uint64_t tail = 0;
  if (left) std::memcpy(&tail, at, left);
  h = (h ^ tail) * 0x9E3779B97F4A7C15ull;
  h = (h ^ h >> 32) * 0xD6E8FEB86659FD93ull;
  h ^= h >> 32;
  auto hash = static_cast<int64_t>(h);
  return hash == -1 ? -2 : hash;
}

// --- bytes ---------------------------------------------------------------------------------------

Bytes::Bytes(Type* type, std::string data)
    : Object(type), data(std::move(data)), noted_(type->vm->heap) {
  count();
}

}  // namespace gpy
