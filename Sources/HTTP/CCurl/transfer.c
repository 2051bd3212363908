#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "private.h"

static size_t take_line(char *line, size_t size, size_t count, void *user) {
    ccurl_transfer *transfer = user;
    (void)size;
    if (count <= 2) {
        transfer->has_head = true;
    } else if (memcmp(line, "HTTP/", count < 5 ? count : 5) == 0) {
        transfer->has_head = false;
    }
    return transfer->sink.field(transfer->sink.context, line, count) ? count : CURL_WRITEFUNC_ERROR;
}

static size_t take_content(char *bytes, size_t size, size_t count, void *user) {
    ccurl_transfer *transfer = user;
    (void)size;
    return transfer->sink.content(transfer->sink.context, (const uint8_t *)bytes, count) ? count : CURL_WRITEFUNC_ERROR;
}

static size_t give_content(char *room, size_t size, size_t count, void *user) {
    ccurl_transfer *transfer = user;
    ptrdiff_t given = transfer->sink.source(transfer->sink.context, (uint8_t *)room, size * count);
    return given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

static void proceed(ccurl_transfer *transfer, bool is_ready) {
    if (transfer->is_ready || (transfer->has_place && !is_ready)) return;
    transfer->has_place = true;
    transfer->is_ready = is_ready;
    transfer->sink.proceed(transfer->sink.context, is_ready);
}

/* A name that is not known yet is about to be looked up. */
static int start_resolver(void *resolver, void *reserved, void *user) {
    (void)resolver;
    (void)reserved;
    proceed(user, false);
    return 0;
}

/* The request is about to be sent. */
static int before_request(void *user, char *address, char *local_address, int port, int local_port) {
    (void)address;
    (void)local_address;
    (void)port;
    (void)local_port;
    proceed(user, true);
    return CURL_PREREQFUNC_OK;
}

/* Asked with each address of the name just before it is connected to. */
static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address) {
    ccurl_transfer *transfer = user;
    const uint8_t *bytes = NULL;
    size_t count = 0;
    uint32_t zone = 0;
    (void)purpose;
    proceed(transfer, false);
    if (address->family == AF_INET) {
        bytes = (const uint8_t *)&((const struct sockaddr_in *)&address->addr)->sin_addr;
        count = 4;
    } else if (address->family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->addr;
        bytes = (const uint8_t *)&six->sin6_addr;
        count = 16;
        zone = six->sin6_scope_id;
    }
    if (bytes == NULL || !transfer->sink.permit(transfer->sink.context, bytes, count, zone)) {
        transfer->has_refused = true;
        return CURL_SOCKET_BAD;
    }
    transfer->has_connected = true;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#define TRY(option, value)                                                                   \
    do {                                                                                     \
        if (curl_easy_setopt(transfer->easy, option, value) != CURLE_OK) goto refused;       \
    } while (0)

ccurl_transfer *ccurl_transfer_new(const ccurl_request *request, const ccurl_sink *sink) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    transfer->sink = *sink;
    transfer->easy = curl_easy_init();
    if (transfer->easy == NULL) goto refused;

    TRY(CURLOPT_PRIVATE, transfer);
    TRY(CURLOPT_ERRORBUFFER, transfer->log);
    TRY(CURLOPT_NOSIGNAL, 1L);
    TRY(CURLOPT_PROTOCOLS_STR, "http,https");
    TRY(CURLOPT_URL, request->url);
    TRY(CURLOPT_PATH_AS_IS, 1L);
    TRY(CURLOPT_FOLLOWLOCATION, 0L);
    TRY(CURLOPT_PROXY, "");
    TRY(CURLOPT_NOPROXY, "*");
    TRY(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    TRY(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    /* Without TLS there is no HTTP/2, and others would wait for the first answer only to learn that. */
    TRY(CURLOPT_PIPEWAIT, strncmp(request->url, "https:", 6) == 0 ? 1L : 0L);
    TRY(CURLOPT_HTTP09_ALLOWED, 0L);
    TRY(CURLOPT_TCP_KEEPALIVE, 1L);
    TRY(CURLOPT_DNS_CACHE_TIMEOUT, 60L);
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A name server that does not answer keeps its own thread waiting, not the one that gives the transfer up. */
    TRY(CURLOPT_QUICK_EXIT, 1L);
#endif
    TRY(CURLOPT_EXPECT_100_TIMEOUT_MS, 1000L);

    TRY(CURLOPT_RESOLVER_START_FUNCTION, start_resolver);
    TRY(CURLOPT_RESOLVER_START_DATA, transfer);
    TRY(CURLOPT_PREREQFUNCTION, before_request);
    TRY(CURLOPT_PREREQDATA, transfer);
    TRY(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    TRY(CURLOPT_OPENSOCKETDATA, transfer);
    TRY(CURLOPT_HEADERFUNCTION, take_line);
    TRY(CURLOPT_HEADERDATA, transfer);
    TRY(CURLOPT_WRITEFUNCTION, take_content);
    TRY(CURLOPT_WRITEDATA, transfer);

    if (request->content_count >= 0) {
        TRY(CURLOPT_UPLOAD, 1L);
        TRY(CURLOPT_READFUNCTION, give_content);
        TRY(CURLOPT_READDATA, transfer);
        TRY(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->content_count);
    } else if (strcmp(request->method, "HEAD") == 0) {
        TRY(CURLOPT_NOBODY, 1L);
    }
    if (request->target != NULL) TRY(CURLOPT_REQUEST_TARGET, request->target);
    if (request->is_alone) {
        TRY(CURLOPT_FRESH_CONNECT, 1L);
        TRY(CURLOPT_FORBID_REUSE, 1L);
    }
    TRY(CURLOPT_CUSTOMREQUEST, request->method);
    for (size_t i = 0; i < request->field_count; i++) {
        struct curl_slist *longer = curl_slist_append(transfer->fields, request->fields[i]);
        if (longer == NULL) goto refused;
        transfer->fields = longer;
    }
    TRY(CURLOPT_HTTPHEADER, transfer->fields);
    if (request->resolve != NULL) {
        transfer->resolve = curl_slist_append(NULL, request->resolve);
        if (transfer->resolve == NULL) goto refused;
        TRY(CURLOPT_RESOLVE, transfer->resolve);
    }

    if (request->user_password != NULL) {
        TRY(CURLOPT_USERPWD, request->user_password);
        if (request->sigv4 == NULL) TRY(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    }
    if (request->sigv4 != NULL) TRY(CURLOPT_AWS_SIGV4, request->sigv4);
    if (request->ca_file != NULL) {
        TRY(CURLOPT_CAINFO, request->ca_file);
        TRY(CURLOPT_CAPATH, NULL);
    }
    if (request->certificate_file != NULL) TRY(CURLOPT_SSLCERT, request->certificate_file);
    if (request->key_file != NULL) TRY(CURLOPT_SSLKEY, request->key_file);
    if (request->pinned_keys != NULL) TRY(CURLOPT_PINNEDPUBLICKEY, request->pinned_keys);

    TRY(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    TRY(CURLOPT_TIMEOUT_MS, request->total_milliseconds);
    TRY(CURLOPT_LOW_SPEED_LIMIT, request->slow_bytes_per_second);
    TRY(CURLOPT_LOW_SPEED_TIME, request->slow_seconds);
    return transfer;

refused:
    ccurl_transfer_free(transfer);
    return NULL;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
    if (transfer->easy != NULL) curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->fields);
    curl_slist_free_all(transfer->resolve);
    free(transfer);
}

void *ccurl_transfer_context(ccurl_transfer *transfer) { return transfer->sink.context; }

static int64_t microseconds(CURL *easy, CURLINFO what) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, what, &value) == CURLE_OK ? (int64_t)value : 0;
}

void ccurl_transfer_report(ccurl_transfer *transfer, ccurl_report *report) {
    memset(report, 0, sizeof *report);
    report->name_microseconds = microseconds(transfer->easy, CURLINFO_NAMELOOKUP_TIME_T);
    report->connect_microseconds = microseconds(transfer->easy, CURLINFO_CONNECT_TIME_T);
    report->tls_microseconds = microseconds(transfer->easy, CURLINFO_APPCONNECT_TIME_T);
    report->first_byte_microseconds = microseconds(transfer->easy, CURLINFO_STARTTRANSFER_TIME_T);
    report->total_microseconds = microseconds(transfer->easy, CURLINFO_TOTAL_TIME_T);
    long version = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    report->is_http2 = version == CURL_HTTP_VERSION_2_0;
    curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &report->new_connections);
    char *address = NULL;
    curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &address);
    if (address != NULL) snprintf(report->address, sizeof report->address, "%s", address);
    snprintf(report->log, sizeof report->log, "%s", transfer->log);
}
