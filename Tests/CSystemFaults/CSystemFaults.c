#define _GNU_SOURCE
#include "CSystemFaults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int armed_call = -1;
static _Atomic int armed_error;
static _Atomic int calls_left;
static _Atomic int failed;
static _Atomic int wrong_closes;

void csystem_arm(csystem_call call, int nth, int error) {
  atomic_store(&failed, 0);
  atomic_store(&armed_error, error);
  atomic_store(&calls_left, nth);
  atomic_store(&armed_call, (int)call);
}

int csystem_disarm(void) {
  atomic_store(&armed_call, -1);
  return atomic_load(&failed);
}

int csystem_wrong_closes(void) { return atomic_load(&wrong_closes); }

int csystem_open_descriptors(void) {
  int count = 0;
  for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

// Whether this call is the one to fail.
static bool fails(csystem_call call) {
  if (atomic_load(&armed_call) != (int)call) return false;
  if (atomic_fetch_sub(&calls_left, 1) != 1) return false;
  atomic_store(&failed, 1);
  return true;
}

static bool fails_on_socket(csystem_call call, int fd) {
  if (atomic_load(&armed_call) != (int)call) return false;
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) && fails(call);
}

// Fails with the armed error; true if it is a short count instead.
static bool is_short(void) {
  int error = atomic_load(&armed_error);
  if (error == CSYSTEM_SHORT) return true;
  errno = error;
  return false;
}

#define REAL(name)                                                                                 \
  static __typeof__(name) *_Atomic real_pointer;                                                   \
  __typeof__(name) *real = atomic_load_explicit(&real_pointer, memory_order_relaxed);              \
  if (!real) {                                                                                     \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                                            \
    atomic_store_explicit(&real_pointer, real, memory_order_relaxed);                              \
  }

ssize_t read(int fd, void *bytes, size_t count) {
  REAL(read)
  if (!fails_on_socket(CSYSTEM_READ, fd)) return real(fd, bytes, count);
  return is_short() ? real(fd, bytes, count > 0 ? 1 : 0) : -1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write)
  if (!fails_on_socket(CSYSTEM_WRITE, fd)) return real(fd, bytes, count);
  return is_short() ? real(fd, bytes, count > 0 ? 1 : 0) : -1;
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags) {
  REAL(accept4)
  return fails(CSYSTEM_ACCEPT) && !is_short() ? -1 : real(fd, address, size, flags);
}

int socket(int domain, int type, int protocol) {
  REAL(socket)
  return fails(CSYSTEM_SOCKET) && !is_short() ? -1 : real(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
  REAL(connect)
  if (!fails(CSYSTEM_CONNECT)) return real(fd, address, size);
  // An interrupted connect goes on by itself.
  if (atomic_load(&armed_error) == EINTR) real(fd, address, size);
  return is_short() ? real(fd, address, size) : -1;
}

int shutdown(int fd, int how) {
  REAL(shutdown)
  return fails(CSYSTEM_SHUTDOWN) && !is_short() ? -1 : real(fd, how);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  REAL(recv)
  if (!fails(CSYSTEM_RECV)) return real(fd, bytes, count, flags);
  return is_short() ? real(fd, bytes, count > 0 ? 1 : 0, flags) : -1;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
  REAL(epoll_wait)
  return fails(CSYSTEM_EPOLL_WAIT) && !is_short() ? -1 : real(epoll, events, count, timeout);
}

int epoll_pwait2(
    int epoll, struct epoll_event *events, int count, const struct timespec *timeout,
    const sigset_t *signals) {
  REAL(epoll_pwait2)
  if (fails(CSYSTEM_EPOLL_PWAIT2) && !is_short()) return -1;
  return real(epoll, events, count, timeout, signals);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  REAL(epoll_ctl)
  if (operation == EPOLL_CTL_ADD && fails(CSYSTEM_EPOLL_ADD) && !is_short()) return -1;
  return real(epoll, operation, fd, event);
}

int epoll_create1(int flags) {
  REAL(epoll_create1)
  return fails(CSYSTEM_EPOLL_CREATE) && !is_short() ? -1 : real(flags);
}

int eventfd(unsigned int count, int flags) {
  REAL(eventfd)
  return fails(CSYSTEM_EVENTFD) && !is_short() ? -1 : real(count, flags);
}

int close(int fd) {
  REAL(close)
  int result = real(fd);
  if (result != 0 && errno == EBADF) atomic_fetch_add(&wrong_closes, 1);
  return result;
}

// ---- OpenSSL ------------------------------------------------------------------------------------

static bool tls_fails(csystem_call call) {
  if (!fails(call)) return false;
  ERR_raise(ERR_LIB_SSL, ERR_R_MALLOC_FAILURE);
  return true;
}

SSL *SSL_new(SSL_CTX *context) {
  REAL(SSL_new)
  return tls_fails(CSYSTEM_SSL_NEW) ? NULL : real(context);
}

int SSL_set_fd(SSL *ssl, int fd) {
  REAL(SSL_set_fd)
  return tls_fails(CSYSTEM_SSL_SET_FD) ? 0 : real(ssl, fd);
}

int SSL_do_handshake(SSL *ssl) {
  REAL(SSL_do_handshake)
  return tls_fails(CSYSTEM_SSL_HANDSHAKE) ? -1 : real(ssl);
}

int SSL_read(SSL *ssl, void *bytes, int count) {
  REAL(SSL_read)
  return tls_fails(CSYSTEM_SSL_READ) ? -1 : real(ssl, bytes, count);
}

int SSL_write(SSL *ssl, const void *bytes, int count) {
  REAL(SSL_write)
  return tls_fails(CSYSTEM_SSL_WRITE) ? -1 : real(ssl, bytes, count);
}

int SSL_shutdown(SSL *ssl) {
  REAL(SSL_shutdown)
  return tls_fails(CSYSTEM_SSL_SHUTDOWN) ? -1 : real(ssl);
}
