#pragma once
#include <zlib.h>

// Macros do not import into Swift: one inline function each.

/// inflateInit2 for gzip members: 15 bits of window, 16 for the gzip wrapper and nothing else.
static inline int etl_inflate_init_gzip(z_stream *s) {
    return inflateInit2(s, 15 + 16);
}
