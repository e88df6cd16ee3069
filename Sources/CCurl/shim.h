#pragma once
#include <curl/curl.h>

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
static inline void *etl_curl_owner(CURL *h) {
    char *owner = 0;
    curl_easy_getinfo(h, CURLINFO_PRIVATE, &owner);
    return owner;
}
static inline CURLMcode etl_curl_multi_set_long(CURLM *m, CURLMoption o, long value) {
    return curl_multi_setopt(m, o, value);
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
