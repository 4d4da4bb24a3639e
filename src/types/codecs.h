#pragma once
// The encodings: each has functions that write and read one character. Characters and bytes that do
// not fit are handled in text_codec.cpp.

#include <string>
#include <string_view>

namespace gpy {

// One step of reading: a character and the bytes it took, or the problem and the bytes at fault.
struct Decoded {
  char32_t character;
  size_t used;
  const char* problem = nullptr;
};

struct Codec {
  const char* name;                             // in messages
  const char* decode_name;                      // the same, when reading
  const char* misfit;                           // why a character cannot be written
  std::string_view mark;                        // written in front, and dropped when read
  bool (*put)(std::string& bytes, char32_t c);  // false: it does not fit
  Decoded (*take)(std::string_view bytes, size_t at);
  bool is_unicode;  // holds everything but surrogates
  size_t unit;      // bytes that it writes at a time; if one, an error names a whole run of misfits
};

// Null for an unknown name.
const Codec* find_codec(std::string_view name);
// The codec to read `bytes` with: of two byte orders the one that the mark in front asks for, and
// the mark's length.
struct Reading {
  const Codec& codec;
  size_t mark;
};
Reading codec_for_reading(const Codec& codec, std::string_view bytes);

}  // namespace gpy
