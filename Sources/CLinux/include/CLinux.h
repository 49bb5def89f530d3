// CLinux: the Linux system calls that the Glibc module lacks, and what Swift can't express about
// them (a packed struct, a thread-local variable).

#ifndef CLINUX_H
#define CLINUX_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- epoll: struct epoll_event is packed, which Swift can't lay out ------------------------------

enum {
  CLINUX_EPOLLIN = EPOLLIN,
  CLINUX_EPOLLOUT = EPOLLOUT,
  CLINUX_EPOLLERR = EPOLLERR,
  CLINUX_EPOLLHUP = EPOLLHUP,
  CLINUX_EPOLLRDHUP = EPOLLRDHUP,
};

// The bytes that room for `count` events takes.
static inline size_t clinux_epoll_events_size(int count) {
  return (size_t)count * sizeof(struct epoll_event);
}

// Waits for events into memory made with clinux_epoll_events_size, at most so long (below 0: for
// ever), rounded up to whole milliseconds where the kernel (before 5.11) knows no shorter times.
int clinux_epoll_wait(int epoll, void *events, int count, int64_t timeout_ns);

// Lets the thread's waits end when they are over, instead of up to 50 us later, when the kernel can
// wake several threads at once; false: as usual again.
void clinux_wake_on_time(bool on_time);

static inline uint32_t clinux_epoll_flags(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].events;
}

static inline void *clinux_epoll_target(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].data.ptr;
}

static inline int clinux_epoll_add(int epoll, int fd, uint32_t flags, void *target) {
  struct epoll_event event = {.events = flags, .data.ptr = target};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline int clinux_epoll_modify(int epoll, int fd, uint32_t flags, void *target) {
  struct epoll_event event = {.events = flags, .data.ptr = target};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

static inline int clinux_epoll_remove(int epoll, int fd) {
  return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, (struct epoll_event *)0);
}

// A descriptor for posts to a sleeping loop. Each write is reported once (edge-triggered), so
// nobody has to read it.
static inline int clinux_wakeup_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline int clinux_epoll_add_wakeup(int epoll, int fd) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = (void *)0};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline void clinux_wake(int fd) {
  uint64_t one = 1;
  ssize_t written = write(fd, &one, sizeof one);
  (void)written; // only a counter at its maximum fails, and then the loop has been woken already
}

// ---- The event loop that runs on this thread ----------------------------------------------------

extern _Thread_local const void *clinux_thread_loop __attribute__((tls_model("initial-exec")));

static inline const void *clinux_current_loop(void) { return clinux_thread_loop; }
static inline void clinux_set_current_loop(const void *loop) { clinux_thread_loop = loop; }

// ---- Clock --------------------------------------------------------------------------------------

static inline int64_t clinux_monotonic_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// ---- Files ---------------------------------------------------------------------------------------

// What tells one state of a file from another, without reading it.
struct clinux_file_state {
  uint64_t device, inode, size;
  int64_t seconds, nanoseconds;
};

// The state of the file that a path leads to, through symbolic links; 0, or the error's number.
static inline int clinux_file_state(const char *path, struct clinux_file_state *state) {
  struct stat found;
  if (stat(path, &found) != 0) return errno;
  *state = (struct clinux_file_state){
      .device = found.st_dev, .inode = found.st_ino, .size = (uint64_t)found.st_size,
      .seconds = found.st_mtim.tv_sec, .nanoseconds = found.st_mtim.tv_nsec};
  return 0;
}

// ---- Sockets ------------------------------------------------------------------------------------

static inline int clinux_errno(void) { return errno; }
static inline void clinux_set_errno(int value) { errno = value; }

// Declared here: with the macro that makes the system's headers declare it, other types in them
// would differ from the Glibc module's.
extern int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);

