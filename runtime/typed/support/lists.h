// Lists that a function on the host makes, and what it prints.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__) && !defined(_GPY_GRID)

template <class T> struct ListBody {
  T* items;
  i64 count, room;
  Record* record;  // of the caller's; null: it is new
};
// Items lie bit by bit as they are: what their handles hold is not where they are. All bits 0 are
// an item that holds nothing.
template <class T> static inline void end_item(T& item) {
  if constexpr (!__has_trivial_destructor(T)) item.~T();
}
template <class T> static inline void move_items(T* to, const T* from, i64 count) {
  __builtin_memmove((void*)to, (const void*)from, u64(count) * sizeof(T));
}

// All copies of a list are one list.
template <class T> struct List : Handle<List<T>> {
  using Handle<List<T>>::Handle;
  typedef ListBody<T> Body;
  // The block of the items is noted behind the body.
  static void end_content(Body& body) {
    for (i64 i = 0; i < body.count; ++i) end_item(body.items[i]);
    end_block(*(Block**)(&body + 1));
  }
  ListBody<T>& body() const { return *(ListBody<T>*)elements_of(this->block); }
  T& at(i64 index) const { return body().items[index]; }
  i64 size() const { return body().count; }
};
template <class T> static inline void give_room(const List<T>& list, i64 room) {
  ListBody<T>& body = list.body();
  if (room <= body.room) return;
  Block* block = allocate(room * i64(sizeof(T)), false);
  T* items = (T*)elements_of(block);
  move_items(items, body.items, body.count);
  Block*& old = *(Block**)(&body + 1);
  if (old) end_block(old);
  old = block;
  body.items = items;
  body.room = room;
}
template <class T> static inline List<T> empty_list(i64 room) {
  List<T> out;
  out.block = allocate(sizeof(ListBody<T>) + sizeof(Block*), true);
  give_room(out, room < 4 ? 4 : room);
  return out;
}
template <class T, class X> static inline void list_append(const List<T>& list, const X& item) {
  ListBody<T>& body = list.body();
  const T copy = T(item);
  if (__builtin_expect(body.count == body.room, 0)) give_room(list, 2 * body.room);
  if constexpr (!__has_trivial_destructor(T))
    __builtin_memset((void*)(body.items + body.count), 0, sizeof(T));
  body.items[body.count++] = copy;
}
template <class T, class... X> static inline List<T> list_of(X... items) {
  List<T> out = empty_list<T>(sizeof...(items));
  (list_append(out, items), ...);
  return out;
}
template <class T> static inline i64 list_size(const List<T>& list) { return list.size(); }
template <class T> static inline i64 list_index(const List<T>& list, i64 index) {
  const i64 at = from_end(index, list.size());
  if (__builtin_expect(at < 0 || at >= list.size(), 0)) fail(kListIndex);
  return at;
}
template <class T> static inline void list_erase(const List<T>& list, i64 at) {
  ListBody<T>& body = list.body();
  end_item(body.items[at]);
  --body.count;
  move_items(body.items + at, body.items + at + 1, body.count - at);
}
template <class T> static inline void list_delete(const List<T>& list, i64 index) {
  list_erase(list, list_index(list, index));
}
template <class T> static inline T list_pop(const List<T>& list, i64 index) {
  if (list.size() == 0) fail(kEmptyList);
  const i64 at = list_index(list, index);
  ListBody<T>& body = list.body();
  const T out = body.items[at];
  list_erase(list, at);
  return out;
}
template <class T, class X>
static inline void list_insert(const List<T>& list, i64 index, const X& item) {
  list_append(list, item);
  ListBody<T>& body = list.body();
  i64 at = from_end(index, body.count - 1);
  at = at < 0 ? 0 : at > body.count - 1 ? body.count - 1 : at;
  const T last = body.items[body.count - 1];
  end_item(body.items[body.count - 1]);
  move_items(body.items + at + 1, body.items + at, body.count - 1 - at);
  if constexpr (!__has_trivial_destructor(T))
    __builtin_memset((void*)(body.items + at), 0, sizeof(T));
  body.items[at] = last;
}
template <class T> static inline void list_clear(const List<T>& list) {
  for (i64 i = 0; i < list.size(); ++i) end_item(list.at(i));
  list.body().count = 0;
}
// list[...], by the numbers of a slice (arrays.h).
template <class T>
static inline List<T> list_slice(const List<T>& list, i64 kind, i64 first, i64 end, i64 step) {
  const i64 numbers[] = {first, end, step};
  const Cut part = cut(int(kind), numbers, list.size());
  List<T> out = empty_list<T>(part.count);
  for (i64 i = 0; i < part.count; ++i) list_append(out, list.at(part.first + i * part.step));
  return out;
}
template <class T> static inline List<T> list_copy(const List<T>& list) {
  List<T> out = empty_list<T>(list.size());
  for (i64 i = 0; i < list.size(); ++i) list_append(out, list.at(i));
  return out;
}
template <class T> static inline i64 list_count(const List<T>& list, const T& item) {
  i64 out = 0;
  for (i64 i = 0; i < list.size(); ++i) out += equal(list.at(i), item);
  return out;
}
template <class T> static inline i64 list_find(const List<T>& list, const T& item) {
  for (i64 i = 0; i < list.size(); ++i) {
    if (equal(list.at(i), item)) return i;
  }
  fail(kNotInList);
}
template <class T> static inline void list_remove(const List<T>& list, const T& item) {
  list_erase(list, list_find(list, item));
}
template <class T> static inline void list_extend(const List<T>& list, const List<T>& other) {
  const i64 count = other.size();
  for (i64 i = 0; i < count; ++i) list_append(list, other.at(i));
}
template <class T> static inline void list_reverse(const List<T>& list) {
  ListBody<T>& body = list.body();
  for (i64 i = 0, j = body.count - 1; i < j; ++i, --j) {
    const T item = body.items[i];
    body.items[i] = body.items[j];
    body.items[j] = item;
  }
}
template <class T> static inline void list_sort(const List<T>& list) {
  merge_sort(list.body().items, list.size(), sorts_before<T>);
}
template <class T> static inline List<T> list_joined(const List<T>& left, const List<T>& right) {
  List<T> out = empty_list<T>(left.size() + right.size());
  list_extend(out, left);
  list_extend(out, right);
  return out;
}
template <class T> static inline List<T> list_repeated(const List<T>& list, i64 times) {
  List<T> out = empty_list<T>(list.size() * (times > 0 ? times : 0));
  for (i64 i = 0; i < times; ++i) list_extend(out, list);
  return out;
}
template <class T, class S> static inline List<T> list_cast(const List<S>& list) {
  List<T> out = empty_list<T>(list.size());
  for (i64 i = 0; i < list.size(); ++i) list_append(out, cast<T>(list.at(i)));
  return out;
}
// np.array of a list, of lists, whose sizes are those of the first ones.
template <class S> struct ListDepth {
  enum { value = 0 };
};
template <class S> struct ListDepth<List<S>> {
  enum { value = 1 + ListDepth<S>::value };
};
template <class S> static inline void note_sizes(const List<S>& list, i64* sizes) {
  sizes[0] = list.size();
  if constexpr (ListDepth<S>::value > 0) {
    if (list.size() > 0) note_sizes(list.at(0), sizes + 1);
  }
}
template <class T, class S>
static inline void put_items(T*& to, const List<S>& list, const i64* sizes) {
  if (list.size() != sizes[0]) fail(kRows);
  for (i64 i = 0; i < list.size(); ++i) {
    if constexpr (ListDepth<S>::value > 0) put_items(to, list.at(i), sizes + 1);
    else *to++ = cast<T>(list.at(i));
  }
}
template <class T, class S> static inline auto array_of_list(const List<S>& list) {
  constexpr int R = ListDepth<List<S>>::value;
  i64 sizes[R] = {};
  note_sizes(list, sizes);
  auto out = make_shaped<T, R>(false, sizes);
  T* to = out.data;
  put_items(to, list, sizes);
  return out;
}
template <class T, class X> static inline bool list_has(const List<T>& list, const X& item) {
  for (i64 i = 0; i < list.size(); ++i) {
    if (equal(list.at(i), T(item))) return true;
  }
  return false;
}
template <class T> static inline bool list_equal(const List<T>& left, const List<T>& right) {
  if (left.size() != right.size()) return false;
  for (i64 i = 0; i < left.size(); ++i) {
    if (!equal(left.at(i), right.at(i))) return false;
  }
  return true;
}
template <class S, class T> static inline S list_sum(const List<T>& list) {
  S out = S(0);
  for (i64 i = 0; i < list.size(); ++i) out = add(out, cast<S>(list.at(i)));
  return out;
}

