// Where the fields of a CSV file end, by arithmetic on the masks of 64 bytes at a time, and the cells between
// those ends. What every field costs is done without a branch; a field is noted by itself only where its
// record ends, or where its quotes are more than an enclosing pair.
#pragma once
#include "scan.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bytes of one stretch: 64 blocks of 64 bytes, a bit each in the words below.
#define SCAN_STRETCH 4096
// Ends written in advance, before it is known how many there are.
#define SCAN_AHEAD 6

// Set in an end: its field stands within quotes.
#define SCAN_ENCLOSED 0x80000000u
// What a note says of a field; none of them, that the field ends its record.
#define SCAN_DOUBLED 0x80000000u    // it holds a doubled quote
#define SCAN_IRREGULAR 0x40000000u  // it is unquoted and holds a quote, or goes on after its closing quote
#define SCAN_FIELD 0x3fffffffu

// What is known where a stretch of text begins, and after a scan, of its end and of what is in it.
typedef struct {
    uint64_t inside;       // all ones if the next byte is quoted, else 0
    uint64_t after_quote;  // 1 behind a closing quote or the first of a doubled one
    uint64_t after_field;  // 1 where a field begins
    uint32_t noted;        // what was noted of the open field

    uint32_t ends, notes;  // how many were written
    // A bit for each block of the stretch. One too many does no harm.
    uint64_t odd;               // holds NUL, or 0x80 and above
    uint64_t quoted_line_ends;  // holds a line end within quotes
} scan_csv_stretch;

// Bit i of the result is the parity of the bits of x up to i.
static inline __attribute__((always_inline)) uint64_t scan_parity(uint64_t x) {
    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    x ^= x << 8;
    x ^= x << 16;
    return x ^ x << 32;
}

// Takes the first of the bits and says where a field ends there; anything where there is none.
static inline __attribute__((always_inline)) uint32_t scan_take_end(
    uint32_t block, uint64_t *found, uint64_t after_quote
) {
    const uint32_t place = *found ? (uint32_t)__builtin_ctzll(*found) : 64;
    *found &= *found - 1;
    return (block + place) | (uint32_t)(after_quote >> (place & 63)) << 31;
}

// Finds the ends of fields in the next bytes of a text, at most SCAN_STRETCH of them, and whole blocks unless
// the text ends there. A field ends at a delimiter, CR or LF outside of quotes; the LF of a CRLF ends an
// empty one. Quotes open at a field's first byte only; in an unquoted field, and behind the closing one, they
// mean nothing.
//
// parity: scan_parity, or what does the same.
// quoting: all ones if quotes mean anything, else 0.
// ends: for each field the offset of the byte that ends it, below 2 GiB, and SCAN_ENCLOSED. Has room for
// SCAN_AHEAD more than bytes.
// notes: what is to be known of some fields, in their order, as indexes of ends; maybe more than once of a
// field. Has room for two more than bytes.
static inline __attribute__((always_inline)) void scan_csv_ends_by(
    uint64_t (*parity)(uint64_t), const uint8_t *text, size_t from, size_t count, uint8_t delimiter,
    uint8_t quote, uint64_t quoting, scan_csv_stretch *stretch, uint32_t *ends, uint32_t *notes
) {
    uint64_t open = stretch->inside, closed = stretch->after_quote, begun = stretch->after_field;
    uint64_t odd = 0, quoted_line_ends = 0, bit = 1;
    uint32_t *end = ends, *note = notes;
    uint8_t last[64];
    uint32_t latest = ~0u;
    if (stretch->noted) *note++ = stretch->noted;
    for (size_t block = 0; block < count; block += 64, bit <<= 1) {
        const uint8_t *p = text + from + block;
        if (__builtin_expect(count - block < 64, 0)) {
            memset(last, 0x80, sizeof last);  // ends no field: that is all that matters behind a text
            p = memcpy(last, p, count - block);
        }
        const scan_csv_masks m = scan_csv(p, delimiter, quote);
        uint64_t quotes = m.quotes & quoting;
        const uint64_t structural = m.structural & ~quotes;
        uint64_t inside, found, after_quote, stray = 0;
        for (;;) {
            inside = parity(quotes) ^ open;  // from an opening quote to before the closing one
            found = structural & ~inside;
            after_quote = (quotes & ~inside) << 1 | closed;  // a doubled quote closes and opens again
            const uint64_t begins = found << 1 | begun;
            const uint64_t wrong = quotes & inside & ~(begins | after_quote);
            if (__builtin_expect(wrong == 0, 1)) break;
            // All before the first wrong one is right: it means nothing, nor do others to its field's end.
            const uint64_t first = wrong & (0 - wrong), rest = structural & (0 - first);
            quotes &= ~((rest & (0 - rest)) - first);
            stray |= first;
        }
        if (m.odd) odd |= bit;
        if (m.line_ends & inside) quoted_line_ends |= bit;
        open = 0 - (inside >> 63);
        closed = (quotes & ~inside) >> 63;
        begun = found >> 63;

        uint64_t special = (m.line_ends & found) | (after_quote & ~found) | stray;
        while (__builtin_expect(special != 0, 0)) {
            const uint64_t first = special & (0 - special);
            special -= first;
            uint32_t value = (uint32_t)(end - ends) + (uint32_t)__builtin_popcountll(found & (first - 1));
            value |= found & first ? 0 : quotes & first ? SCAN_DOUBLED : SCAN_IRREGULAR;
            *note = value;
            note += value != latest;
            latest = value;
        }

        // Most blocks have no more ends: writing some in vain is cheaper than a branch guessed wrongly.
        // Volatile, or the compiler gathers them in a vector first, which is slower.
        volatile uint32_t *to = end;
        const uint32_t at = (uint32_t)(from + block);
        end += __builtin_popcountll(found);
        to[0] = scan_take_end(at, &found, after_quote);
        to[1] = scan_take_end(at, &found, after_quote);
        to[2] = scan_take_end(at, &found, after_quote);
        to[3] = scan_take_end(at, &found, after_quote);
        to[4] = scan_take_end(at, &found, after_quote);
        to[5] = scan_take_end(at, &found, after_quote);
        for (to += SCAN_AHEAD; found; to++) *to = scan_take_end(at, &found, after_quote);
    }
    uint32_t noted = 0;
    while (note != notes && (note[-1] & SCAN_FIELD) == (uint32_t)(end - ends)) noted |= *--note & ~SCAN_FIELD;
    *stretch = (scan_csv_stretch){
        .inside = open, .after_quote = closed, .after_field = begun, .noted = noted,
        .ends = (uint32_t)(end - ends), .notes = (uint32_t)(note - notes), .odd = odd,
        .quoted_line_ends = quoted_line_ends};
}

