// `constant-server FILE HEADERS`: answers every request with the same bytes, by the shortest program on libmicrohttpd:
// as many event loops on threads as `etl serve` has, one response made once. HEADERS is the number of further header
// fields, so that the whole answer is as long as the server's. Prints its port.
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *response;

static enum MHD_Result answer(
    void *owner, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *body, size_t *size, void **context) {
    (void)owner, (void)path, (void)method, (void)version, (void)body, (void)size;
    // The first call is before the body.
    if (*context == NULL) {
        *context = &response;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200, response);
}

int main(int count, char **words) {
    if (count != 3) return 64;
    FILE *file = fopen(words[1], "rb");
    if (!file) return 66;
    char *bytes = malloc(1 << 20);
    if (!bytes) return 71;
    size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    response = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json; charset=utf-8");
    for (int i = 0; i < atoi(words[2]); i++) {
        char name[24];
        snprintf(name, sizeof name, "X-Field-%d", i);
        MHD_add_response_header(response, name, "0123456789abcdef");
    }
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TCP_FASTOPEN, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_END);
    if (!daemon) return 71;
    printf("%d\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    for (;;) pause();
}
