#pragma once
// Text to bytes and back: utf-8, utf-16, utf-32, ascii, latin-1, cp1252.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

// `errors`: strict, ignore, replace, backslashreplace, xmlcharrefreplace, surrogateescape,
// surrogatepass. LookupError for an unknown encoding, UnicodeEncodeError and UnicodeDecodeError for
// characters and bytes that do not fit.
std::string encode_text(Interpreter& vm, std::string_view text, std::string_view encoding,
                        std::string_view errors);
// UnicodeEncodeError for a surrogate, which standard output cannot encode.
void check_writable(Interpreter& vm, std::string_view text);
// The result is always generalized UTF-8.
std::string decode_text(Interpreter& vm, std::string_view bytes, std::string_view encoding,
                        std::string_view errors);

}  // namespace gpy
