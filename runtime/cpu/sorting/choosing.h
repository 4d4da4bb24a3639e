#pragma once

// Selection by flags on all threads: the count of each piece's chosen elements tells where they go.

#include <cstdint>

#include "runtime/core/thread_pool.h"

namespace gpy::rt {

int64_t count_flags(ThreadPool& threads, const uint8_t* flags, int64_t count);
void write_positions(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t chosen,
                     int64_t* to);
void write_chosen(ThreadPool& threads, const uint8_t* flags, int64_t count, int64_t chosen,
                  const void* elements, int64_t size, void* to);
// Sets numbers[order[i]] to the number of flags before and at i, less 1.
void write_run_numbers(ThreadPool& threads, const uint8_t* firsts, const int64_t* order,
                       int64_t count, int64_t* numbers);

}  // namespace gpy::rt
