#pragma once
#include <curl/curl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Swift cannot import variadic functions, so each argument type has an inline function.

static inline CURLcode etl_curl_set_string(CURL *h, CURLoption o, const char *value) {
    return curl_easy_setopt(h, o, value);
}
static inline CURLcode etl_curl_set_long(CURL *h, CURLoption o, long value) {
    return curl_easy_setopt(h, o, value);
}
static inline CURLcode etl_curl_set_pointer(CURL *h, CURLoption o, void *value) {
    return curl_easy_setopt(h, o, value);
}
/// Sets the request body. libcurl copies it.
static inline CURLcode etl_curl_set_body(CURL *h, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(h, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

typedef size_t (*etl_curl_bytes)(char *bytes, size_t size, size_t count, void *target);
static inline CURLcode etl_curl_set_receivers(CURL *h, etl_curl_bytes body, etl_curl_bytes header, void *target) {
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, target);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, header);
    return curl_easy_setopt(h, CURLOPT_HEADERDATA, target);
}
typedef curl_socket_t (*etl_curl_open)(void *target, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode etl_curl_set_open_socket(CURL *h, etl_curl_open open, void *target) {
    curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, open);
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, target);
}

static inline long etl_curl_status(CURL *h) {
    long status = 0;
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
/// The errno of a failed connection; 0 if there was none.
static inline int etl_curl_system_error(CURL *h) {
    long error = 0;
    curl_easy_getinfo(h, CURLINFO_OS_ERRNO, &error);
    return (int)error;
}
/// The absolute target URL of a redirect; null if the response is not a redirect.
static inline const char *etl_curl_redirect(CURL *h) {
    char *url = 0;
    curl_easy_getinfo(h, CURLINFO_REDIRECT_URL, &url);
    return url;
}
/// The socket of a handle that is connected; -1 if there is none.
static inline int etl_curl_active_socket(CURL *h) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, &socket);
    return (int)socket;
}
static inline void *etl_curl_owner(CURL *h) {
    char *owner = 0;
    curl_easy_getinfo(h, CURLINFO_PRIVATE, &owner);
    return owner;
}
static inline CURLMcode etl_curl_multi_set_long(CURLM *m, CURLMoption o, long value) {
    return curl_multi_setopt(m, o, value);
}
/// Sets the callbacks that tell which sockets to watch, and when to call libcurl at the latest.
static inline CURLMcode etl_curl_multi_set_callbacks(
    CURLM *m, curl_socket_callback sockets, curl_multi_timer_callback timer, void *owner) {
    curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, sockets);
    curl_multi_setopt(m, CURLMOPT_SOCKETDATA, owner);
    curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, timer);
    return curl_multi_setopt(m, CURLMOPT_TIMERDATA, owner);
}
/// Stands for the timer instead of a socket in `curl_multi_socket_action`.
static const curl_socket_t etl_curl_timer = CURL_SOCKET_TIMEOUT;
// epoll and eventfd are not in the system's module.

static inline int etl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int etl_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
/// Watches a socket for what libcurl waits for (`CURL_POLL_IN` and so on). `CURL_POLL_REMOVE` ends that.
static inline int etl_epoll_watch(int queue, int socket, int what, int is_new) {
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN && what != CURL_POLL_REMOVE) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT && what != CURL_POLL_REMOVE) event.events |= EPOLLOUT;
    return epoll_ctl(
        queue, what == CURL_POLL_REMOVE ? EPOLL_CTL_DEL : is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}
/// Waits for sockets. Returns how many were written to `sockets` and `masks` (`CURL_CSELECT_IN` and so on).
static inline int etl_epoll_wait(int queue, int *sockets, int *masks, int limit, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(queue, events, limit < 64 ? limit : 64, milliseconds);
    for (int index = 0; index < count; index++) {
        uint32_t happened = events[index].events;
        sockets[index] = events[index].data.fd;
        masks[index] = (happened & EPOLLIN ? CURL_CSELECT_IN : 0) | (happened & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (happened & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    }
    return count < 0 ? 0 : count;
}
/// The handle and result of a finished transfer; null if no transfer has finished.
static inline CURL *etl_curl_next_done(CURLM *m, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(m, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return 0;
}
typedef int (*etl_curl_progress)(void *target, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
/// Calls a function about once a second. If it does not return 0, the transfer ends.
static inline CURLcode etl_curl_set_progress(CURL *h, etl_curl_progress progress, void *target) {
    curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(h, CURLOPT_XFERINFODATA, target);
    return curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, progress);
}
