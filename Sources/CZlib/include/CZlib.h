// zlib for Swift: its initialisers are macros, which Swift doesn't import.
#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

// Prepares a stream for inflation of the zlib format. Z_OK or a zlib error.
int czlib_inflate_init(z_stream *stream);

// Prepares a stream for deflation into the zlib format at a level of 1 to 9. Z_OK or a zlib error.
int czlib_deflate_init(z_stream *stream, int level);

#endif
