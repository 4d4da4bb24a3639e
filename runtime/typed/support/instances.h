// Instances of classes whose fields have known types, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__) && !defined(_GPY_GRID)

template <int I> struct PlaceOf {
  template <class T> static auto& get(T& tuple) { return PlaceOf<I - 1>::get(tuple.rest); }
};
template <> struct PlaceOf<0> {
  template <class T> static auto& get(T& tuple) { return tuple.first; }
};

// All copies of a handle are one instance.
template <class... T> struct Instance : Handle<Instance<T...>> {
  using Handle<Instance<T...>>::Handle;
  struct Body {
    Tuple<T...> fields;
    Record* record;  // of the caller's; null: it is new
  };
  static void end_content(Body& body) { body.fields.~Tuple(); }
  Body& body() const { return *(Body*)elements_of(this->block); }
};
// All fields are 0, or arrays of nobody.
template <class... T> static inline Instance<T...> new_instance() {
  typedef typename Instance<T...>::Body Body;
  Instance<T...> out;
  out.block = allocate(sizeof(Body), true);
  return out;
}
template <int I, class... T> static inline auto& field(const Instance<T...>& instance) {
  return PlaceOf<I>::get(instance.body().fields);
}
// An instance that a field may lack.
template <class... T> static inline const Instance<T...>& present(const Instance<T...>& instance) {
  if (__builtin_expect(!instance.block, 0)) fail(kUnset);
  return instance;
}
template <class... T> static inline bool same(const Instance<T...>& x, const Instance<T...>& y) {
  return x.block == y.block;
}

template <class... T> struct Words<Instance<T...>> {
  enum { count = 1 };
  typedef Words<Tuple<T...>> Fields;
  static Instance<T...> get(const u64* words) {
    Record* record = (Record*)words[0];
    if (!record) return {};  // a field that has never been set
    if (record->block) return Instance<T...>(record->block);
    Instance<T...> out = new_instance<T...>();
    out.body().fields = Fields::get(record->content());
    out.body().record = record;
    note_record(record, out.block, give_back);
    return out;
  }
  static void put(u64* words, const Instance<T...>& instance) {
    words[0] = 0;
    if (!instance.block) return;
    if (!instance.body().record) {
      Block* block = allocate(i64(sizeof(Record)) + i64(Fields::count) * 8, true);
      Record* record = (Record*)elements_of(block);
      instance.body().record = record;
      Fields::put(record->content(), instance.body().fields);
    }
    words[0] = (u64)instance.body().record;
  }
  static void give_back(Record* record) {
    Fields::put(record->content(), Instance<T...>(record->block).body().fields);
  }
};
#endif
