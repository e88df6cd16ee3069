// `look-up-peer CATALOG COUNT`: the lookups of `catalog-rate look-up`, by the shortest C loop that does the same: the
// same statement on the same mapped file, the same keys, bodies copied into one buffer per batch and split into values.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batch = 4096 };

typedef struct {
    uint32_t offset, length;
    uint8_t field, author;
} value;

static uint64_t state;

static int64_t next_key(const int64_t *known, size_t count) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    uint64_t draw = state * 0x2545F4914F6CDD1DULL;
    if (draw % 5 != 0) return known[(draw >> 32) % count];
    int64_t twelve = 979800000000 + (int64_t)((draw >> 32) % 100000000), rest = twelve, sum = 0;
    for (int place = 0; place < 12; place++, rest /= 10) sum += rest % 10 * (place % 2 == 0 ? 3 : 1);
    return twelve * 10 + (10 - sum % 10) % 10;
}

static uint8_t *arena;
static size_t used, room;
static value *values;
static size_t value_count, value_room;

// Copies a packed record and splits it into values (PackedRecord.swift).
static void take(const uint8_t *body, int length) {
    if (used + (size_t)length > room) {
        room = 2 * (used + (size_t)length);
        arena = realloc(arena, room);
    }
    memcpy(arena + used, body, (size_t)length);
    for (int at = 1; at < length;) {
        value v = {0};
        v.field = body[at++];
        if (v.field >= 96) v.author = body[at++];
        int shift = 0;
        uint8_t byte;
        do {
            byte = body[at++];
            v.length |= (uint32_t)(byte & 0x7F) << shift;
            shift += 7;
        } while (byte >= 0x80);
        v.offset = (uint32_t)(used + (size_t)at);
        at += (int)v.length;
        if (value_count == value_room) {
            value_room = value_room ? 2 * value_room : 65536;
            values = realloc(values, value_room * sizeof *values);
        }
        values[value_count++] = v;
    }
    used += (size_t)length;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    sqlite3 *db;
    sqlite3_stmt *s;
    if (argc != 3 || sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK
        || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK
        || sqlite3_exec(db, "PRAGMA mmap_size = 2147418112; PRAGMA query_only = ON; BEGIN", 0, 0, 0) != SQLITE_OK
        || sqlite3_prepare_v2(db, "SELECT isbn FROM edition WHERE isbn > 0 ORDER BY isbn", -1, &s, NULL) != SQLITE_OK) {
        fprintf(stderr, "usage: look-up-peer CATALOG COUNT\n");
        return 64;
    }
    size_t count = 0, size = 1 << 20;
    int64_t *known = malloc(size * sizeof *known);
    while (sqlite3_step(s) == SQLITE_ROW) {
        if (count == size) known = realloc(known, (size *= 2) * sizeof *known);
        known[count++] = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    const char *sql =
        "SELECT e.work, e.body, w.body FROM edition e LEFT JOIN work w ON w.id = e.work WHERE e.isbn = ?";
    if (count == 0 || sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK) return 66;
    long total = atol(argv[2]);
    static int64_t keys[batch];
    for (int pass = 1; pass <= 2; pass++) {
        long hits = 0;
        size_t bytes = 0;
        double asking = 0;
        state = 0x9E3779B97F4A7C15ULL;
        for (long left = total; left > 0;) {
            int asked = left < batch ? (int)left : batch;
            left -= asked;
            for (int i = 0; i < asked; i++) keys[i] = next_key(known, count);
            used = 0;
            value_count = 0;
            double began = now();
            for (int i = 0; i < asked; i++) {
                sqlite3_bind_int64(s, 1, keys[i]);
                if (sqlite3_step(s) == SQLITE_ROW) {
                    int64_t work = sqlite3_column_int64(s, 0);
                    take(sqlite3_column_blob(s, 1), sqlite3_column_bytes(s, 1));
                    if (work != 0) take(sqlite3_column_blob(s, 2), sqlite3_column_bytes(s, 2));
                    hits++;
                }
                sqlite3_reset(s);
            }
            asking += now() - began;
            bytes += used;
        }
        if (pass == 2) printf("lookups/s %.0f hits %ld bytes %zu\n", (double)total / asking, hits, bytes);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return 0;
}
