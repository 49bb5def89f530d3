// Tells ThreadSanitizer what Swift's Mutex does.
//
// The quick ways through a Mutex are compiled into the callers, where the sanitizer sees their
// atomic operations. The slow ones (somebody else holds it) are in libswiftSynchronization, which
// isn't instrumented: without this, whatever a contended Mutex guards is reported as a race. These
// functions take the place of the library's in a program that is linked with them, and call them.
// Scripts/sanitize.sh links them; no other build knows them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// _MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool, ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void lock_function(uint32_t thread, SELF void *self);
typedef SWIFT bool try_function(SELF void *self);
typedef SWIFT void unlock_function(SELF void *self);

lock_function lock_slow __asm__(LOCK);
try_function try_slow __asm__(TRY);
unlock_function unlock_slow __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *self) {
  lock_function *real = (lock_function *)dlsym(RTLD_NEXT, LOCK);
  real(thread, self);
  __tsan_acquire(self);
}

SWIFT bool try_slow(SELF void *self) {
  try_function *real = (try_function *)dlsym(RTLD_NEXT, TRY);
  bool locked = real(self);
  if (locked) __tsan_acquire(self);
  return locked;
}

SWIFT void unlock_slow(SELF void *self) {
  unlock_function *real = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(self);
  real(self);
}
