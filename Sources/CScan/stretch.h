// What is known of a stretch of a CSV file before, while and after it is scanned (fields.h).
#pragma once
#include "scan.h"

// Bytes of one stretch, and its blocks: a bit for each in the words below.
#define SCAN_STRETCH 4096
#define SCAN_BLOCKS (SCAN_STRETCH / 64)
// Room behind all fields of a stretch, for what is written, or read, in vain.
#define SCAN_AHEAD 32

// What is known of a field.
#define SCAN_ENCLOSED 1   // it stands within quotes
#define SCAN_RECORD 2     // it ends its record
#define SCAN_DOUBLED 4    // it holds a doubled quote
#define SCAN_IRREGULAR 8  // it is unquoted and holds a quote, or goes on after its closing quote

// What is known where a stretch begins, and after a scan, of its end and of what is in it.
typedef struct {
    uint64_t inside;       // all ones if the next byte is quoted, else 0
    uint64_t after_quote;  // 1 behind a closing quote or the first of a doubled one
    uint64_t after_field;  // 1 where a field begins
    uint64_t doubled;      // 1 if the open field is that
    uint64_t irregular;    // 1 if the open field is that
    uint64_t mixed;        // not 0 if fields of the stretch before were irregular

    uint32_t ends, notes;    // how many were written
    uint64_t adjoining_ends;  // not 0 if a line end stands behind another, as in CRLF
    // A bit for each block. One too many does no harm.
    uint64_t odd;               // holds NUL, or 0x80 and above
    uint64_t quoted_line_ends;  // holds a line end within quotes
} scan_csv_stretch;

// Where a scan writes, with room for SCAN_AHEAD more than a stretch has bytes.
typedef struct {
    uint16_t *ends;          // for each field the offset in the stretch of the byte that ends it
    uint8_t *flags;          // for each field what is known of it
    uint16_t *notes;         // indexes of the fields of which more is known than that they are enclosed
    const uint16_t *places;  // for each of 256 bytes the places of its bits that are set, in eight lanes
} scan_csv_fields;

// The masks of a stretch.
typedef struct {
    // What the bytes are.
    uint64_t quotes[SCAN_BLOCKS];
    uint64_t line_ends[SCAN_BLOCKS];
    uint64_t structural[SCAN_BLOCKS];  // delimiters and line ends
    // What they mean.
    uint64_t ends[SCAN_BLOCKS];       // of fields
    uint64_t records[SCAN_BLOCKS];    // ends of fields that end their record
    uint64_t enclosed[SCAN_BLOCKS];   // ends of fields within quotes
    uint64_t doubled[SCAN_BLOCKS];    // the second of each doubled quote
    uint64_t irregular[SCAN_BLOCKS];  // bytes that make their field so; unset where no field is
} scan_csv_blocks;