// The items as words, in a block that the caller reads before it frees the call's, their number,
// and the record of a list of the caller's.
template <class T> struct Words<List<T>> {
  enum { count = 3 };
  static List<T> get(const u64* words) {
    Record* record = (Record*)words[2];
    List<T> out;
    if (!record) return empty_list<T>(0);
    if (record->block) {
      out.block = record->block;
      ++out.block->references;
      return out;
    }
    const u64* content = record->content();
    const u64* items = (const u64*)content[0];
    out = empty_list<T>(i64(content[1]));
    for (u64 i = 0; i < content[1]; ++i)
      list_append(out, Words<T>::get(items + i * Words<T>::count));
    out.body().record = record;
    note_record(record, out.block, give_back);
    return out;
  }
  static void give_back(Record* record) {
    List<T> list;
    list.block = record->block;
    ++list.block->references;
    put_items(record->content(), list);
  }
  static void put(u64* words, const List<T>& list) {
    words[2] = (u64)list.body().record;
    if (!words[2]) put_items(words, list);
  }
  static void put_items(u64* words, const List<T>& list) {
    Block* block = allocate(list.size() * i64(Words<T>::count) * 8, false);
    u64* items = (u64*)elements_of(block);
    for (i64 i = 0; i < list.size(); ++i) Words<T>::put(items + i * Words<T>::count, list.at(i));
    words[0] = (u64)items;
    words[1] = u64(list.size());
  }
};

// --- what is printed -----------------------------------------------------------------------------

// In the order in which it is printed: a kind, and two words of a number.
static inline u64* next_printed() {
  CallFrame* frame = call_frame;
  if (frame->printed_count == frame->printed_room) {
    const i64 room = frame->printed_room ? 2 * frame->printed_room : 64;
    u64* all = (u64*)__builtin_realloc(frame->printed, u64(room) * 3 * 8);
    if (!all) fail(kNoMemory);
    frame->printed = all;
    frame->printed_room = room;
  }
  return frame->printed + 3 * frame->printed_count++;
}
// By the numbers of Printed::Kind.
static inline void print_text(i64 number) {
  u64* words = next_printed();
  words[0] = 0;
  words[1] = u64(number);
}
static inline void print_end() { next_printed()[0] = 1; }
template <class T> static inline void print_number(i64 kind, T number) {
  u64* words = next_printed();
  words[0] = u64(kind);
  Words<T>::put(words + 1, number);
}
#endif
