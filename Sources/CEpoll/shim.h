#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Swift's module of the C library has no epoll(7).

static inline int etl_epoll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int etl_eventfd_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Watches a descriptor for reading, and for writing on request. Its events have a number.
static inline int etl_epoll_watch(int epoll, int descriptor, uint64_t number, int writing, int is_new) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (writing ? EPOLLOUT : 0), .data = {.u64 = number}};
    return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}
static inline int etl_epoll_forget(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}
/// Waits for events and writes their numbers. Returns how many there are; 0 if the time is over or a signal arrived.
static inline int etl_epoll_wait(int epoll, uint64_t *numbers, int most, int milliseconds) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, most < 256 ? most : 256, milliseconds);
    for (int i = 0; i < count; i++) numbers[i] = events[i].data.u64;
    return count < 0 ? 0 : count;
}