static inline void scan_csv_ends_portable(
    const uint8_t *text, size_t from, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, uint32_t *ends, uint32_t *notes
) {
    scan_csv_ends_by(scan_parity, text, from, count, delimiter, quote, quoting, stretch, ends, notes);
}

// Makes cells of fields that follow each other: where their bytes are, enclosing quotes left out, as an
// offset, to which `shift` is added, and a length. An empty cell is 0 and 0.
//
// ends: as scan_csv_ends wrote them, the one before the first field's at [-1]. They are read, and cells are
// written, eight at a time: up to seven more than count.
static inline __attribute__((always_inline)) void scan_csv_cells_portable(
    const uint32_t *ends, size_t count, uint32_t shift, void *cells
) {
    typedef uint32_t eight __attribute__((vector_size(32)));
    uint8_t *to = cells;
    for (size_t i = 0; i < count; i += 8, to += 64) {
        eight end, before;
        memcpy(&end, ends + i, sizeof end);
        memcpy(&before, ends + i - 1, sizeof before);
        const eight enclosed = end >> 31;
        const eight offset = ((before + 1) & ~SCAN_ENCLOSED) + enclosed;
        const eight length = (end & ~SCAN_ENCLOSED) - enclosed - offset;
        const eight shifted = (offset + shift) & (eight)(length != 0);
        const eight low = __builtin_shufflevector(shifted, length, 0, 8, 1, 9, 2, 10, 3, 11);
        const eight high = __builtin_shufflevector(shifted, length, 4, 12, 5, 13, 6, 14, 7, 15);
        memcpy(to, &low, sizeof low);
        memcpy(to + 32, &high, sizeof high);
    }
}

#if defined(__x86_64__)
// The same for machines since 2013, which have wider registers and say more in one instruction.
#define SCAN_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul"), noinline)) static

static inline int scan_has_avx2(void) {
    // All that the target above names: a virtual machine may mask any of them, and where lzcnt is missing the processor
    // runs another instruction in its place.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

static inline __attribute__((target("pclmul"))) uint64_t scan_parity_pclmul(uint64_t x) {
    const __m128i ones = _mm_set1_epi8(-1);
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)x), ones, 0));
}

SCAN_AVX2 void scan_csv_ends_avx2(
    const uint8_t *text, size_t from, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, uint32_t *ends, uint32_t *notes
) {
    scan_csv_ends_by(
        scan_parity_pclmul, text, from, count, delimiter, quote, quoting, stretch, ends, notes);
}

SCAN_AVX2 void scan_csv_cells_avx2(const uint32_t *ends, size_t count, uint32_t shift, void *cells) {
    scan_csv_cells_portable(ends, count, shift, cells);
}
#endif

static inline void scan_csv_ends(
    const uint8_t *text, size_t from, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, uint32_t *ends, uint32_t *notes
) {
#if defined(__x86_64__)
    if (scan_has_avx2()) {
        scan_csv_ends_avx2(text, from, count, delimiter, quote, quoting, stretch, ends, notes);
        return;
    }
#endif
    scan_csv_ends_portable(text, from, count, delimiter, quote, quoting, stretch, ends, notes);
}

static inline void scan_csv_cells(const uint32_t *ends, size_t count, uint32_t shift, void *cells) {
#if defined(__x86_64__)
    if (scan_has_avx2()) {
        scan_csv_cells_avx2(ends, count, shift, cells);
        return;
    }
#endif
    scan_csv_cells_portable(ends, count, shift, cells);
}
