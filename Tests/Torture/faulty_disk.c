// Preloaded into a process, counts its changes to files below a folder and makes one of them go wrong.
//
//     cc -O2 -shared -fPIC -o faulty_disk.so faulty_disk.c -ldl
//     TORTURE_ROOT=FOLDER TORTURE_COUNT=FILE TORTURE_MODE=kill TORTURE_AT=17 LD_PRELOAD=./faulty_disk.so etl …
//
// TORTURE_COUNT is a file of eight bytes, the number of changes so far, in memory shared with the driver.
// TORTURE_MODE:
//   count  only counts
//   kill   SIGKILL before change number TORTURE_AT
//   fail   change TORTURE_AT and all later ones fail with the error number TORTURE_ERRNO
//   once   only change TORTURE_AT fails
//   cut    a power cut before change TORTURE_AT: blocks of 4 KiB that were not synced keep one of the states they had
//          since the last sync, files that were not synced may get back their length, removed files may be there
//          again, renamed ones may have their old name, and the process is killed. TORTURE_SEED decides. If
//          TORTURE_LIES is set, syncing does nothing: the negative control.
// A change is a write, a truncation, a sync, a removal, a renaming, making a folder, or opening a file that may create
// it. Streams that write (fopen) are counted as well.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096 };
enum mode { COUNT, KILL, FAIL, ONCE, CUT };

static const char *root;
static enum mode mode;
static uint64_t at, seed;
static int number, lies;
static _Atomic uint64_t *counter, fallback;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// The shim's own calls are not counted.
static _Thread_local int inside;

// State of a block, a length or a removed file before a change, until the file is synced.
struct change {
    struct change *next;
    char path[512];
    ino_t inode;
    off_t block;  // -1: the length; -2: a removed or replaced file, kept as `kept`; -3: done with
    off_t length; // of the file, before
    char kept[512], from[512]; // where it is kept, if there was one; the name that its replacement had
    int bytes;
    unsigned char before[BLOCK];
};
static struct change *changes; // the latest first

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void set_up(void) {
    const char *text = getenv("TORTURE_MODE");
    root = getenv("TORTURE_ROOT");
    const char *names[] = {"count", "kill", "fail", "once", "cut"};
    for (int i = 0; text && i < 5; i++) if (!strcmp(text, names[i])) mode = i;
    if ((text = getenv("TORTURE_AT"))) at = strtoull(text, 0, 10);
    if ((text = getenv("TORTURE_SEED"))) seed = strtoull(text, 0, 10);
    if ((text = getenv("TORTURE_ERRNO"))) number = atoi(text);
    lies = getenv("TORTURE_LIES") != 0;
    counter = &fallback;
    if ((text = getenv("TORTURE_COUNT"))) {
        int fd = REAL(open)(text, O_RDWR);
        void *shared = fd < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared != MAP_FAILED) counter = shared;
        if (fd >= 0) close(fd);
    }
}

static int below_root(const char *path) {
    return root && path && !strncmp(path, root, strlen(root));
}