// A connection of the listener, non-blocking, and its peer's address.
static inline int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *size) {
  return accept4(listener, (struct sockaddr *)peer, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int clinux_stream_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int clinux_set_option(int fd, int level, int option, int value) {
  return setsockopt(fd, level, option, &value, sizeof value);
}

static inline int clinux_get_option(int fd, int level, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, level, option, &value, &size) == 0 ? value : -1;
}

static inline int clinux_connect(int fd, const void *address, socklen_t size) {
  return connect(fd, (const struct sockaddr *)address, size);
}

static inline int clinux_bind(int fd, const void *address, socklen_t size) {
  return bind(fd, (const struct sockaddr *)address, size);
}

static inline int clinux_local_address(int fd, struct sockaddr_storage *address, socklen_t *size) {
  return getsockname(fd, (struct sockaddr *)address, size);
}

// A TCP connection's options: no waiting for more output, and an end to unacknowledged output.
static inline void clinux_prepare_stream(int fd, int user_timeout_ms) {
  clinux_set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  clinux_set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, user_timeout_ms);
}

// Takes and drops up to `size` bytes that have arrived. TCP drops them without a copy.
static inline ssize_t clinux_discard(int fd, void *scratch, size_t size, bool tcp) {
  return recv(fd, scratch, size, MSG_DONTWAIT | (tcp ? MSG_TRUNC : 0));
}

// The close that follows sends a reset instead of waiting for unsent bytes.
static inline int clinux_reset_on_close(int fd) {
  struct linger now = {.l_onoff = 1, .l_linger = 0};
  return setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

static inline int clinux_spare_descriptor(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

static inline int clinux_open_for_reading(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC);
}

// The type and mode bits of what is at `path`; -1 if there is nothing.
static inline int64_t clinux_file_mode(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? (int64_t)status.st_mode : -1;
}

static inline bool clinux_is_socket(int64_t mode) { return mode >= 0 && S_ISSOCK((mode_t)mode); }

// ---- Signals ------------------------------------------------------------------------------------

static inline void clinux_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

// Blocks the signals in this thread (and in threads that it starts); 0 or an error number.
static inline int clinux_block_signals(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  return pthread_sigmask(SIG_BLOCK, &set, (sigset_t *)0);
}

static inline int clinux_signal_descriptor(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

// The next signal that came in through the descriptor, or 0.
static inline int clinux_next_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

// Sends a signal to the calling thread.
static inline int clinux_signal_this_thread(int number) {
  return pthread_kill(pthread_self(), number);
}

// The system's text for an error number.
static inline const char *clinux_error_text(int number, char *buffer, size_t size) {
  return strerror_r(number, buffer, size) == 0 ? buffer : "unknown error";
}

// ---- Limits -------------------------------------------------------------------------------------

// Raises the soft limit of open files to the hard one; the limit in force afterwards, or -1.
static inline int64_t clinux_raise_descriptor_limit(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
  if (files.rlim_cur < files.rlim_max) {
    struct rlimit raised = {.rlim_cur = files.rlim_max, .rlim_max = files.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  }
  return files.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)files.rlim_cur;
}

// Sets the soft limit of open files (used to provoke the lack of descriptors); 0, or -1.
static inline int clinux_set_descriptor_limit(int64_t limit) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
  files.rlim_cur = (rlim_t)limit;
  return setrlimit(RLIMIT_NOFILE, &files);
}

// The soft limit of open files, or -1.
static inline int64_t clinux_descriptor_limit(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
  return files.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)files.rlim_cur;
}

// ---- This process ---------------------------------------------------------------------------------

// What it has used since it was started; all of its threads.
typedef struct {
  uint64_t cpu_nanoseconds;
  uint64_t peak_resident_bytes;
  uint64_t context_switches;
} clinux_usage;

void clinux_own_usage(clinux_usage *usage);

// What it has allocated and not given back, in bytes, without the C library's own room for more; 0:
// the C library doesn't say.
uint64_t clinux_live_bytes(void);

// Processors that it may use; 0: the system doesn't say.
int clinux_usable_processors(void);

// The build id of the program itself, into room for `size` bytes: how many were written; 0: it has
// none, or a longer one.
size_t clinux_build_id(uint8_t *bytes, size_t size);

#endif
