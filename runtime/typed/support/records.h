// Lists and instances that a caller hands over: they are filled from its words when they are read,
// and written back at the end.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

// What the caller hands over of a list or an instance, in front of its content.
struct Record {
  Block* block;  // what it has become in this call; null before it is read
  Record* next;  // among those that have been read
  void (*give_back)(Record*);
  u64* content() { return (u64*)(this + 1); }
};
static inline void note_record(Record* record, Block* block, void (*give_back)(Record*)) {
  record->block = block;
  ++block->references;  // for the rest of the call
  record->give_back = give_back;
  record->next = (Record*)call_frame->records;
  call_frame->records = record;
}
static inline void give_back_all() {
  for (Record* each = (Record*)call_frame->records; each; each = each->next) each->give_back(each);
}
#endif
