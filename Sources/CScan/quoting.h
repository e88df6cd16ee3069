// The second pass of a field scan (fields.h): finds which bytes are inside quotes.
#pragma once
#include "stretch.h"

// Vectors are passed only to functions that are always inlined, so the warning about calling conventions does
// not apply.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

typedef uint64_t scan_words __attribute__((vector_size(32)));
typedef int64_t scan_signs __attribute__((vector_size(32)));

// One bit for each of four words: set if the word is not 0.
static inline __attribute__((always_inline)) uint64_t scan_set_words(scan_words words) {
    typedef _Bool four __attribute__((ext_vector_type(4)));
    const four set = __builtin_convertvector(words != 0, four);
    uint8_t bits;
    memcpy(&bits, &set, sizeof bits);
    return bits & 15;
}

// Shifts four words left by one bit as one long number; the lowest bit comes from the last word of `before`.
static inline __attribute__((always_inline)) scan_words scan_behind(scan_words before, scan_words words) {
    return words << 1 | __builtin_shufflevector(before, words, 3, 4, 5, 6) >> 63;
}

// Bit i of each word is the parity of its bits up to i.
static inline __attribute__((always_inline)) scan_words scan_parity(scan_words words) {
    words ^= words << 1;
    words ^= words << 2;
    words ^= words << 4;
    words ^= words << 8;
    words ^= words << 16;
    return words ^ words << 32;
}

// The ends of those fields that contain a mark. A mark is never itself an end.
//
// carry: 1 if the field that continues from the previous word contains a mark. On return, the same for the
// field that continues into the next word.
static inline __attribute__((always_inline)) uint64_t scan_reached(
    uint64_t ends, uint64_t marks, uint64_t *carry
) {
    // The addition carries from a mark through all non-end bits to the next end, or out of the word.
    marks |= *carry;
    const uint64_t sum = ~ends + marks;
    *carry = sum < marks;
    return sum & ends;
}

// Handles four blocks at once, for stretches of regular fields: unquoted and without quotes, or quoted as a
// whole.
//
// Returns 0 if there are irregular fields. The output is then invalid.
static inline __attribute__((always_inline)) int scan_csv_quoting(
    scan_csv_blocks *blocks, size_t count, scan_csv_stretch *stretch
) {
    const scan_words none = {0};
    scan_words open = none + stretch->inside;
    scan_words closed = {0, 0, 0, stretch->after_quote << 63}, ended = {0, 0, 0, stretch->after_field << 63};
    scan_words line_ended = none, adjoining = none, wrong = none;
    uint64_t quoted_line_ends = 0;
    for (size_t block = count; block % 4 != 0; block++)
        blocks->quotes[block] = blocks->structural[block] = blocks->line_ends[block] = 0;
    for (size_t block = 0; block < count; block += 4) {
        scan_words quotes, line_ends, structural;
        memcpy(&quotes, blocks->quotes + block, sizeof quotes);
        memcpy(&line_ends, blocks->line_ends + block, sizeof line_ends);
        memcpy(&structural, blocks->structural + block, sizeof structural);
        // From an opening quote up to, not including, the closing one. The last parity of a word is applied
        // to all following words.
        scan_words inside = scan_parity(quotes);
        scan_words turned = (scan_words)((scan_signs)inside < 0);
        turned ^= __builtin_shufflevector(none, turned, 3, 4, 5, 6);
        turned ^= __builtin_shufflevector(none, turned, 2, 3, 4, 5);
        inside ^= open ^ __builtin_shufflevector(none, turned, 3, 4, 5, 6);
        open ^= __builtin_shufflevector(turned, turned, 3, 3, 3, 3);

        const scan_words ends = structural & ~inside;
        const scan_words closing = quotes & ~inside;  // a doubled quote closes and opens again
        const scan_words after_quote = scan_behind(closed, closing);
        const scan_words begins = scan_behind(ended, ends);
        wrong |= (quotes & inside & ~(begins | after_quote)) | (after_quote & ~(ends | quotes));
        const scan_words records = line_ends & ends;
        adjoining |= records & scan_behind(line_ended, records);
        quoted_line_ends |= scan_set_words(line_ends & inside) << block;
        closed = closing;
        ended = ends;
        line_ended = records;
        const scan_words enclosed = after_quote & ends, doubled = after_quote & quotes;
        memcpy(blocks->ends + block, &ends, sizeof ends);
        memcpy(blocks->records + block, &records, sizeof records);
        memcpy(blocks->enclosed + block, &enclosed, sizeof enclosed);
        memcpy(blocks->doubled + block, &doubled, sizeof doubled);
    }
    if (scan_set_words(wrong)) return 0;
    stretch->inside = open[0];
    stretch->after_quote = closed[3] >> 63;
    stretch->after_field = ended[3] >> 63;
    stretch->adjoining_ends = scan_set_words(adjoining);
    stretch->quoted_line_ends = quoted_line_ends;
    return 1;
}

// The same for any stretch, one block at a time.
static inline void scan_csv_quoting_irregular(
    scan_csv_blocks *blocks, size_t count, scan_csv_stretch *stretch
) {
    stretch->quoted_line_ends = 0;
    stretch->adjoining_ends = 0;
    stretch->mixed = 0;
    uint64_t line_ended = 0;
    for (size_t block = 0; block < count; block++) {
        const uint64_t structural = blocks->structural[block], line_ends = blocks->line_ends[block];
        uint64_t quotes = blocks->quotes[block], inside, ends, after_quote, stray = 0;
        for (;;) {
            inside = scan_parity((scan_words){quotes})[0] ^ stretch->inside;
            ends = structural & ~inside;
            after_quote = (quotes & ~inside) << 1 | stretch->after_quote;
            const uint64_t begins = ends << 1 | stretch->after_field;
            const uint64_t wrong = quotes & inside & ~(begins | after_quote);
            if (wrong == 0) break;
            // Everything before the first wrong quote is correct. That quote and the others up to the end of
            // its field are ordinary bytes.
            const uint64_t first = wrong & (0 - wrong), rest = structural & (0 - first);
            quotes &= ~((rest & (0 - rest)) - first);
            stray |= first;
        }
        stretch->inside = 0 - (inside >> 63);
        stretch->after_quote = (quotes & ~inside) >> 63;
        stretch->after_field = ends >> 63;
        stretch->quoted_line_ends |= (uint64_t)((line_ends & inside) != 0) << block;
        const uint64_t records = line_ends & ends;
        stretch->adjoining_ends |= records & (records << 1 | line_ended);
        line_ended = records >> 63;
        blocks->ends[block] = ends;
        blocks->records[block] = records;
        blocks->enclosed[block] = after_quote & ends;
        blocks->doubled[block] = after_quote & quotes;
        blocks->irregular[block] = (after_quote & ~(ends | quotes)) | stray;
        stretch->mixed |= blocks->irregular[block];
    }
}

#pragma clang diagnostic pop