// The path of an open regular file below the root; 0 for anything else.
static int path_of(int fd, char path[512], struct stat *info) {
    char link[64];
    if (fstat(fd, info) || !S_ISREG(info->st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, path, 511);
    if (count <= 0) return 0;
    path[count] = 0;
    return below_root(path);
}

static uint64_t mixed(uint64_t x) {
    x += seed * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

// A number for a block that is the same in each run, as that of its file is not.
static uint64_t number_of(const struct change *change) {
    uint64_t hash = (uint64_t)change->block;
    for (const char *c = change->path + strlen(root); *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
    return hash;
}

// Whether an older change is of the same block of the same file.
static int same(const struct change *a, const struct change *b) { return a->inode == b->inode && a->block == b->block; }

// Renames the changes of a file or folder that was renamed.
static void rename_changes(const char *from, const char *to) {
    size_t length = strlen(from);
    char rest[512];
    for (struct change *c = changes; c; c = c->next) {
        if (c->block == -2 || strncmp(c->path, from, length) || (c->path[length] && c->path[length] != '/')) continue;
        strcpy(rest, c->path + length);
        snprintf(c->path, sizeof c->path, "%.300s%.200s", to, rest);
    }
}

static void put_back(const struct change *change) {
    if (change->block == -2) {
        if (*change->from && !REAL(rename)(change->path, change->from)) rename_changes(change->path, change->from);
        if (*change->kept && access(change->path, F_OK)) REAL(rename)(change->kept, change->path);
        return;
    }
    int fd = REAL(open)(change->path, O_RDWR);
    struct stat info;
    if (fd < 0) return;
    if (!fstat(fd, &info) && info.st_ino == change->inode) {
        if (change->block == -1) (void)!REAL(ftruncate)(fd, change->length);
        else if (change->bytes) (void)!REAL(pwrite)(fd, change->before, change->bytes, change->block * BLOCK);
    }
    close(fd);
}

// Each block keeps one of the states that it had since the last sync, chosen at random.
static void cut_power(void) {
    for (struct change *first = changes; first; first = first->next) {
        if (first->block == -3) continue;
        int count = 0;
        for (struct change *c = first; c; c = c->next) count += same(c, first);
        // The latest first, so that the oldest lost state remains.
        int lost = mixed(number_of(first)) % (count + 1);
        if (lost > 0) put_back(first);
        for (struct change *c = first; c; c = c->next) {
            if (c == first || !same(c, first)) continue;
            if (--lost > 0) put_back(c);
            c->block = -3;
        }
    }
    kill(getpid(), SIGKILL);
}

static void remember(const char *path, const struct stat *info, off_t block, const char *kept, int fd) {
    struct change *change = calloc(1, sizeof *change);
    if (!change) return;
    snprintf(change->path, sizeof change->path, "%s", path);
    if (kept) snprintf(change->kept, sizeof change->kept, "%s", kept);
    change->inode = info->st_ino;
    change->block = block;
    change->length = info->st_size;
    if (block >= 0) {
        ssize_t bytes = pread(fd, change->before, BLOCK, block * BLOCK);
        change->bytes = bytes > 0 ? (int)bytes : 0;
    }
    change->next = changes;
    changes = change;
}

static void forget(ino_t inode) {
    for (struct change **link = &changes; *link;) {
        struct change *change = *link;
        if (change->inode == inode && change->block != -2) {
            *link = change->next;
            free(change);
        } else link = &change->next;
    }
}

// A synced folder keeps its removals.
static void forget_removals(int fd) {
    char link[64], path[512];
    struct stat info;
    if (mode != CUT || lies || fstat(fd, &info) || !S_ISDIR(info.st_mode)) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, path, 511);
    if (count <= 0) return;
    for (struct change *c = changes; c; c = c->next)
        if (c->block == -2 && !strncmp(c->path, path, count) && !strchr(c->path + count + 1, '/')) c->block = -3;
}

// Counts a change; whether it has to fail, with errno set.
static int fails(void) {
    uint64_t count = atomic_fetch_add(counter, 1) + 1;
    if (mode == KILL && count == at) kill(getpid(), SIGKILL);
    if (mode == CUT && count == at) cut_power();
    if ((mode == ONCE && count == at) || (mode == FAIL && count >= at)) {
        errno = number;
        return 1;
    }
    return 0;
}

// Runs a call: `before` records what it destroys, then the call itself follows, with the lock held.
#define CHANGE(result, failed, concerns, before, call)                                                                \
    pthread_once(&once, set_up);                                                                                      \
    if (inside || !root) return call;                                                                                 \
    inside = 1;                                                                                                       \
    pthread_mutex_lock(&lock);                                                                                        \
    result outcome = failed;                                                                                          \
    if (!(concerns)) outcome = call;                                                                                  \
    else if (!fails()) {                                                                                              \
        if (mode == CUT) before;                                                                                      \
        outcome = call;                                                                                               \
    }                                                                                                                 \
    int error = errno;                                                                                                \
    pthread_mutex_unlock(&lock);                                                                                      \
    inside = 0;                                                                                                       \
    errno = error;                                                                                                    \
    return outcome

static void before_write(int fd, const char *path, const struct stat *info, off_t offset, size_t count) {
    if (offset + (off_t)count > info->st_size) remember(path, info, -1, 0, fd);
    for (off_t block = offset / BLOCK; block * BLOCK < offset + (off_t)count; block++)
        remember(path, info, block, 0, fd);
}

static off_t position(int fd, const struct stat *info) {
    return fcntl(fd, F_GETFL) & O_APPEND ? info->st_size : lseek(fd, 0, SEEK_CUR);
}

static void before_truncation(int fd, const char *path, const struct stat *info, off_t length) {
    for (off_t block = length / BLOCK; block * BLOCK < info->st_size; block++) remember(path, info, block, 0, fd);
    remember(path, info, -1, 0, fd);
}

static int before_removal(const char *path) {
    static int removed;
    struct stat info;
    char kept[512];
    if (stat(path, &info) || !S_ISREG(info.st_mode)) return 0;
    snprintf(kept, sizeof kept, "%s.removed-%d", path, removed++);
    if (link(path, kept)) return 0;
    remember(path, &info, -2, kept, -1);
    return 1;
}

static void before_renaming(const char *from, const char *to) {
    struct stat info;
    if (stat(from, &info)) return;
    rename_changes(from, to);
    if (!before_removal(to)) remember(to, &info, -2, 0, -1);
    snprintf(changes->from, sizeof changes->from, "%s", from);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    char path[512];
    struct stat info;
    CHANGE(ssize_t, -1, path_of(fd, path, &info), before_write(fd, path, &info, position(fd, &info), count),
           REAL(write)(fd, bytes, count));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    char path[512];
    struct stat info;
    CHANGE(ssize_t, -1, path_of(fd, path, &info), before_write(fd, path, &info, offset, count),
           REAL(pwrite)(fd, bytes, count, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return pwrite(fd, bytes, count, offset); }

int ftruncate(int fd, off_t length) {
    char path[512];
    struct stat info;
    CHANGE(int, -1, path_of(fd, path, &info), before_truncation(fd, path, &info, length), REAL(ftruncate)(fd, length));
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int fsync(int fd) {
    char path[512];
    struct stat info;
    CHANGE(int, -1, (forget_removals(fd), path_of(fd, path, &info)), if (!lies) forget(info.st_ino),
           lies ? 0 : REAL(fsync)(fd));
}

int fdatasync(int fd) {
    char path[512];
    struct stat info;
    CHANGE(int, -1, (forget_removals(fd), path_of(fd, path, &info)), if (!lies) forget(info.st_ino),
           lies ? 0 : REAL(fdatasync)(fd));
}

int unlink(const char *path) { CHANGE(int, -1, below_root(path), before_removal(path), REAL(unlink)(path)); }

int rename(const char *from, const char *to) {
    CHANGE(int, -1, below_root(to), before_renaming(from, to), REAL(rename)(from, to));
}

int mkdir(const char *path, mode_t bits) { CHANGE(int, -1, below_root(path), (void)0, REAL(mkdir)(path, bits)); }

#define OPEN(name, declared, passed)                                                                                  \
    int name declared {                                                                                               \
        mode_t mode_bits = 0;                                                                                         \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                          \
            va_list list;                                                                                             \
            va_start(list, flags);                                                                                    \
            mode_bits = va_arg(list, mode_t);                                                                         \
            va_end(list);                                                                                             \
        }                                                                                                             \
        CHANGE(int, -1, flags & O_CREAT && below_root(path), (void)0, REAL(name) passed);                             \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode_bits))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode_bits))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode_bits))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode_bits))

// Streams: the C library writes them past the functions above.
static ssize_t write_stream(void *fd, const char *bytes, size_t count) {
    ssize_t written = write((int)(intptr_t)fd, bytes, count);
    return written < 0 ? 0 : written;
}
static ssize_t read_stream(void *fd, char *bytes, size_t count) { return read((int)(intptr_t)fd, bytes, count); }
static int seek_stream(void *fd, off64_t *offset, int whence) {
    *offset = lseek64((int)(intptr_t)fd, *offset, whence);
    return *offset < 0 ? -1 : 0;
}
static int close_stream(void *fd) { return close((int)(intptr_t)fd); }

FILE *fopen64(const char *path, const char *kind) {
    pthread_once(&once, set_up);
    if (inside || *kind != 'w' || !below_root(path)) return REAL(fopen64)(path, kind);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    cookie_io_functions_t functions = {read_stream, write_stream, seek_stream, close_stream};
    return fd < 0 ? 0 : fopencookie((void *)(intptr_t)fd, kind, functions);
}

FILE *fopen(const char *path, const char *kind) { return fopen64(path, kind); }
