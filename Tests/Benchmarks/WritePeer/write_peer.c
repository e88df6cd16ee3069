// `write-peer STORE OUT`: writes the rows of a store again, by the shortest C loop: the same tables, columns and
// indexes, the same page size, journal and memory limits, sequential ids, prepared statements, and as many rows per
// transaction as an import commits together. Rows are in memory before the clock starts. Other work of an import (new
// or known records, which author) is not done.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { transactions = 8192 };  // records per transaction: eight batches of 1,024

typedef struct {
    int columns;
    long rows;
    sqlite3_value **values;
    sqlite3_stmt *insert;
    char name[64];
} table;

static sqlite3 *from, *to;
static const char *at = "the arguments";

static void check(int code, sqlite3 *db) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "write-peer: %s: %s\n", at, sqlite3_errmsg(db));
    exit(70);
}

static void run(const char *sql) { check(sqlite3_exec(to, sql, 0, 0, 0), to); }

// Copies a pragma's value.
static void copy_pragma(const char *pragma) {
    char sql[128];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql, "PRAGMA %s", pragma);
    check(sqlite3_prepare_v2(from, sql, -1, &s, 0), from);
    if (sqlite3_step(s) == SQLITE_ROW) {
        char set[160];
        snprintf(set, sizeof set, "PRAGMA %s = %s", pragma, sqlite3_column_text(s, 0));
        run(set);
    }
    sqlite3_finalize(s);
}

// Reads a whole table in its stored order.
static void load(table *t, const char *name) {
    char sql[4096];
    sqlite3_stmt *s;
    at = name;
    snprintf(t->name, sizeof t->name, "%s", name);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", name);
    check(sqlite3_prepare_v2(from, sql, -1, &s, 0), from);
    t->columns = sqlite3_column_count(s);
    size_t room = 1 << 16, used = 0;
    t->values = malloc(room * sizeof *t->values);
    while (sqlite3_step(s) == SQLITE_ROW) {
        if (used + (size_t)t->columns > room) t->values = realloc(t->values, (room *= 2) * sizeof *t->values);
        for (int i = 0; i < t->columns; i++) t->values[used++] = sqlite3_value_dup(sqlite3_column_value(s, i));
        t->rows++;
    }
    sqlite3_finalize(s);
    int length = snprintf(sql, sizeof sql, "INSERT OR FAIL INTO %s VALUES (?", name);
    for (int i = 1; i < t->columns; i++) length += snprintf(sql + length, sizeof sql - (size_t)length, ",?");
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    check(sqlite3_prepare_v3(to, sql, -1, SQLITE_PREPARE_PERSISTENT, &t->insert, 0), to);
}

int main(int argc, char **argv) {
    static table tables[64];
    int count = 0;
    sqlite3_stmt *s;
    if (argc != 3) {
        fprintf(stderr, "usage: write-peer STORE OUT\n");
        return 64;
    }
    remove(argv[2]);
    check(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0), 0);
    check(sqlite3_open_v2(argv[1], &from, SQLITE_OPEN_READONLY, 0), from);
    check(sqlite3_open(argv[2], &to), to);
    copy_pragma("page_size");
    copy_pragma("journal_mode");
    run("PRAGMA synchronous = NORMAL");
    // The store's tables, with their indexes from the start.
    const char *made = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'";
    check(sqlite3_prepare_v2(from, made, -1, &s, 0), from);
    while (sqlite3_step(s) == SQLITE_ROW) run((const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    const char *named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'";
    check(sqlite3_prepare_v2(from, named, -1, &s, 0), from);
    while (sqlite3_step(s) == SQLITE_ROW && count < 64) load(&tables[count++], (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    long records = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(tables[i].name, "entries") == 0) records = tables[i].rows;
    if (records == 0) {
        fprintf(stderr, "write-peer: %s has no entries\n", argv[1]);
        return 66;
    }

    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (long first = 0; first < records; first += transactions) {
        long last = first + transactions < records ? first + transactions : records;
        run("BEGIN IMMEDIATE");
        for (int i = 0; i < count; i++) {
            table *t = &tables[i];
            at = t->name;
            // Each table's share of the transaction.
            long row = t->rows * first / records, end = t->rows * last / records;
            for (; row < end; row++) {
                for (int c = 0; c < t->columns; c++)
                    sqlite3_bind_value(t->insert, c + 1, t->values[row * t->columns + c]);
                check(sqlite3_step(t->insert), to);
                sqlite3_reset(t->insert);
            }
        }
        run("COMMIT");
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9;
    printf("records %ld seconds %.3f records/s %.0f\n", records, seconds, (double)records / seconds);
    return 0;
}
