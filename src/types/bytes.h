#pragma once
// Shared declarations of the files of bytes and bytearray. A bytearray is a Bytes whose flags say
// that it may change, so every method serves both.

#include <span>
#include <string>
#include <string_view>

#include "src/interpreter.h"
#include "src/types/sequence.h"

namespace gpy {

// The methods of both, by family.
std::span<const Native> bytes_search_methods();
std::span<const Native> bytes_split_methods();
std::span<const Native> bytes_case_methods();
std::span<const Native> bytes_layout_methods();
std::span<const Native> bytes_convert_methods();

// Whether a byte is white space of ASCII.
inline bool is_space_byte(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline std::string& bytes_of(const Value& v) { return v.as<Bytes>()->data; }
bool is_bytearray(const Value& v);
// The result of a method of `self`: bytes, or for a bytearray a new bytearray.
Value bytes_like(Interpreter& vm, const Value& self, std::string data);
// The same, for a result that may be `self` unchanged.
Value bytes_unless_same(Interpreter& vm, const Value& self, std::string_view data);

inline constexpr SequenceWords kBytearrayWords = {"bytearray indices must be integers or slices",
                                                  "bytearray index out of range"};

// TypeError "a bytes-like object is required, not 'int'".
std::string_view bytes_argument(Interpreter& vm, const Value& v);
// ValueError "byte must be in range(0, 256)".
char byte_argument(Interpreter& vm, const Value& v);
std::string zero_bytes(Interpreter& vm, size_t count);
std::string bytes_in_quotes(Interpreter& vm, std::string_view data);  // b'...'
// The contents for bytes(...) and bytearray(...); omitted arguments are undefined.
std::string bytes_from_source(Interpreter& vm, const Value& source, const Value& encoding,
                              const Value& errors, const char* type_name);

// The slots of both.
Value bytes_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other);
int64_t bytes_length(Interpreter& vm, const Value& self);
Value bytes_getitem(Interpreter& vm, const Value& self, const Value& key);
bool bytes_contains(Interpreter& vm, const Value& self, const Value& item);
Value bytes_iter(Interpreter& vm, const Value& self);
Value bytes_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);

}  // namespace gpy
