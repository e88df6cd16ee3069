#pragma once
#include <sys/socket.h>
#include <microhttpd.h>
#include <poll.h>
#include <sys/eventfd.h>

// Swift cannot import variadic functions, and options with callbacks are pairs of untyped pointers. One typed
// structure replaces both.

/// Settings for starting a daemon. Zero and null leave libmicrohttpd's defaults.
struct etl_http_settings {
    /// Event loops, each on its own thread; at least 2.
    unsigned int threads;
    /// Maximum number of connections of each event loop. It must never be reached: libmicrohttpd 0.9.75 then leaves a
    /// lock locked.
    unsigned int connections;
    unsigned int connections_per_address;
    /// Bytes for the head of a request or response; longer ones are refused with 431 or 414.
    size_t memory;
    /// Seconds without a byte in either direction.
    unsigned int idle_seconds;
    /// Private key and certificates as PEM; null for plain HTTP.
    const char *key;
    const char *certificate;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// Called with the target of each request, before it is split.
    void *(*target)(void *owner, const char *target, struct MHD_Connection *connection);
    /// Called with libmicrohttpd's own messages, on the event loop that they are about.
    MHD_LogCallback message;
    /// Passed to all callbacks.
    void *owner;
};

/// Leaves paths and queries escaped.
static inline size_t etl_http_keep_escapes(void *owner, struct MHD_Connection *connection, char *text) {
    (void)owner;
    (void)connection;
    return strlen(text);
}

/// Starts event loops that listen nowhere: connections are added with `etl_http_add`.
static inline struct MHD_Daemon *etl_http_start(const struct etl_http_settings *s) {
    struct MHD_OptionItem options[16];
    unsigned int count = 0;
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE |
                         MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG | (s->key ? MHD_USE_TLS : 0);
#define ETL_OPTION(option, number, pointer)                                                                            \
    options[count++] = (struct MHD_OptionItem){option, (intptr_t)(number), (void *)(pointer)}
    ETL_OPTION(MHD_OPTION_EXTERNAL_LOGGER, s->message, s->owner);
    ETL_OPTION(MHD_OPTION_THREAD_POOL_SIZE, s->threads, 0);
    ETL_OPTION(MHD_OPTION_CONNECTION_LIMIT, (unsigned int)(s->threads * s->connections), 0);
    ETL_OPTION(MHD_OPTION_PER_IP_CONNECTION_LIMIT, s->connections_per_address, 0);
    ETL_OPTION(MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory, 0);
    ETL_OPTION(MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds, 0);
    ETL_OPTION(MHD_OPTION_UNESCAPE_CALLBACK, etl_http_keep_escapes, 0);
    ETL_OPTION(MHD_OPTION_URI_LOG_CALLBACK, s->target, s->owner);
    ETL_OPTION(MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->owner);
    ETL_OPTION(MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->owner);
    if (s->key) {
        ETL_OPTION(MHD_OPTION_HTTPS_MEM_KEY, 0, s->key);
        ETL_OPTION(MHD_OPTION_HTTPS_MEM_CERT, 0, s->certificate);
        ETL_OPTION(MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1");
    }
    ETL_OPTION(MHD_OPTION_END, 0, 0);
#undef ETL_OPTION
    return MHD_start_daemon(flags, 0, 0, 0, s->handle, s->owner, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// Only GNU sources see it.
int accept4(int, struct sockaddr *, socklen_t *, int);

/// Accepts a connection and its address. Returns -1 with `errno` set if none waits.
static inline int etl_http_accept(int socket, struct sockaddr_storage *address, socklen_t *length) {
    *length = sizeof(*address);
    return accept4(socket, (struct sockaddr *)address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Gives a connection to one of the event loops, which closes it. Returns whether it was taken; if not, it is closed.
static inline int etl_http_add(struct MHD_Daemon *daemon, int socket, const struct sockaddr_storage *address,
                               socklen_t length) {
    return MHD_add_connection(daemon, socket, (const struct sockaddr *)address, length) == MHD_YES;
}

/// An eventfd, which can be read once a number was written to it.
static inline int etl_http_eventfd_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// The descriptor of a connection; -1 if it is not known.
static inline int etl_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The event of a client that has closed its side. Only GNU sources see the name `POLLRDHUP`.
enum { etl_http_hang_up = 0x2000 };

/// Whether the other end of a connection has sent its last byte, and all have been read.
static inline int etl_http_is_ended(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/// The address of the other end; null if it is not known.
static inline const struct sockaddr *etl_http_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

/// Makes libmicrohttpd find an empty field `Cookie` before those of the client. It would list each cookie, in the memory
/// that the head of the answer needs. `name` is "Cookie", and lives as long as the connection.
static inline void etl_http_hide_cookies(struct MHD_Connection *connection, const char *name) {
    MHD_set_connection_value(connection, MHD_HEADER_KIND, name, "");
}

/// Sends bytes and ends the connection for writing, so that whatever libmicrohttpd sends after them is discarded. A TLS
/// connection is ended without them: only libmicrohttpd can encrypt.
static inline void etl_http_send_last(struct MHD_Connection *connection, const void *bytes, size_t count) {
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    int socket = etl_http_socket(connection);
    if (!tls || !tls->tls_session) { send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT); }
    shutdown(socket, SHUT_WR);
}

/// Bytes of a request's head, with its empty line; 0 until it has arrived.
static inline size_t etl_http_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// Number of open connections of a daemon.
static inline unsigned int etl_http_connection_count(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}

/// The pointer that was set when the connection started.
static inline void *etl_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}

/// Closes a connection that was upgraded, and frees what libmicrohttpd has for it.
static inline void etl_http_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

static inline int etl_http_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}
static inline int etl_http_is_complete(enum MHD_RequestTerminationCode code) {
    return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}
