// The scan for fields and cells (fields.h, cells.h) with AVX2 and BMI2, and the choice of the implementation
// at run time.
#pragma once
#include "cells.h"
#include "fields.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SCAN_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"), noinline)) static
#define SCAN_AVX2_PART static inline __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"), always_inline))

static inline int scan_has_avx2(void) {
    // Checks every feature that the target above names. A virtual machine may mask any of them, and without
    // lzcnt the processor executes a different instruction instead.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
}

// Whether PEXT and PDEP are fast. AMD processors before Zen 3 implement them in microcode.
static inline int scan_has_fast_pext(void) {
    return scan_has_avx2() && !__builtin_cpu_is("bdver4") && !__builtin_cpu_is("znver1")
        && !__builtin_cpu_is("znver2");
}

// The third pass, all eight bytes of a mask at a time, whatever bits are set.
SCAN_AVX2_PART void scan_csv_list_pext(
    const scan_csv_blocks *blocks, size_t count, scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    typedef uint16_t lanes __attribute__((vector_size(16)));
    const uint64_t spread = 0x0101010101010101;
    const uint16_t *const places = fields->places;
    uint16_t *end = fields->ends;
    uint8_t *flags = fields->flags;
    uint64_t reaching = stretch->doubled;
    for (size_t block = 0; block < count; block++) {
        const uint64_t ends = blocks->ends[block];
        if (!ends) {  // long texts have many such blocks in a row
            reaching |= blocks->doubled[block] != 0;
            continue;
        }
        // Gathers the flags of the ends, first as adjacent bits, then as bytes.
        uint64_t enclosed = _pext_u64(blocks->enclosed[block], ends);
        uint64_t records = _pext_u64(blocks->records[block], ends);
        uint64_t doubled = _pext_u64(scan_reached(ends, blocks->doubled[block], &reaching), ends);
        const int found = __builtin_popcountll(ends);
        for (int first = 0;;) {
            const uint64_t known[2] = {
                _pdep_u64(enclosed, spread * SCAN_ENCLOSED)
                    | _pdep_u64(records, spread * SCAN_RECORD)
                    | _pdep_u64(doubled, spread * SCAN_DOUBLED),
                _pdep_u64(enclosed >> 8, spread * SCAN_ENCLOSED)
                    | _pdep_u64(records >> 8, spread * SCAN_RECORD)
                    | _pdep_u64(doubled >> 8, spread * SCAN_DOUBLED)};
            memcpy(flags + first, known, sizeof known);
            if (__builtin_expect((first += 16) >= found, 1)) break;
            enclosed >>= 16;
            records >>= 16;
            doubled >>= 16;
        }
        flags += found;
        // The mask's bytes are loaded from memory again: shifting them out of a register is slower.
        const uint8_t *bytes = (const uint8_t *)&blocks->ends[block];
        __asm__("" : "+r"(bytes));
        lanes offset = (lanes){0} + (uint16_t)(block * 64);
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++, offset += 8) {
            const uint8_t byte = bytes[i];
            lanes found_here;
            memcpy(&found_here, places + 8 * byte, sizeof found_here);
            found_here += offset;
            memcpy(end, &found_here, sizeof found_here);
            end += __builtin_popcount(byte);
        }
    }
    stretch->doubled = reaching;
    stretch->ends = (uint32_t)(end - fields->ends);
}

SCAN_AVX2 void scan_csv_ends_pext(
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    scan_csv_ends_by(scan_csv_list_pext, text, count, delimiter, quote, quoting, stretch, fields);
}

SCAN_AVX2 void scan_csv_ends_avx2(
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    scan_csv_ends_by(scan_csv_list_portable, text, count, delimiter, quote, quoting, stretch, fields);
}

SCAN_AVX2 void scan_csv_cells_avx2(
    const uint16_t *ends, const uint8_t *flags, size_t count, uint32_t shift, void *cells
) {
    scan_csv_cells_portable(ends, flags, count, shift, cells);
}
#endif

static inline void scan_csv_ends(
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
#if defined(__x86_64__)
    if (scan_has_fast_pext()) {
        scan_csv_ends_pext(text, count, delimiter, quote, quoting, stretch, fields);
        return;
    }
    if (scan_has_avx2()) {
        scan_csv_ends_avx2(text, count, delimiter, quote, quoting, stretch, fields);
        return;
    }
#endif
    scan_csv_ends_portable(text, count, delimiter, quote, quoting, stretch, fields);
}

static inline void scan_csv_cells(
    const uint16_t *ends, const uint8_t *flags, size_t count, uint32_t shift, void *cells
) {
#if defined(__x86_64__)
    if (scan_has_avx2()) {
        scan_csv_cells_avx2(ends, flags, count, shift, cells);
        return;
    }
#endif
    scan_csv_cells_portable(ends, flags, count, shift, cells);
}
