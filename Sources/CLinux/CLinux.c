#include "CLinux.h"

_Thread_local const void *clinux_thread_loop __attribute__((tls_model("initial-exec")));
