#pragma once

// The functions of cairo (LGPL 2.1 or MPL 1.1) that drawing uses, opened when something is first
// drawn, so that one program runs where cairo is missing too. Its binary interface has been the
// same since version 1.10; what is declared here needs no headers of it.

#include "runtime/core/system_library.h"

namespace gpy::rt {

struct cairo_t;
struct cairo_surface_t;
struct cairo_pattern_t;
struct cairo_font_options_t;
struct cairo_text_extents_t {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
};
struct cairo_matrix_t {
  double xx, yx, xy, yy, x0, y0;
};
using cairo_write_func_t = int (*)(void* closure, const unsigned char* data, unsigned length);

#define GPY_CAIRO_FUNCTIONS(X)                                                                    \
  X(const char*, cairo_status_to_string, (int))                                                   \
  X(cairo_surface_t*, cairo_image_surface_create, (int format, int width, int height))            \
  X(cairo_surface_t*, cairo_image_surface_create_for_data,                                        \
    (unsigned char* data, int format, int width, int height, int stride))                         \
  X(unsigned char*, cairo_image_surface_get_data, (cairo_surface_t*))                             \
  X(int, cairo_image_surface_get_stride, (cairo_surface_t*))                                      \
  X(cairo_surface_t*, cairo_svg_surface_create_for_stream,                                        \
    (cairo_write_func_t, void*, double width, double height))                                     \
  X(cairo_surface_t*, cairo_pdf_surface_create_for_stream,                                        \
    (cairo_write_func_t, void*, double width, double height))                                     \
  X(int, cairo_surface_status, (cairo_surface_t*))                                                \
  X(void, cairo_surface_flush, (cairo_surface_t*))                                                \
  X(void, cairo_surface_finish, (cairo_surface_t*))                                               \
  X(void, cairo_surface_destroy, (cairo_surface_t*))                                              \
  X(cairo_t*, cairo_create, (cairo_surface_t*))                                                   \
  X(void, cairo_destroy, (cairo_t*))                                                              \
  X(int, cairo_status, (cairo_t*))                                                                \
  X(void, cairo_save, (cairo_t*))                                                                 \
  X(void, cairo_restore, (cairo_t*))                                                              \
  X(void, cairo_translate, (cairo_t*, double x, double y))                                        \
  X(void, cairo_scale, (cairo_t*, double x, double y))                                            \
  X(void, cairo_rotate, (cairo_t*, double radians))                                               \
  X(void, cairo_new_path, (cairo_t*))                                                             \
  X(void, cairo_new_sub_path, (cairo_t*))                                                         \
  X(void, cairo_move_to, (cairo_t*, double x, double y))                                          \
  X(void, cairo_line_to, (cairo_t*, double x, double y))                                          \
  X(void, cairo_close_path, (cairo_t*))                                                           \
  X(void, cairo_arc, (cairo_t*, double x, double y, double radius, double from, double to))       \
  X(void, cairo_rectangle, (cairo_t*, double x, double y, double width, double height))           \
  X(void, cairo_clip, (cairo_t*))                                                                 \
  X(void, cairo_reset_clip, (cairo_t*))                                                           \
  X(void, cairo_set_source_rgba, (cairo_t*, double red, double green, double blue, double alpha)) \
  X(void, cairo_set_source_surface, (cairo_t*, cairo_surface_t*, double x, double y))             \
  X(cairo_pattern_t*, cairo_get_source, (cairo_t*))                                               \
  X(void, cairo_pattern_set_filter, (cairo_pattern_t*, int))                                      \
  X(void, cairo_pattern_set_extend, (cairo_pattern_t*, int))                                      \
  X(void, cairo_set_antialias, (cairo_t*, int))                                                   \
  X(void, cairo_set_fill_rule, (cairo_t*, int))                                                   \
  X(void, cairo_set_line_width, (cairo_t*, double))                                               \
  X(void, cairo_set_line_cap, (cairo_t*, int))                                                    \
  X(void, cairo_set_line_join, (cairo_t*, int))                                                   \
  X(void, cairo_set_dash, (cairo_t*, const double* lengths, int count, double offset))            \
  X(void, cairo_fill, (cairo_t*))                                                                 \
  X(void, cairo_fill_preserve, (cairo_t*))                                                        \
  X(void, cairo_stroke, (cairo_t*))                                                               \
  X(cairo_font_options_t*, cairo_font_options_create, ())                                         \
  X(void, cairo_font_options_destroy, (cairo_font_options_t*))                                    \
  X(void, cairo_font_options_set_antialias, (cairo_font_options_t*, int))                         \
  X(void, cairo_font_options_set_hint_style, (cairo_font_options_t*, int))                        \
  X(void, cairo_font_options_set_hint_metrics, (cairo_font_options_t*, int))                      \
  X(void, cairo_set_font_options, (cairo_t*, const cairo_font_options_t*))                        \
  X(void, cairo_select_font_face, (cairo_t*, const char* family, int slant, int weight))          \
  X(void, cairo_set_font_size, (cairo_t*, double))                                                \
  X(void, cairo_text_extents, (cairo_t*, const char* text, cairo_text_extents_t*))                \
  X(void, cairo_show_text, (cairo_t*, const char* text))

struct Cairo : SystemLibrary {
  // NotImplemented where the library is not there.
  static const Cairo& get();

#define GPY_CAIRO_MEMBER(result, name, parameters) result(*name) parameters;
  GPY_CAIRO_FUNCTIONS(GPY_CAIRO_MEMBER)
#undef GPY_CAIRO_MEMBER

 private:
  Cairo();
};

}  // namespace gpy::rt
