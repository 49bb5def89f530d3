#include "CZlib.h"

#include <string.h>

int czlib_inflate_init(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit(stream);
}

int czlib_deflate_init(z_stream *stream, int level) {
  memset(stream, 0, sizeof *stream);
  return deflateInit(stream, level);
}
