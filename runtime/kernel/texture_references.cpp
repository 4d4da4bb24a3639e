#include "runtime/kernel/texture_references.h"

#include <fmt/format.h>

#include <string_view>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kTypes = R"GPY(
#define _GPY_TEXTURE_REFERENCES
template <class T, cudaTextureReadMode> struct _gpy_read_as { typedef T type; };
template <class T, int kAxes = 1, cudaTextureReadMode kMode = cudaReadModeElementType> struct texture {
  unsigned long long object;
};
template <class T, int kAxes = 1> struct surface { unsigned long long object; };
)GPY";

// Small integers that are read as fractions.
constexpr std::string_view kFraction =
    "template <> struct _gpy_read_as<{0}, cudaReadModeNormalizedFloat> {{ typedef float{1} type; "
    "}};\n";

constexpr std::string_view kOfTexture = R"GPY(template <class T, int n, cudaTextureReadMode m>
static __device__ __forceinline__ typename _gpy_read_as<T, m>::type {0}(texture<T, n, m> t, {1}) {{
  return {0}<typename _gpy_read_as<T, m>::type>(t.object, {2});
}}
)GPY";

constexpr std::string_view kOfSurface = R"GPY(template <class V, class T, int n>
static __device__ __forceinline__ void {0}write(V value, surface<T, n> s, {1},
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {{
  {0}write(value, (cudaSurfaceObject_t)s.object, {2}, mode);
}}
template <class V, class T, int n>
static __device__ __forceinline__ void {0}read(V* to, surface<T, n> s, {1},
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {{
  {0}read(to, (cudaSurfaceObject_t)s.object, {2}, mode);
}}
)GPY";

struct Access {
  std::string_view name, parameters, values;
};
constexpr Access kTextures[] = {
    {"tex1Dfetch", "int x", "x"},
    {"tex1D", "float x", "x"},
    {"tex2D", "float x, float y", "x, y"},
    {"tex3D", "float x, float y, float z", "x, y, z"},
    {"tex1DLayered", "float x, int layer", "x, layer"},
    {"tex2DLayered", "float x, float y, int layer", "x, y, layer"},
};
constexpr Access kSurfaces[] = {
    {"surf1D", "int x", "x"},
    {"surf2D", "int x, int y", "x, y"},
    {"surf3D", "int x, int y, int z", "x, y, z"},
    {"surf2DLayered", "int x, int y, int layer", "x, y, layer"},
};

// What today's text declares the references by.
std::string prelude() {
  std::string text(kTypes);
  for (const char* scalar : {"char", "signed char", "unsigned char", "short", "unsigned short"})
    text += fmt::format(fmt::runtime(kFraction), scalar, "");
  for (const char* vector : {"char", "uchar", "short", "ushort"}) {
    for (const int channels : {1, 2, 4}) {
      text += fmt::format(fmt::runtime(kFraction), fmt::format("{}{}", vector, channels), channels);
    }
  }
  for (const auto& [name, parameters, values] : kTextures)
    text += fmt::format(fmt::runtime(kOfTexture), name, parameters, values);
  for (const auto& [name, parameters, values] : kSurfaces)
    text += fmt::format(fmt::runtime(kOfSurface), name, parameters, values);
  return text;
}

constexpr std::string_view kSpaces = " \t\r\n";
constexpr size_t kWordSize = 7;  // of "texture" and "surface"

// The end of the brackets that open at `at`; npos where they do not close.
size_t behind_brackets(std::string_view text, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(') ++depth;
    if (text[at] == '>' || text[at] == ')') --depth;
    if (depth == 0) return at + 1;
  }
  return text.npos;
}

// The last word or mark before `at`; empty behind a line of the preprocessor.
std::string_view before(std::string_view text, size_t at) {
  const size_t last = at == 0 ? text.npos : text.find_last_not_of(kSpaces, at - 1);
  if (last == text.npos) return {};
  const size_t line = text.rfind('\n', last) + 1;  // from 0 where there is none before
  if (text[text.find_first_not_of(kSpaces, line)] == '#') return {};
  size_t first = last;
  while (is_name_char(text[last]) && first > 0 && is_name_char(text[first - 1])) --first;
  return text.substr(first, last + 1 - first);
}

// Whether a declaration may begin at `at`, outside of parameters and expressions.
bool begins_declaration(std::string_view text, size_t at) {
  const std::string_view word = before(text, at);
  return word.empty() || word == ";" || word == "}" || word == "{" || word == "static" ||
         word.find_first_not_of("\"") == word.npos || word == ">";
}

struct Reference {
  size_t begin, end;  // of the type's text
};

// The next variable that is a texture or a surface reference: its type; npos where there is none.
Reference next_reference(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size(); ++at) {
    const bool at_word = at == 0 || !is_name_char(text[at - 1]);
    const std::string_view word = text.substr(at, kWordSize);
    if (!at_word || (word != "texture" && word != "surface")) continue;
    const size_t open = text.find_first_not_of(kSpaces, at + kWordSize);
    if (open == text.npos || text[open] != '<' || !begins_declaration(text, at)) continue;
    const size_t end = behind_brackets(text, open);
    const size_t name = end == text.npos ? end : text.find_first_not_of(kSpaces, end);
    if (name == text.npos || !is_name_char(text[name])) continue;
    const size_t behind = text.find_first_of(";,(){}=", name);
    if (behind != text.npos && (text[behind] == ';' || text[behind] == ',')) return {at, end};
  }
  return {text.npos, text.npos};
}

}  // namespace

// A name for the type: declarations are read word by word elsewhere.
std::string with_texture_references(const std::string& source) {
  if (source.find("texture") == source.npos && source.find("surface") == source.npos) return source;
  const std::string text = without_comments(source);
  std::string out;
  size_t done = 0, count = 0;
  for (Reference next = next_reference(text, 0); next.begin != text.npos;
       next = next_reference(text, next.end)) {
    const std::string name = "_gpy_reference_" + std::to_string(count++);
    const size_t plain =
        before(text, next.begin) == "static" ? text.rfind("static", next.begin) : next.begin;
    out.append(source, done, plain - done);
    out += "typedef " + source.substr(next.begin, next.end - next.begin) + " " + name +
           "; __constant__ " + name;
    done = next.end;
  }
  if (count == 0) return source;
  std::string whole = prelude();
  whole += "\n#line 1 \"<kernel>\"\n";
  whole += out;
  return whole.append(source, done);
}

bool names_textures(const std::string& source) {
  for (const char* word : {"cudaTextureObject_t", "cudaSurfaceObject_t", "tex1D", "tex2D", "tex3D",
                           "surf1D", "surf2D", "surf3D", "cudaReadMode", "cudaBoundaryMode"}) {
    if (source.find(word) != source.npos) return true;
  }
  return false;
}

}  // namespace gpy::rt
