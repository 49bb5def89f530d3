// CPrefetch: asks the processor for a cache line, which Swift has no way to say.

#ifndef CPREFETCH_H
#define CPREFETCH_H

// Starts loading the cache line of an address, which doesn't have to be valid, for reading.
static inline __attribute__((always_inline)) void prefetch_for_read(const void *_Nullable address) {
  __builtin_prefetch(address, 0, 3);
}

#endif
