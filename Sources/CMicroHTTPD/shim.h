#pragma once
#include <microhttpd.h>
#include <poll.h>

// Swift cannot import variadic functions, and options with callbacks are pairs of untyped pointers. One typed
// structure replaces both.

/// Settings for starting a daemon. Zero and null leave libmicrohttpd's defaults.
struct etl_http_settings {
    /// A socket that listens already. The daemon closes it.
    int socket;
    /// Event loops, each on its own thread; at least 2.
    unsigned int threads;
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
    /// Passed to all callbacks.
    void *owner;
};

/// Leaves paths and queries escaped.
static inline size_t etl_http_keep_escapes(void *owner, struct MHD_Connection *connection, char *text) {
    (void)owner;
    (void)connection;
    return strlen(text);
}

/// Discards libmicrohttpd's own messages, which are about single connections.
static inline void etl_http_discard(void *owner, const char *format, va_list values) {
    (void)owner;
    (void)format;
    (void)values;
}

static inline struct MHD_Daemon *etl_http_start(const struct etl_http_settings *s) {
    struct MHD_OptionItem options[16];
    unsigned int count = 0;
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE |
                         MHD_USE_ERROR_LOG | (s->key ? MHD_USE_TLS : 0);
#define ETL_OPTION(option, number, pointer)                                                                            \
    options[count++] = (struct MHD_OptionItem){option, (intptr_t)(number), (void *)(pointer)}
    ETL_OPTION(MHD_OPTION_EXTERNAL_LOGGER, etl_http_discard, 0);
    ETL_OPTION(MHD_OPTION_LISTEN_SOCKET, s->socket, 0);
    ETL_OPTION(MHD_OPTION_THREAD_POOL_SIZE, s->threads, 0);
    ETL_OPTION(MHD_OPTION_CONNECTION_LIMIT, s->connections, 0);
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

/// The descriptor of a connection; -1 if it is not known.
static inline int etl_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The event of a client that has closed its side. Only GNU sources see the name `POLLRDHUP`.
enum { etl_http_hang_up = 0x2000 };

/// The address of the other end; null if it is not known.
static inline const struct sockaddr *etl_http_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

/// Bytes of a request's head, with its empty line.
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
