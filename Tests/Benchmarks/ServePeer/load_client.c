// `load-client PORT SECONDS CONNECTIONS RATE FILE`: requests the paths of a file, one a line, again and again. With
// RATE 0 each connection asks as soon as it was answered; otherwise RATE requests a second begin, whether earlier
// ones are answered or not. SIGTERM ends it early. Prints as words: requests a second, milliseconds at the 50th, 95th
// and 99th percentile and of the slowest, answers that are not 200, answers with `X-Cache: HIT`. Times are from when
// a request was due.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { most = 1024, room = 1 << 18 };
typedef struct {
    int socket, busy;
    size_t have;
    double due;
    char *bytes;
} connection;

static connection all[most];
static char **requests;
static size_t paths, next, answered, wrong, hits, kept;
static float *times;
static const size_t most_times = 1 << 24;

static volatile sig_atomic_t is_over;

static void stop(int number) {
    (void)number;
    is_over = 1;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what) {
    perror(what);
    exit(70);
}

static void ask(connection *c, double due) {
    const char *text = requests[next++ % paths];
    size_t size = strlen(text);
    c->due = due;
    c->busy = 1;
    c->have = 0;
    // A request is small, so it fits into an empty socket at once.
    if (write(c->socket, text, size) != (ssize_t)size) fail("write");
}

// Whether the answer is complete.
static int read_answer(connection *c) {
    ssize_t count = read(c->socket, c->bytes + c->have, room - 1 - c->have);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count <= 0) fail("the server closed the connection");
    c->have += (size_t)count;
    c->bytes[c->have] = 0;
    char *end = strstr(c->bytes, "\r\n\r\n");
    if (!end) return 0;
    *end = 0;
    char *length = strcasestr(c->bytes, "\r\nContent-Length:");
    size_t size = length ? strtoul(length + 17, NULL, 10) : 0;
    int is_complete = c->have >= (size_t)(end - c->bytes) + 4 + size;
    if (is_complete) {
        wrong += strncmp(c->bytes, "HTTP/1.1 200", 12) != 0;
        hits += strcasestr(c->bytes, "\r\nX-Cache: HIT") != NULL;
    }
    *end = '\r';
    return is_complete;
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double percentile(double share) {
    return kept ? times[(size_t)(share * (kept - 1))] : 0;
}

int main(int count, char **words) {
    if (count != 6) return 64;
    signal(SIGTERM, stop);
    int port = atoi(words[1]), connections = atoi(words[3]);
    double seconds = atof(words[2]), rate = atof(words[4]);
    if (connections < 1 || connections > most) return 64;
    times = malloc(most_times * sizeof *times);
    requests = malloc((1 << 20) * sizeof *requests);
    FILE *file = fopen(words[5], "r");
    if (!file || !times || !requests) return 66;
    char line[8192], text[8300];
    while (paths < 1 << 20 && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", line);
        requests[paths++] = strdup(text);
    }
    if (!paths) return 66;
    int poll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    for (int i = 0; i < connections; i++) {
        connection *c = &all[i];
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        c->socket = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(c->socket, (struct sockaddr *)&address, sizeof address)) fail("connect");
        int yes = 1;
        setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        c->bytes = malloc(room);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(poll, EPOLL_CTL_ADD, c->socket, &event);
    }
    double began = now(), end = began + seconds;
    size_t due = 0, begun = 0;
    int turn = 0;
    if (rate > 0) {
        long step = (long)(1e9 / rate);
        struct itimerspec every = {{0, step}, {0, step}};
        timerfd_settime(timer, 0, &every, NULL);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = most};
        epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
    } else {
        for (int i = 0; i < connections; i++) ask(&all[i], now());
    }
    struct epoll_event events[256];
    while (now() < end && !is_over) {
        int ready = epoll_wait(poll, events, 256, 100);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.u32 == most) {
                uint64_t ticks;
                if (read(timer, &ticks, sizeof ticks) == sizeof ticks) due += ticks;
                continue;
            }
            connection *c = &all[events[i].data.u32];
            if (!read_answer(c)) continue;
            double time = now();
            if (kept < most_times) times[kept++] = (float)((time - c->due) * 1000);
            answered++;
            c->busy = 0;
            if (rate <= 0) ask(c, time);
        }
        // In turn: a server ends connections that ask nothing.
        for (int i = 0; begun < due && i < connections; i++) {
            turn = (turn + 1) % connections;
            if (all[turn].busy) continue;
            ask(&all[turn], began + (double)(begun + 1) / rate);
            begun++;
        }
    }
    double passed = now() - began;
    // Unanswered requests have waited at least until now.
    for (int i = 0; i < connections && rate > 0; i++)
        if (all[i].busy && kept < most_times) times[kept++] = (float)((now() - all[i].due) * 1000);
    qsort(times, kept, sizeof *times, by_size);
    printf(
        "%.0f %.3f %.3f %.3f %.3f %zu %zu\n", answered / passed, percentile(.5), percentile(.95), percentile(.99),
        percentile(1), wrong, hits);
}
