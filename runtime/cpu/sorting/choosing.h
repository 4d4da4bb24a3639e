#pragma once

// What flags choose, by all threads: each piece's chosen elements are counted, which tells where
// they go.

#include <cstdint>

#include "runtime/cpu/thread_pool.h"

namespace gpy::rt {

int64_t count_flags(ThreadPool& threads, const uint8_t* flags, int64_t count);
void write_positions(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t chosen,
                     int64_t* to);
void write_chosen(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t chosen,
                  const void* elements, int64_t size, void* to);
// numbers[order[i]]: the flags before and at i, less 1.
void write_run_numbers(ThreadPool& threads, const uint8_t* firsts, const int64_t* order,
                       int64_t count, int64_t* numbers);

}  // namespace gpy::rt
