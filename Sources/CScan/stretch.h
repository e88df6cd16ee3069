// The state of a field scan (fields.h) over one stretch of a CSV file: input, masks and output.
#pragma once
#include "scan.h"

// The bytes of one stretch, and its blocks of 64 bytes. Masks by block have one bit for each block.
#define SCAN_STRETCH 4096
#define SCAN_BLOCKS (SCAN_STRETCH / 64)
// Extra space after the fields of a stretch, because vectors write and read beyond the last field.
#define SCAN_AHEAD 32

// The flags of a field.
#define SCAN_ENCLOSED 1   // it is quoted
#define SCAN_RECORD 2     // it ends its record
#define SCAN_DOUBLED 4    // it contains a doubled quote
#define SCAN_IRREGULAR 8  // it is unquoted and contains a quote, or continues after its closing quote

// Before a scan: the state at the beginning of the stretch. After it: the state at its end, and what it
// contains.
typedef struct {
    uint64_t inside;       // all ones if the next byte is quoted, else 0
    uint64_t after_quote;  // 1 after a closing quote or the first quote of a doubled one
    uint64_t after_field;  // 1 if the next byte begins a field
    uint64_t doubled;      // 1 if the open field contains a doubled quote
    uint64_t irregular;    // 1 if the open field is irregular
    uint64_t mixed;        // not 0 if the previous stretch had irregular fields

    uint32_t ends, notes;    // how many were written
    uint64_t adjoining_ends;  // not 0 if one line end directly follows another, as in CRLF
    // One bit for each block. A bit that is set unnecessarily does no harm.
    uint64_t odd;               // contains NUL, or 0x80 and above
    uint64_t quoted_line_ends;  // contains a line end inside quotes
} scan_csv_stretch;

// The output of a scan. Each array has space for SCAN_STRETCH + SCAN_AHEAD entries.
typedef struct {
    uint16_t *ends;          // per field: the offset in the stretch of the byte that ends it
    uint8_t *flags;          // per field: its SCAN_… flags
    uint16_t *notes;         // indexes of the fields with a flag other than SCAN_ENCLOSED
    const uint16_t *places;  // input: positions of the set bits of each byte value, in eight lanes
} scan_csv_fields;

// The masks of a stretch.
typedef struct {
    // First pass: what the bytes are.
    uint64_t quotes[SCAN_BLOCKS];
    uint64_t line_ends[SCAN_BLOCKS];
    uint64_t structural[SCAN_BLOCKS];  // delimiters and line ends
    // Second pass: what they mean.
    uint64_t ends[SCAN_BLOCKS];       // ends of fields
    uint64_t records[SCAN_BLOCKS];    // ends of fields that end their record
    uint64_t enclosed[SCAN_BLOCKS];   // ends of quoted fields
    uint64_t doubled[SCAN_BLOCKS];    // the second of each doubled quote
    uint64_t irregular[SCAN_BLOCKS];  // bytes that make their field irregular; not written if no field is
} scan_csv_blocks;
