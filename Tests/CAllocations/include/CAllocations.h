#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

// Counts heap allocations of the calling thread, for tests that say how many an operation makes.
//
// Linked into a test program, its malloc family replaces the C library's for the whole process.
// Counts only rise; a test takes the difference of two readings on one thread.

// Whether allocations are counted: not in builds with a sanitizer, which has a malloc of its own.
bool callocations_available(void);

// The calls of malloc, calloc, realloc, aligned_alloc and posix_memalign by this thread so far.
uint64_t callocations_count(void);

// The bytes that they asked for.
uint64_t callocations_bytes(void);

#endif
