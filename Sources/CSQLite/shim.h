#pragma once
#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift cannot import these macros and variadic functions, so each has an inline function.

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
static inline int etl_sqlite3_bind_text_copy(sqlite3_stmt *s, int i, const char *p, int n) {
    return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT);
}
static inline int etl_sqlite3_bind_blob_copy(sqlite3_stmt *s, int i, const void *p, int n) {
    return sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT);
}
/// SQLITE_STATIC: the caller keeps the bytes in place until the statement is reset.
static inline int etl_sqlite3_bind_text_static(sqlite3_stmt *s, int i, const char *p, int n) {
    return sqlite3_bind_text(s, i, p, n, SQLITE_STATIC);
}
static inline int etl_sqlite3_bind_blob_static(sqlite3_stmt *s, int i, const void *p, int n) {
    return sqlite3_bind_blob(s, i, p, n, SQLITE_STATIC);
}
/// sqlite3_db_config for an on/off option: `on` is 0 or 1.
static inline int etl_sqlite3_db_switch(sqlite3 *db, int what, int on) {
    return sqlite3_db_config(db, what, on, (int *)0);
}
/// Disables SQLite's allocation statistics, which take a lock for each allocation. Call it before the first
/// connection is opened.
static inline int etl_sqlite3_no_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
/// Bytes of pages that a statement keeps in memory to be able to undo itself, before it uses a temporary file
/// (by default 64 KiB). Call it before the first connection is opened.
static inline int etl_sqlite3_statement_journal(int bytes) {
    return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}
/// Starts writing a file's changed pages to disk without waiting (SYNC_FILE_RANGE_WRITE of
/// sync_file_range(2)).
static inline void etl_begin_writing(int file) {
    long syscall(long number, ...);
    (void)syscall(SYS_sync_file_range, file, 0LL, 0LL, 2);
}
