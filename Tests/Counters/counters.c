// Counts a program's operations, for CountersTests. It is preloaded into the built tool. At the end of the
// process it writes the counts, one name and number per line, to the file named by COUNTERS_FILE.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long allocations, statements, bytes_written, syncs, jobs;

// The original of a counted function, looked up at the first call.
#define ORIGINAL(result, name, ...)                        \
    static _Atomic(result (*)(__VA_ARGS__)) found;      \
    result (*call)(__VA_ARGS__) = atomic_load(&found);  \
    if (!call) {                                         \
        call = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name); \
        atomic_store(&found, call);                     \
    }

// Allocations. These call glibc's own names, because dlsym allocates.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations++;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    allocations++;
    void *found = __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

// Statements: each step of SQLite, that is, each row read or statement executed.
int sqlite3_step(void *statement) {
    ORIGINAL(int, "sqlite3_step", void *)
    statements++;
    return call(statement);
}

// Bytes written to files, by SQLite and by the tool. Output to the terminal is not counted.
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    ORIGINAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)
    bytes_written += (long)count;
    return call(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    ORIGINAL(ssize_t, "write", int, const void *, size_t)
    if (file > STDERR_FILENO) bytes_written += (long)count;
    return call(file, bytes, count);
}

int fdatasync(int file) {
    ORIGINAL(int, "fdatasync", int)
    syncs++;
    return call(file);
}

int fsync(int file) {
    ORIGINAL(int, "fsync", int)
    syncs++;
    return call(file);
}

// Jobs: a task that starts, or continues after it was suspended. Jobs of the global executor pass Swift's
// own hook. Jobs of an actor with its own queue are blocks passed to that queue.
typedef __attribute__((swiftcall)) void (*enqueue)(void *);

static __attribute__((swiftcall)) void enqueued(void *job, enqueue original) {
    jobs++;
    original(job);
}

void dispatch_async(void *queue, void *block) {
    ORIGINAL(void, "dispatch_async", void *, void *)
    jobs++;
    call(queue, block);
}

__attribute__((constructor)) static void begin(void) {
    void **hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    if (hook) *hook = (void *)enqueued;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("COUNTERS_FILE");
    const long counts[] = {allocations, statements, bytes_written, syncs, jobs};
    const char *names[] = {"allocations", "statements", "bytes", "syncs", "jobs"};
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (int i = 0; i < 5; i++) fprintf(file, "%s %ld\n", names[i], counts[i]);
    fclose(file);
}
