// Computes cells from the field ends that a field scan (fields.h) found.
#pragma once
#include "stretch.h"

// Makes cells of consecutive fields. A cell is an offset and a length in bytes, without enclosing quotes;
// `shift` is added to the offset. An empty cell is 0 and 0.
//
// ends, flags: as a scan wrote them; ends[-1] is the end of the field before the first. Ends and flags are
// read and cells are written eight at a time: up to seven more than count.
static inline __attribute__((always_inline)) void scan_csv_cells_portable(
    const uint16_t *ends, const uint8_t *flags, size_t count, uint32_t shift, void *cells
) {
    typedef uint32_t eight __attribute__((vector_size(32)));
    typedef uint16_t eight_ends __attribute__((vector_size(16)));
    typedef uint8_t eight_flags __attribute__((vector_size(8)));
    uint8_t *to = cells;
    for (size_t i = 0; i < count; i += 8, to += 64) {
        eight_ends these, those;
        eight_flags known;
        memcpy(&these, ends + i, sizeof these);
        memcpy(&those, ends + i - 1, sizeof those);
        memcpy(&known, flags + i, sizeof known);
        const eight enclosed = __builtin_convertvector(known & SCAN_ENCLOSED, eight);
        const eight offset = __builtin_convertvector(those, eight) + 1 + enclosed;
        const eight length = __builtin_convertvector(these, eight) - enclosed - offset;
        const eight shifted = (offset + shift) & (eight)(length != 0);
        const eight low = __builtin_shufflevector(shifted, length, 0, 8, 1, 9, 2, 10, 3, 11);
        const eight high = __builtin_shufflevector(shifted, length, 4, 12, 5, 13, 6, 14, 7, 15);
        memcpy(to, &low, sizeof low);
        memcpy(to + 32, &high, sizeof high);
    }
}
