// Byte scans that are hard to express efficiently in Swift: 64 bytes in, bit masks out (bit i = byte i).
//
// Everything is static, so nothing is linked and the compiler can inline it. Comparisons use vectors of 64
// bytes, which the compiler splits into the machine's registers. SSE2 and NEON are in the baselines of x86-64
// and arm64, so no flags are needed. scan_csv_scalar is the reference implementation.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

// The masks of 64 bytes of a CSV file.
typedef struct {
    uint64_t structural;  // delimiter, quote, CR or LF
    uint64_t delimiters;
    uint64_t quotes;
    uint64_t line_ends;   // CR or LF
    uint64_t odd;         // NUL, or 0x80 and above: bytes that need a closer look
} scan_csv_masks;

// The reference implementation of scan_csv, one byte at a time.
static inline scan_csv_masks scan_csv_scalar(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    scan_csv_masks m = {0, 0, 0, 0, 0};
    for (int i = 0; i < 64; i++) {
        uint64_t bit = 1ull << i;
        uint8_t c = p[i];
        if (c == delimiter) m.delimiters |= bit;
        if (c == quote) m.quotes |= bit;
        if (c == '\r' || c == '\n') m.line_ends |= bit;
        if (c == 0 || c >= 0x80) m.odd |= bit;
    }
    m.structural = m.delimiters | m.quotes | m.line_ends;
    return m;
}

typedef uint8_t scan_bytes __attribute__((vector_size(64)));
// The result of comparing bytes: -1 where true, else 0.
typedef int8_t scan_lanes __attribute__((vector_size(64)));

// One bit for each lane.
static inline __attribute__((always_inline)) uint64_t scan_bits(const scan_lanes *lanes) {
#if defined(__ARM_NEON) && defined(__aarch64__)
    // NEON has no movemask. Each byte keeps the bit of its position, and three rounds of pairwise addition
    // gather the bits.
    const uint8x16_t places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t part[4];
    memcpy(part, lanes, 64);
    for (int i = 0; i < 4; i++) part[i] = vandq_u8(part[i], places);
    const uint8x16_t all = vpaddq_u8(vpaddq_u8(part[0], part[1]), vpaddq_u8(part[2], part[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
#else
    typedef _Bool flags __attribute__((ext_vector_type(64)));
    const flags set = __builtin_convertvector(*lanes, flags);
    uint64_t bits;
    memcpy(&bits, &set, sizeof bits);
    // Forces an integer from here on. If the compiler kept 64 flags across a branch, it would extract them
    // one by one.
    __asm__("" : "+r"(bits));
    return bits;
#endif
}

typedef int8_t scan_half __attribute__((vector_size(32)));

// The same for half as many lanes.
static inline __attribute__((always_inline)) uint32_t scan_half_bits(const scan_half *lanes) {
#if defined(__ARM_NEON) && defined(__aarch64__)
    scan_lanes whole = {0};
    memcpy(&whole, lanes, sizeof *lanes);
    return (uint32_t)scan_bits(&whole);
#else
    typedef _Bool flags __attribute__((ext_vector_type(32)));
    const flags set = __builtin_convertvector(*lanes, flags);
    uint32_t bits;
    memcpy(&bits, &set, sizeof bits);
    return bits;
#endif
}

static inline __attribute__((always_inline))
scan_csv_masks scan_csv(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    scan_bytes bytes;
    memcpy(&bytes, p, sizeof bytes);
    const scan_lanes quotes = bytes == quote;
    const scan_lanes line_ends = (bytes == '\r') | (bytes == '\n');
    const scan_lanes delimiters = bytes == delimiter;
    const scan_lanes odd = (scan_lanes)bytes <= 0;  // the top bit is the sign
    scan_csv_masks m;
    m.quotes = scan_bits(&quotes);
    m.line_ends = scan_bits(&line_ends);
    m.delimiters = scan_bits(&delimiters);
    m.structural = m.delimiters | m.quotes | m.line_ends;
    m.odd = scan_bits(&odd);
    return m;
}

// The same for the last bytes of a buffer, fewer than 64. Nothing after them is read, and no bit after them
// is set.
static inline scan_csv_masks scan_csv_tail(const uint8_t *p, size_t count, uint8_t delimiter, uint8_t quote) {
    uint8_t block[64] = {0};
    memcpy(block, p, count);
    scan_csv_masks m = scan_csv(block, delimiter, quote);
    const uint64_t kept = (1ull << count) - 1;
    m.structural &= kept;
    m.delimiters &= kept;
    m.quotes &= kept;
    m.line_ends &= kept;
    m.odd &= kept;
    return m;
}

// Offset of the first structural byte, or count if there is none.
static inline size_t scan_csv_next(const uint8_t *p, size_t count, uint8_t delimiter, uint8_t quote) {
    size_t at = 0;
    for (; at + 64 <= count; at += 64) {
        const uint64_t found = scan_csv(p + at, delimiter, quote).structural;
        if (found) return at + (size_t)__builtin_ctzll(found);
    }
    if (at == count) return count;
    const uint64_t found = scan_csv_tail(p + at, count - at, delimiter, quote).structural;
    return found ? at + (size_t)__builtin_ctzll(found) : count;
}

// Counts the line ends in some bytes: CRLF, LF and CR are one each. A CR as the last byte counts; its LF
// counts again if it is passed in another call.
static inline size_t scan_line_ends(const uint8_t *p, size_t count) {
    size_t ends = 0;
    uint64_t after_return = 0;
    for (size_t at = 0; at < count; at += 64) {
        uint8_t last[64] = {0};
        const uint8_t *block = count - at < 64 ? memcpy(last, p + at, count - at) : p + at;
        const scan_csv_masks m = scan_csv(block, '\n', '\r');
        const uint64_t behind_return = m.quotes << 1 | after_return;
        after_return = m.quotes >> 63;
        if (m.line_ends) ends += (size_t)__builtin_popcountll(m.quotes | (m.line_ends & ~behind_return));
    }
    return ends;
}

// Whether some bytes contain a NUL.
static inline int scan_zero(const uint8_t *p, size_t count) {
    return count > 0 && memchr(p, 0, count) != 0;
}
