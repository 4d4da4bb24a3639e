// Iterators over several iterables at once: compress, zip_longest.
#include "src/typed_native.h"
#include "stdlib/native/itertools/itertools.h"

namespace gpy::lib {

namespace {

struct Compress : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Compress(Type* type, Value data, Value selectors)
      : Object(type), data(std::move(data)), selectors(std::move(selectors)) {}
  Value data, selectors;
  template <class F> void each_field(F&& f) { f(data), f(selectors); }
};

struct ZipLongest : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  using Object::Object;
  std::vector<Value> iterators;  // undefined: at its end
  size_t active = 0;
  Value fill;
  Ref<Tuple> row;
  template <class F> void each_field(F&& f) { f(iterators), f(fill), f(row); }
};

}  // namespace

static Value make_compress(Interpreter& vm, Type& cls, const Value& data, const Value& selectors) {
  return vm.make<Compress>(&cls, vm.iterate(data), vm.iterate(selectors));
}

static Value compress_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<Compress>();
  for (;;) {
    Value item = vm.next(it.data);
    if (item.is_undefined()) return item;
    Value selector = vm.next(it.selectors);
    if (selector.is_undefined()) return selector;
    if (vm.truth(selector)) return item;
    vm.poll();
  }
}

static const Native kCompress = {"compress", "(cls, data, selectors)", typed<make_compress>,
                                 "The items whose selector is true."};

static Value make_zip_longest(Interpreter& vm, Type& cls, std::span<const Value> iterables,
                              const Value& fill) {
  auto zip = vm.make<ZipLongest>(&cls);
  for (const Value& each : iterables) zip->iterators.push_back(vm.iterate(each));
  zip->active = zip->iterators.size();
  zip->fill = fill;
  return zip;
}

static Value item_or_fill(Interpreter& vm, ZipLongest& zip, size_t i) {
  if (zip.iterators[i].is_undefined()) return zip.fill;
  Value item = vm.next(zip.iterators[i]);
  if (item.is_defined()) return item;
  zip.iterators[i] = Value();
  --zip.active;
  return zip.fill;
}

static Value zip_longest_next(Interpreter& vm, const Value& self) {
  auto& zip = *self.as<ZipLongest>();
  if (zip.active == 0) return Value();
  Ref<Tuple> row = fresh_tuple(vm, zip.row, zip.iterators.size());
  for (size_t i = 0; i < zip.iterators.size(); ++i) {
    (*row)[i] = item_or_fill(vm, zip, i);
    if (zip.active == 0) return Value();
  }
  return row;
}

static const Native kZipLongest = {"zip_longest", "(cls, /, *iterables, fillvalue=None)",
                                   typed<make_zip_longest>,
                                   "zip to the end of the longest, with fillvalue for what lacks."};

void add_parallel(Interpreter& vm, Module& module) {
  add_iterator<Compress>(vm, module, kCompress, compress_next);
  add_iterator<ZipLongest>(vm, module, kZipLongest, zip_longest_next);
}

}  // namespace gpy::lib
