#define _GNU_SOURCE
#include "CLinux.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>

_Thread_local const void *clinux_thread_loop __attribute__((tls_model("initial-exec")));

// Whether the kernel has answered that it doesn't know epoll_pwait2.
static atomic_bool lacks_epoll_pwait2;

static int wait_for_milliseconds(int epoll, struct epoll_event *events, int count, int64_t ms) {
  return epoll_wait(epoll, events, count, ms > INT_MAX ? INT_MAX : (int)ms);
}

int clinux_epoll_wait(int epoll, void *events, int count, int64_t timeout_ns) {
  if (timeout_ns < 0) return wait_for_milliseconds(epoll, events, count, -1);
  // Whole milliseconds are what epoll_wait takes: no structure to be read by the kernel.
  int64_t ms = timeout_ns / 1000000;
  if (timeout_ns % 1000000 == 0) return wait_for_milliseconds(epoll, events, count, ms);
  if (!atomic_load_explicit(&lacks_epoll_pwait2, memory_order_relaxed)) {
    struct timespec left = {timeout_ns / 1000000000, timeout_ns % 1000000000};
    int ready = epoll_pwait2(epoll, events, count, &left, NULL);
    if (ready >= 0 || errno != ENOSYS) return ready;
    atomic_store_explicit(&lacks_epoll_pwait2, true, memory_order_relaxed);
  }
  return wait_for_milliseconds(epoll, events, count, ms + 1);
}

void clinux_wake_on_time(bool on_time) {
  prctl(PR_SET_TIMERSLACK, on_time ? 1UL : 0UL, 0UL, 0UL, 0UL);
}

void clinux_own_usage(clinux_usage *usage) {
  struct rusage own = {0};
  getrusage(RUSAGE_SELF, &own);
  struct timespec cpu = {0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  usage->cpu_nanoseconds = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
  usage->peak_resident_bytes = (uint64_t)own.ru_maxrss * 1024u;
  usage->context_switches = (uint64_t)own.ru_nvcsw + (uint64_t)own.ru_nivcsw;
}

uint64_t clinux_live_bytes(void) {
#ifdef __GLIBC__
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

int clinux_usable_processors(void) {
  // Room for more processors than the kernel has numbers for by default.
  unsigned char mask[1024];
  memset(mask, 0, sizeof mask);
  if (sched_getaffinity(0, sizeof mask, (cpu_set_t *)mask) != 0) return 0;
  int count = 0;
  for (size_t index = 0; index < sizeof mask; index++) count += __builtin_popcount(mask[index]);
  return count;
}

struct build_id {
  uint8_t *bytes;
  size_t room;
  size_t found;
};

// Where the next part of a note begins.
static size_t note_padded(size_t size) { return (size + 3) & ~(size_t)3; }

static void look_for_build_id(const uint8_t *notes, size_t size, struct build_id *id) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = note_padded(note.n_namesz), content = note_padded(note.n_descsz);
    if (name + content > size - sizeof note) return;
    const uint8_t *text = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(text, "GNU", 4) == 0 &&
        note.n_descsz <= id->room) {
      memcpy(id->bytes, text + name, note.n_descsz);
      id->found = note.n_descsz;
      return;
    }
    notes += sizeof note + name + content;
    size -= sizeof note + name + content;
  }
}

// The first object is the program itself: the walk ends with it.
static int look_at_program(struct dl_phdr_info *program, size_t size, void *context) {
  (void)size;
  struct build_id *id = context;
  for (int index = 0; index < program->dlpi_phnum && id->found == 0; index++) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[index];
    if (part->p_type != PT_NOTE) continue;
    look_for_build_id((const uint8_t *)(program->dlpi_addr + part->p_vaddr), part->p_memsz, id);
  }
  return 1;
}

size_t clinux_build_id(uint8_t *bytes, size_t size) {
  struct build_id id = {.bytes = bytes, .room = size, .found = 0};
  dl_iterate_phdr(look_at_program, &id);
  return id.found;
}
