// Finds where the fields of a CSV file end, in four passes over a stretch of 4 KiB, whose masks stay in the
// L1 cache: 1. classify the bytes (scan.h); 2. resolve quoting (quoting.h); 3. list the field ends; 4. note
// the fields that need more work.
//
// No pass branches on something unpredictable, such as how many fields end in a block. A mispredicted branch
// costs as much as the block itself, and in a single combined pass it would also discard the work on the
// blocks ahead.
#pragma once
#include "quoting.h"

// Classifies the bytes of one block. Returns whether some are odd.
static inline __attribute__((always_inline)) uint64_t scan_csv_classify_block(
    const uint8_t *p, size_t block, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_blocks *blocks
) {
    const scan_csv_masks m = scan_csv(p, delimiter, quote);
    blocks->quotes[block] = m.quotes & quoting;
    blocks->line_ends[block] = m.line_ends;
    blocks->structural[block] = m.delimiters | m.line_ends;
    // Both halves are combined: the position of an odd byte does not matter.
    scan_half low, high;
    memcpy(&low, p, sizeof low);
    memcpy(&high, p + sizeof low, sizeof high);
    const scan_half odd = (low <= 0) | (high <= 0);
    return scan_half_bits(&odd) != 0;
}

// The first pass: classifies the bytes. Returns the number of blocks.
//
// quoting: all ones if quotes are special, else 0; then the quote is the delimiter.
static inline __attribute__((always_inline)) size_t scan_csv_classify(
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, scan_csv_blocks *blocks
) {
    const size_t whole = count / 64;
    uint64_t odd = 0;
    for (size_t block = 0; block < whole; block++)
        odd |= scan_csv_classify_block(text + block * 64, block, delimiter, quote, quoting, blocks) << block;
    if (count % 64) {
        uint8_t last[64];
        memset(last, 0x80, sizeof last);  // padding that ends no field
        memcpy(last, text + whole * 64, count % 64);
        odd |= scan_csv_classify_block(last, whole, delimiter, quote, quoting, blocks) << whole;
    }
    stretch->odd = odd;
    return whole + (count % 64 != 0);
}

// The third pass, one field at a time.
static inline __attribute__((always_inline)) void scan_csv_list_portable(
    const scan_csv_blocks *blocks, size_t count, scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    uint16_t *end = fields->ends;
    uint8_t *flags = fields->flags;
    for (size_t block = 0; block < count; block++) {
        uint64_t ends = blocks->ends[block];
        const uint64_t doubled = scan_reached(ends, blocks->doubled[block], &stretch->doubled);
        for (; ends; ends &= ends - 1) {
            const int place = __builtin_ctzll(ends);
            *end++ = (uint16_t)(block * 64 + (size_t)place);
            *flags++ = (uint8_t)((blocks->enclosed[block] >> place & 1) * SCAN_ENCLOSED
                | (blocks->records[block] >> place & 1) * SCAN_RECORD
                | (doubled >> place & 1) * SCAN_DOUBLED);
        }
    }
    stretch->ends = (uint32_t)(end - fields->ends);
}

// Sets the flag of irregular fields.
static inline void scan_csv_mark_irregular(
    const scan_csv_blocks *blocks, size_t count, scan_csv_stretch *stretch, uint8_t *flags
) {
    for (size_t block = 0; block < count; block++) {
        const uint64_t ends = blocks->ends[block];
        uint64_t marked = scan_reached(ends, blocks->irregular[block], &stretch->irregular);
        for (; marked; marked &= marked - 1)
            flags[__builtin_popcountll(ends & ((marked & (0 - marked)) - 1))] |= SCAN_IRREGULAR;
        flags += __builtin_popcountll(ends);
    }
}

// The fourth pass: notes the fields that need more work.
static inline __attribute__((always_inline)) void scan_csv_note(
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    uint16_t *note = fields->notes;
    for (uint32_t first = 0; first < stretch->ends; first += 32) {
        scan_half flags;
        memcpy(&flags, fields->flags + first, sizeof flags);
        const scan_half more = (scan_half)(flags > SCAN_ENCLOSED);
        uint32_t noted = scan_half_bits(&more);
        if (stretch->ends - first < 32) noted &= (1u << (stretch->ends - first)) - 1;
        // Usually up to four of 32 fields are noted. Writing a few unused entries is cheaper than a
        // mispredicted branch. Without volatile, the compiler gathers them in a vector first, which is
        // slower.
        volatile uint16_t *to = note;
        note += __builtin_popcount(noted);
        do {
            for (int i = 0; i < 4; i++, noted &= noted - 1)
                to[i] = (uint16_t)(first + (noted ? (uint32_t)__builtin_ctz(noted) : 32));
            to += 4;
        } while (noted);
    }
    stretch->notes = (uint32_t)(note - fields->notes);
}

// Finds the ends of fields in the next bytes of a text: SCAN_STRETCH bytes, or fewer if the text ends before.
// A field ends at a delimiter, CR or LF outside quotes; the LF of a CRLF ends an empty field. A quote opens
// only as a field's first byte. In an unquoted field and after the closing quote, quotes are ordinary bytes.
//
// list: an implementation of the third pass.
static inline __attribute__((always_inline)) void scan_csv_ends_by(
    void (*list)(const scan_csv_blocks *, size_t, scan_csv_stretch *, const scan_csv_fields *),
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    scan_csv_blocks blocks;
    const size_t found = scan_csv_classify(text, count, delimiter, quote, quoting, stretch, &blocks);
    // More irregular fields are likely to follow the first ones, and the fast pass would be wasted on them.
    const int regular = !(stretch->irregular | stretch->mixed) && scan_csv_quoting(&blocks, found, stretch);
    if (__builtin_expect(!regular, 0)) scan_csv_quoting_irregular(&blocks, found, stretch);
    list(&blocks, found, stretch, fields);
    if (__builtin_expect(!regular, 0)) scan_csv_mark_irregular(&blocks, found, stretch, fields->flags);
    scan_csv_note(stretch, fields);
}

__attribute__((noinline, unused)) static void scan_csv_ends_portable(
    const uint8_t *text, size_t count, uint8_t delimiter, uint8_t quote, uint64_t quoting,
    scan_csv_stretch *stretch, const scan_csv_fields *fields
) {
    scan_csv_ends_by(
        scan_csv_list_portable, text, count, delimiter, quote, quoting, stretch, fields);
}
