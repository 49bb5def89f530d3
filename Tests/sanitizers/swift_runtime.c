// Tells ThreadSanitizer how Swift's Mutex, tasks and continuations synchronize.
//
// The quick ways through a Mutex are compiled into the callers, where the sanitizer sees their
// atomic operations. The slow ones (somebody else holds it) are in libswiftSynchronization, which
// isn't instrumented: without this, whatever a contended Mutex guards is reported as a race. What
// passes between tasks, and from a continuation to its task, is known to libswift_Concurrency only.
//
// These functions take the place of the libraries' in a program that is linked with them, and call
// them. Scripts/sanitize.sh links them; no other build knows them. Written for Swift 6.2 and 6.3.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// ---- Mutex: _MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool, ._unlockSlow() -------------

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

// ---- Empty arrays -------------------------------------------------------------------------------

// All empty arrays share one object of libswiftCore, and code of the standard library that is
// compiled into its callers (Array.init(unsafeUninitializedCapacity:), for one) writes an empty
// array's count, 0, into it, where it is 0 always. Only these bytes are left out, wherever they are
// written from: a race on anything else in the same functions is reported. Were another value ever
// written, that would go unnoticed here, and break every array of the program.

extern char _swiftEmptyArrayStorage[]; // header of 16 bytes, count, capacity
extern void AnnotateBenignRaceSized(
    const char *file, int line, const volatile void *memory, size_t size, const char *description);

__attribute__((constructor)) static void leave_empty_array_out(void) {
  AnnotateBenignRaceSized(
      __FILE__, __LINE__, _swiftEmptyArrayStorage + 16, 8, "the count of the empty array");
}

// ---- Tasks --------------------------------------------------------------------------------------

// The runtime's own calls of the sanitizer. It has a `__tsan_on_initialize` that switches them on,
// but here the sanitizer, which is linked into the program, calls its own empty one.
extern bool _swift_tsan_enabled;
extern void (*_swift_tsan_acquire)(const void *address);
extern void (*_swift_tsan_release)(const void *address);

__attribute__((constructor)) static void switch_runtime_calls_on(void) {
  _swift_tsan_acquire = (void (*)(const void *))__tsan_acquire;
  _swift_tsan_release = (void (*)(const void *))__tsan_release;
  _swift_tsan_enabled = true;
}

// ---- Continuations ------------------------------------------------------------------------------

// One that is resumed on another thread before its task has stopped to wait is handed over by an
// atomic that the sanitizer doesn't see. Resuming therefore waits until the task does: then it is
// told by its executor's queue. Not for ever: the task may be waiting for this thread.

extern SWIFT void *swift_task_getCurrent(void);

static void wait_until_awaited(void *task) {
  if (!task || task == swift_task_getCurrent()) return;
  // AsyncTask.ResumeContext, and ContinuationAsyncContext.AwaitSynchronization: 0 is "not yet".
  char *context = ((void **)task)[8];
  _Atomic uintptr_t *state = (_Atomic uintptr_t *)(context + 24);
  for (int i = 0; i < 10000 && atomic_load(state) == 0; i++) usleep(10);
}

typedef SWIFT void resume_function(void *task);
typedef SWIFT void fail_function(void *task, void *error);

SWIFT void swift_continuation_resume(void *task) {
  resume_function *real = (resume_function *)dlsym(RTLD_NEXT, "swift_continuation_resume");
  wait_until_awaited(task);
  real(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
  resume_function *real = (resume_function *)dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
  wait_until_awaited(task);
  real(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
  fail_function *real =
      (fail_function *)dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
  wait_until_awaited(task);
  real(task, error);
}

// CheckedContinuation.resume(returning:) and (throwing:), which call the library's own functions.
// The task is the first word of the object that a checked continuation holds.
#define RETURNING "$sScC6resume9returningyxn_tF"
#define THROWING "$sScC6resume8throwingyq_n_tF"

typedef SWIFT void checked_function(void *value, void *type, void *a, void *b, SELF void *self);

checked_function checked_returning __asm__(RETURNING);
checked_function checked_throwing __asm__(THROWING);

static void wait_until_checked_awaited(void *self) {
  void **object = *(void ***)self;
  wait_until_awaited(object[2]); // behind the object's header
}

SWIFT void checked_returning(void *value, void *type, void *a, void *b, SELF void *self) {
  checked_function *real = (checked_function *)dlsym(RTLD_NEXT, RETURNING);
  wait_until_checked_awaited(self);
  real(value, type, a, b, self);
}

SWIFT void checked_throwing(void *value, void *type, void *a, void *b, SELF void *self) {
  checked_function *real = (checked_function *)dlsym(RTLD_NEXT, THROWING);
  wait_until_checked_awaited(self);
  real(value, type, a, b, self);
}
