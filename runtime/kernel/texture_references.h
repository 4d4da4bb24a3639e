#pragma once

// Texture references, which CUDA 12 has no more: `texture<float, 2> t;`, read by tex2D(t, x, y).
// In today's text such a variable is a constant that holds a texture object.

#include <string>

namespace gpy::rt {

// The text with its texture and surface references as variables of that kind, by their names.
std::string with_texture_references(const std::string& source);

// Whether a text, comments aside, is about textures or surfaces.
bool names_textures(const std::string& source);

}  // namespace gpy::rt
