// CSystemFaults: system calls and OpenSSL functions of this process that fail on demand.
//
// A program that links this has its own `read`, `write`, … : they pass everything on to the real
// ones but for the one call that is to fail. For test programs only.

#ifndef CSYSTEMFAULTS_H
#define CSYSTEMFAULTS_H

typedef enum csystem_call {
  CSYSTEM_READ, // of sockets only, as `write`
  CSYSTEM_WRITE,
  CSYSTEM_ACCEPT,
  CSYSTEM_SOCKET,
  CSYSTEM_CONNECT,
  CSYSTEM_SHUTDOWN,
  CSYSTEM_RECV,
  CSYSTEM_EPOLL_WAIT,
  CSYSTEM_EPOLL_PWAIT2,
  CSYSTEM_EPOLL_ADD,
  CSYSTEM_EPOLL_CREATE,
  CSYSTEM_EVENTFD,
  CSYSTEM_SSL_NEW,
  CSYSTEM_SSL_SET_FD,
  CSYSTEM_SSL_HANDSHAKE,
  CSYSTEM_SSL_READ,
  CSYSTEM_SSL_WRITE,
  CSYSTEM_SSL_SHUTDOWN,
} csystem_call;

// Instead of an error number: reads one byte, writes one byte.
enum { CSYSTEM_SHORT = -1 };

// The `nth` (from 1) such call from now on fails with `error`; OpenSSL's functions fail with an
// error in its queue.
void csystem_arm(csystem_call call, int nth, int error);

// No call fails any more. How many have failed since csystem_arm: 1, or 0 if there were fewer
// calls.
int csystem_disarm(void);

// How often `close` was called so far for a descriptor that wasn't open.
int csystem_wrong_closes(void);

// How many descriptors are open.
int csystem_open_descriptors(void);

#endif
