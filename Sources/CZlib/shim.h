#pragma once
#include <zlib.h>

// Swift cannot import these macros, so each has an inline function.

/// inflateInit2 for gzip members: 15 window bits, plus 16 to accept only the gzip wrapper.
static inline int etl_inflate_init_gzip(z_stream *s) {
    return inflateInit2(s, 15 + 16);
}

/// deflateInit2 for a zlib stream, with the default level and strategy.
static inline int etl_deflate_init(z_stream *s, int window_bits, int memory_level) {
    return deflateInit2(s, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
