// Byte scans that Swift cannot say well: 64 bytes in, bit masks out (bit i = byte i).
//
// Everything is static inline, so nothing is linked and the compiler sees through it. SSE2 and NEON belong to
// the baselines of x86-64 and arm64: no flags, no detection at run time. AVX2 was measured to be no faster in
// a stream that also consumes the masks. Every scan has a scalar twin that says what it means and serves
// other machines.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// What 64 bytes of a CSV file hold.
typedef struct {
    uint64_t structural;  // delimiter, quote, CR or LF
    uint64_t quotes;
    uint64_t line_ends;   // CR or LF
    uint64_t odd;         // NUL, or 0x80 and above: bytes to look at more closely
} scan_csv_masks;

// The meaning of scan_csv, byte by byte.
static inline scan_csv_masks scan_csv_scalar(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    scan_csv_masks m = {0, 0, 0, 0};
    for (int i = 0; i < 64; i++) {
        uint64_t bit = 1ull << i;
        uint8_t c = p[i];
        if (c == delimiter) m.structural |= bit;
        if (c == quote) m.quotes |= bit;
        if (c == '\r' || c == '\n') m.line_ends |= bit;
        if (c == 0 || c >= 0x80) m.odd |= bit;
    }
    m.structural |= m.quotes | m.line_ends;
    return m;
}

#if defined(__SSE2__)

static inline __attribute__((always_inline))
uint64_t scan_join(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (uint64_t)(a | b << 16) | (uint64_t)(c | d << 16) << 32;
}

static inline __attribute__((always_inline))
scan_csv_masks scan_csv(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    const __m128i kd = _mm_set1_epi8((char)delimiter), kq = _mm_set1_epi8((char)quote);
    const __m128i kr = _mm_set1_epi8('\r'), kn = _mm_set1_epi8('\n'), kz = _mm_setzero_si128();
    uint32_t s[4], q[4], n[4], o[4];
    for (int i = 0; i < 4; i++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        const __m128i quotes = _mm_cmpeq_epi8(x, kq);
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(x, kr), _mm_cmpeq_epi8(x, kn));
        const __m128i any = _mm_or_si128(_mm_or_si128(quotes, ends), _mm_cmpeq_epi8(x, kd));
        s[i] = (uint32_t)_mm_movemask_epi8(any);
        q[i] = (uint32_t)_mm_movemask_epi8(quotes);
        n[i] = (uint32_t)_mm_movemask_epi8(ends);
        // A byte's top bit is its own mask; a NUL gets one from the comparison.
        o[i] = (uint32_t)_mm_movemask_epi8(_mm_or_si128(x, _mm_cmpeq_epi8(x, kz)));
    }
    scan_csv_masks m;
    m.structural = scan_join(s[0], s[1], s[2], s[3]);
    m.quotes = scan_join(q[0], q[1], q[2], q[3]);
    m.line_ends = scan_join(n[0], n[1], n[2], n[3]);
    m.odd = scan_join(o[0], o[1], o[2], o[3]);
    return m;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

// NEON has no movemask: each byte keeps the bit of its place, and three rounds of pairwise addition gather
// them.
static inline __attribute__((always_inline))
uint64_t scan_join(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t ab = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    const uint8x16_t cd = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    const uint8x16_t all = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline __attribute__((always_inline))
scan_csv_masks scan_csv(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    const uint8x16_t kd = vdupq_n_u8(delimiter), kq = vdupq_n_u8(quote);
    const uint8x16_t kr = vdupq_n_u8('\r'), kn = vdupq_n_u8('\n'), kh = vdupq_n_u8(0x80);
    uint8x16_t s[4], q[4], n[4], o[4];
    for (int i = 0; i < 4; i++) {
        const uint8x16_t x = vld1q_u8(p + 16 * i);
        q[i] = vceqq_u8(x, kq);
        n[i] = vorrq_u8(vceqq_u8(x, kr), vceqq_u8(x, kn));
        s[i] = vorrq_u8(vorrq_u8(q[i], n[i]), vceqq_u8(x, kd));
        o[i] = vorrq_u8(vcgeq_u8(x, kh), vceqzq_u8(x));
    }
    scan_csv_masks m;
    m.structural = scan_join(s[0], s[1], s[2], s[3]);
    m.quotes = scan_join(q[0], q[1], q[2], q[3]);
    m.line_ends = scan_join(n[0], n[1], n[2], n[3]);
    m.odd = scan_join(o[0], o[1], o[2], o[3]);
    return m;
}

#else

static inline scan_csv_masks scan_csv(const uint8_t *p, uint8_t delimiter, uint8_t quote) {
    return scan_csv_scalar(p, delimiter, quote);
}

#endif

// The same for the last bytes of a buffer, fewer than 64: nothing beyond them is read, and no bit beyond them
// is set.
static inline scan_csv_masks scan_csv_tail(const uint8_t *p, size_t count, uint8_t delimiter, uint8_t quote) {
    uint8_t block[64] = {0};
    memcpy(block, p, count);
    scan_csv_masks m = scan_csv(block, delimiter, quote);
    const uint64_t kept = (1ull << count) - 1;
    m.structural &= kept;
    m.quotes &= kept;
    m.line_ends &= kept;
    m.odd &= kept;
    return m;
}

// Offset of the first structural byte, or count: how a scanner of one record passes over what means nothing
// to it.
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

// Physical lines that end in some bytes: CRLF, LF and CR are one each. A CR at the end counts; so does the LF
// behind it if asked for in another call.
static inline size_t scan_line_ends(const uint8_t *p, size_t count) {
    size_t ends = 0, at = 0;
    uint64_t follows_cr = 0;
    for (; at + 64 <= count; at += 64) {
        const uint64_t lf = scan_csv(p + at, '\n', '\n').quotes;
        const uint64_t cr = scan_csv(p + at, '\r', '\r').quotes;
        ends += (size_t)__builtin_popcountll(cr | (lf & ~(cr << 1 | follows_cr)));
        follows_cr = cr >> 63;
    }
    for (; at < count; at++) {
        ends += p[at] == '\r' || (p[at] == '\n' && !follows_cr);
        follows_cr = p[at] == '\r';
    }
    return ends;
}

// Whether a NUL is among some bytes.
static inline int scan_zero(const uint8_t *p, size_t count) {
    return count > 0 && memchr(p, 0, count) != 0;
}
