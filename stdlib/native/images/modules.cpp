// matplotlib's functions on pictures. imshow and show draw in a terminal; where there is none, show
// says how to write a file instead.
#include <unistd.h>

#include "runtime/io/image.h"
#include "runtime/ops/create.h"
#include "src/array/read_arguments.h"
#include "src/typed_native.h"
#include "src/types/paths.h"
#include "stdlib/native/images/open.h"
#include "stdlib/native/images/picture.h"
#include "stdlib/native/numpy/host_arrays.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/layouts.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// The picture that imshow was last given, until show draws it.
struct Figure : Object {
  static constexpr ObjectLayout kLayout = kImageLayout;
  Figure(Type* type, Picture picture) : Object(type), picture(std::move(picture)) {}
  Picture picture;
};

Str* figure_key(Interpreter& vm) { return vm.intern("_figure"); }

Module& pyplot(Interpreter& vm) { return *vm.import_module("matplotlib.pyplot").as<Module>(); }

// PNG gives floats of 0 .. 1, as in matplotlib; other formats give their integers.
Value imread(Interpreter& vm, const Value& fname, const Value&) {
  const std::string path = path_text(vm, fname);
  const rt::Image image = rt::read_image(path);
  const rt::Array pixels = array_of_host(vm, image.pixels, rt::Space::host());
  if (!path.ends_with(".png") && !path.ends_with(".PNG")) return wrap_array(vm, pixels);
  const rt::Array floats = rt::astype(session(vm), pixels, rt::DType::kFloat32);
  return wrap_array(
      vm, ops::divide(vm, floats, rt::Scalar::weak(static_cast<int64_t>(image.max_value))));
}

void write_picture(Interpreter& vm, std::string path, const Picture& picture, const Value& format) {
  if (is_given(format)) {
    const std::string suffix = "." + std::string(vm.to_text(format, "format"));
    if (!path.ends_with(suffix)) path += suffix;
  } else if (path.find('.', path.rfind('/') + 1) == std::string::npos) {
    path += ".png";
  }
  const bool opaque_only = path.ends_with(".ppm") || path.ends_with(".pnm");
  std::vector<uint8_t> pixels = picture.pixels;
  int64_t channels = 4;
  if (opaque_only) {
    pixels.clear();
    channels = 3;
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
      if (i % 4 != 3) pixels.push_back(picture.pixels[i]);
    }
  }
  rt::write_image(path, {rt::DType::kUInt8,
                         {picture.rows, picture.cols, channels},
                         {picture.cols * channels, channels, 1},
                         pixels.data()});
}

bool starts_below(Interpreter& vm, const Value& origin) {
  if (!is_given(origin)) return false;
  const std::string_view text = vm.to_text(origin, "origin");
  if (text != "upper" && text != "lower") {
    vm.raise_value_error(
        "'{}' is not a valid value for origin; supported values are 'upper', 'lower'", text);
  }
  return text == "lower";
}

Value imsave(Interpreter& vm, const Value& fname, const Value& arr, const Value& vmin,
             const Value& vmax, const Value& cmap, const Value& format, const Value& origin,
             const Value&) {
  Picture picture = picture_of(vm, to_array(vm, arr, kGp), cmap, vmin, vmax);
  if (starts_below(vm, origin)) flip_rows(picture);
  write_picture(vm, path_text(vm, fname), picture, format);
  return Value::none();
}

Value imshow(Interpreter& vm, const Value& array, const Value& cmap, const Value&, const Value&,
             const Value&, const Value&, const Value& vmin, const Value& vmax, const Value& origin,
             const Value&) {
  Picture picture = picture_of(vm, to_array(vm, array, kGp), cmap, vmin, vmax);
  if (starts_below(vm, origin)) flip_rows(picture);
  Type* type = kept_type(vm, "_AxesImage", [&] {
    return vm.make_type<Figure>({.name = "AxesImage", .module = "matplotlib.image"});
  });
  auto figure = vm.make<Figure>(type, std::move(picture));
  pyplot(vm).names->set(figure_key(vm), figure);
  return figure;
}

const Figure* current_figure(Interpreter& vm) {
  const Value* found = pyplot(vm).names->find(figure_key(vm));
  return found ? found->try_as<Figure>() : nullptr;
}

Value show(Interpreter& vm, const Value&) {
  const Figure* figure = current_figure(vm);
  if (!figure) return Value::none();
  if (isatty(STDOUT_FILENO)) {
    vm.write_out(terminal_text(figure->picture, 80));
  } else {
    vm.write_err(
        "gpy: show() draws at a terminal; savefig(path) or imsave(path, array) writes a file\n");
  }
  pyplot(vm).names->erase(figure_key(vm));
  return Value::none();
}

Value savefig(Interpreter& vm, const Value& fname, const Value& format, const Value&) {
  const Figure* figure = current_figure(vm);
  if (!figure) vm.raise_value_error("savefig: there is no picture yet: imshow(array) comes first");
  write_picture(vm, path_text(vm, fname), figure->picture, format);
  return Value::none();
}

Value figure(Interpreter& vm, Args) {
  pyplot(vm).names->erase(figure_key(vm));
  return Value::none();
}

// Titles, axes and colour bars belong to windows, which gpy does not have.
Value nothing(Interpreter&, Args) { return Value::none(); }

const Native kFunctions[] = {
    {"imread", "(fname, format=None)", typed<imread>,
     "A picture as an array; PNG as floats of 0 to 1."},
    {"imsave", "(fname, arr, vmin=None, vmax=None, cmap=None, format=None, origin=None, dpi=100)",
     typed<imsave>, "Writes an array as a picture; a matrix through a colormap."},
    {"imshow",
     "(X, cmap=None, norm=None, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None, "
     "origin=None, **kwargs)",
     typed<imshow>, "The picture that show draws next."},
    {"show", "(block=None)", typed<show>, "Draws the picture in the terminal."},
    {"savefig", "(fname, format=None, **kwargs)", typed<savefig>,
     "Writes the picture of imshow to a file."},
    {"figure", "(*args, **kwargs)", figure, "Begins a new picture."},
    {"close", "(*args)", figure, "Forgets the picture."},
    {"title", "(*args, **kwargs)", nothing, "Nothing: there is no window."},
    {"axis", "(*args, **kwargs)", nothing, "Nothing: there is no window."},
    {"colorbar", "(*args, **kwargs)", nothing, "Nothing: there is no window."},
};

const Native kImageFunctions[] = {kFunctions[0], kFunctions[1]};

Value open_pyplot(Interpreter& vm) { return vm.make_module("matplotlib.pyplot", kFunctions); }
Value open_pylab(Interpreter& vm) { return vm.make_module("pylab", kFunctions); }
Value open_image(Interpreter& vm) { return vm.make_module("matplotlib.image", kImageFunctions); }

Value find_part(Interpreter& vm, Module&, Str* name) {
  if (name->view() == "pyplot") return vm.import_module("matplotlib.pyplot");
  if (name->view() == "image") return vm.import_module("matplotlib.image");
  return Value();
}

Value open_matplotlib(Interpreter& vm) {
  Ref<Module> package = vm.make_module("matplotlib");
  package->missing = find_part;
  return package;
}

}  // namespace

void register_image_modules(Interpreter& vm) {
  vm.register_module("matplotlib", open_matplotlib);
  vm.register_module("matplotlib.pyplot", open_pyplot);
  vm.register_module("matplotlib.image", open_image);
  vm.register_module("pylab", open_pylab);
}

}  // namespace gpy::lib
