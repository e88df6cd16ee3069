#pragma once
#include <lzma.h>

/// A decoder for .xz files, all streams of them one after the other.
static inline lzma_ret etl_xz_decoder(lzma_stream *stream, uint64_t memory) {
    return lzma_stream_decoder(stream, memory, LZMA_CONCATENATED);
}
