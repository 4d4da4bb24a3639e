#include "src/objects/str.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/state.h"
#include "src/objects/text_offsets.h"

namespace gpy {

// Bytes of plain ASCII at the front, by words.
static size_t ascii_prefix(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if (word & 0x8080808080808080) break;
  }
  return i;
}

static size_t count_code_points(std::string_view text) {
  size_t continuation = 0;
  for (size_t i = ascii_prefix(text); i < text.size(); ++i) {
    continuation += (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  }
  return text.size() - continuation;
}

Ref<Str> Str::allocate(Type* type, size_t bytes, size_t capacity) {
  Interpreter& vm = *type->vm;
  vm.claim(std::max(bytes, capacity));
  size_t block_bytes = sizeof(Str) + std::max(bytes, capacity) + 1;
  bool tracked = type->slots.traverse;
  auto* text = new (vm.heap.allocate(block_bytes, tracked)) Str(type, bytes, block_bytes);
  text->mutable_data()[bytes] = 0;
  return Ref<Str>(text);
}

Ref<Str> Str::make_uninitialised(Interpreter& vm, size_t bytes, size_t capacity) {
  return allocate(vm.types.str, bytes, capacity);
}

Bytes::Bytes(Type* type, std::string data)
    : Object(type), data(std::move(data)), noted_(type->vm->heap) {
  count();
}

void Str::destroy(Object* self) {
  auto* text = static_cast<Str*>(self);
  Heap& heap = text->type->vm->heap;
  size_t bytes = text->block_bytes;
  text->~Str();
  heap.free(text, bytes);
}

void Str::finish() { length = count_code_points(view()); }

// Single characters are made once.
static Ref<Str> make_character(Interpreter& vm, char c) {
  Ref<Str>& known = vm.state().characters[static_cast<size_t>(c)];
  if (!known) {
    known = Str::make_uninitialised(vm, 1);
    known->mutable_data()[0] = c;
  }
  return known;
}

Ref<Str> Str::make(Interpreter& vm, std::string_view utf8) {
  if (utf8.size() == 1 && static_cast<signed char>(utf8[0]) >= 0)
    return make_character(vm, utf8[0]);
  return make_of(vm.types.str, utf8);
}

Ref<Str> Str::make_of(Type* type, std::string_view utf8) {
  Interpreter& vm = *type->vm;
  size_t length = 0;
  in_pieces(
      vm, utf8.size(),
      [&](size_t from, size_t to) { length += count_code_points(utf8.substr(from, to - from)); },
      kPieceBytes);
  const bool is_ascii = length == utf8.size();
  Ref<Str> text = allocate(type, utf8.size(), is_ascii ? 0 : room_with_offsets(utf8.size()));
  copy_bytes(vm, text->mutable_data(), utf8.data(), utf8.size());
  text->length = length;
  return text;
}

int64_t Str::hash() {
  if (cached_hash == -1) cached_hash = hash_bytes(view());
  return cached_hash;
}

// --- positions -----------------------------------------------------------------------------------

// Where positions and bytes differ, the offset of every so many code points is kept behind the
// text, if the block has room for it; between them the text is walked. So indexing a long text
// costs the same wherever it is.
static constexpr size_t kStride = 32;
static constexpr uint16_t kHasOffsets = 1;  // in the object's flags

static size_t offsets_begin(size_t bytes) { return (bytes + 1 + 3) & ~size_t{3}; }

size_t room_with_offsets(size_t bytes) {
  return bytes < kStride ? bytes : offsets_begin(bytes) + (bytes / kStride + 1) * sizeof(uint32_t);
}

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

void forget_offsets(Str& text) { text.flags &= static_cast<uint16_t>(~kHasOffsets); }

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

char32_t decode_utf8(const char*& at) {
  auto byte = [&] { return static_cast<unsigned char>(*at++); };
  char32_t first = byte();
  if (first < 0x80) return first;
  if (first < 0xE0) return (first & 0x1F) << 6 | (byte() & 0x3F);
  if (first < 0xF0) {
    char32_t high = (first & 0x0F) << 12 | (byte() & 0x3F) << 6;
    return high | (byte() & 0x3F);
  }
  char32_t high = (first & 0x07) << 18 | (byte() & 0x3F) << 12;
  high |= (byte() & 0x3F) << 6;
  return high | (byte() & 0x3F);
}

void append_utf8(std::string& text, char32_t c) {
  auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

// Length of the well-formed sequence at the front, or 0.
static size_t sequence_length(std::string_view text) {
  auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  auto continues = [&](size_t i) { return i < text.size() && (at(i) & 0xC0) == 0x80; };
  unsigned char c = at(0);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c < 0xE0) return continues(1) ? 2 : 0;
  if (c >= 0xE0 && c < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (c == 0xE0 && at(1) < 0xA0) return 0;
    return c == 0xED && at(1) >= 0xA0 ? 0 : 3;
  }
  if (c < 0xF0 || c > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if (c == 0xF0 && at(1) < 0x90) return 0;
  return c == 0xF4 && at(1) >= 0x90 ? 0 : 4;
}

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t length = sequence_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace gpy
