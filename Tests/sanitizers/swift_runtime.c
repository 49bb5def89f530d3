// Tells ThreadSanitizer how Swift's Mutex and continuations synchronize.
//
// The quick ways through a Mutex are compiled into the callers, where the sanitizer sees their
// atomic operations. The slow ones (somebody else holds it) are in libswiftSynchronization, which
// isn't instrumented: without this, whatever a contended Mutex guards is reported as a race. It is
// the same with a continuation that is resumed on another thread before its task has stopped to
// wait: libswift_Concurrency passes the result on by an atomic of its own.
//
// These functions take the place of the libraries' in a program that is linked with them, and call
// them. Scripts/sanitize.sh links them; no other build knows them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
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

// ---- Continuations: what precedes the resumption is seen by the task that goes on ---------------

#define CONTEXT __attribute__((swift_async_context))
#define ASYNC __attribute__((swiftasynccall))

typedef SWIFT void resume_function(void *task);
typedef SWIFT void fail_function(void *task, void *error);
typedef ASYNC void await_function(void *context);

SWIFT void swift_continuation_resume(void *task) {
  resume_function *real = (resume_function *)dlsym(RTLD_NEXT, "swift_continuation_resume");
  __tsan_release(task);
  real(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
  resume_function *real = (resume_function *)dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
  __tsan_release(task);
  real(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
  fail_function *real =
      (fail_function *)dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
  __tsan_release(task);
  real(task, error);
}

// Whether the task waits or needn't, it goes on with the function that its context names (at the
// second word). Another one is put there, which does the acquiring and then calls it.
typedef ASYNC void go_on_function(CONTEXT void *context);
typedef struct {
  void *parent;
  go_on_function *go_on;
} async_context;

extern SWIFT void *swift_task_getCurrent(void);

// The functions of contexts whose tasks wait. Guarded by a flag that the sanitizer doesn't see, so
// that it orders nothing else.
enum { CONTEXT_SLOTS = 1 << 16 };
static struct {
  void *context;
  go_on_function *go_on;
} waiting[CONTEXT_SLOTS];
static atomic_flag waiting_lock = ATOMIC_FLAG_INIT;

static void lock_waiting(void) {
  while (atomic_flag_test_and_set_explicit(&waiting_lock, memory_order_acquire)) sched_yield();
}

static void unlock_waiting(void) {
  atomic_flag_clear_explicit(&waiting_lock, memory_order_release);
}

static size_t home(void *context) { return ((uintptr_t)context >> 4) * 2654435761u % CONTEXT_SLOTS; }

// Exchanges the function of a context for nothing; slots are emptied by marking them as used once.
static go_on_function *take_waiting(void *context) {
  lock_waiting();
  size_t slot = home(context);
  while (waiting[slot].context != context) slot = (slot + 1) % CONTEXT_SLOTS;
  go_on_function *go_on = waiting[slot].go_on;
  waiting[slot].context = (void *)1;
  unlock_waiting();
  return go_on;
}

static bool put_waiting(void *context, go_on_function *go_on) {
  bool found = false;
  lock_waiting();
  size_t slot = home(context);
  for (int i = 0; i < 1024 && !found; i++, slot = (slot + 1) % CONTEXT_SLOTS) {
    if ((uintptr_t)waiting[slot].context > 1) continue;
    waiting[slot].context = context;
    waiting[slot].go_on = go_on;
    found = true;
  }
  unlock_waiting();
  return found;
}

static ASYNC void acquire_and_go_on(CONTEXT void *context) {
  go_on_function *go_on = take_waiting(context);
  __tsan_acquire(swift_task_getCurrent());
  __attribute__((musttail)) return go_on(context);
}

ASYNC void swift_continuation_await(void *context) {
  await_function *real = (await_function *)dlsym(RTLD_NEXT, "swift_continuation_await");
  async_context *own = context;
  if (put_waiting(context, own->go_on)) own->go_on = acquire_and_go_on;
  __attribute__((musttail)) return real(context);
}
