#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The face of libcurl for Swift: no variadic call, no type of curl's. One ccurl_multi carries many ccurl_transfers; both
 * belong to one thread. Nothing here follows a redirect, takes a proxy or anything else from the environment, keeps cookies,
 * or speaks another protocol than http and https. */

typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_transfer ccurl_transfer;

/* Why a transfer ended. */
typedef enum {
    CCURL_DONE = 0,
    CCURL_NAME = 1,       /* the name could not be looked up */
    CCURL_CONNECT = 2,    /* no connection */
    CCURL_FORBIDDEN = 3,  /* every address that the name has was refused by `permit` */
    CCURL_TLS = 4,        /* handshake, certificate, name or pin */
    CCURL_TIMEOUT = 5,    /* connecting, or the whole, took too long, or bytes came too slowly */
    CCURL_BROKEN = 6,     /* the connection ended before the content did */
    CCURL_STOPPED = 7,    /* `field`, `content` or `source` said so */
    CCURL_PROTOCOL = 8,   /* what came is no HTTP */
    CCURL_NO_MEMORY = 9,
    CCURL_CREDENTIALS = 10, /* a client certificate, key or CA file that cannot be used */
    CCURL_OTHER = 11,
    CCURL_LONG_HEAD = 12 /* a line of a head is longer than curl reads */
} ccurl_end;

/* What a multi asks of the loop that drives it; called during any of its functions. */
typedef struct {
    void *context;
    /* Watch `descriptor` for reading and writing; neither: no longer. */
    void (*watch)(void *context, int descriptor, bool reads, bool writes);
    /* Call ccurl_multi_time_passed in so many milliseconds; negative: not at all. */
    void (*wait)(void *context, long milliseconds);
} ccurl_loop;

/* What a transfer asks and tells. */
typedef struct {
    void *context;
    /* Whether to connect to an address of 4 or 16 bytes; `zone` is 0 where it has none. */
    bool (*permit)(void *context, const uint8_t *bytes, size_t count, uint32_t zone);
    /* Once, or twice: the transfer has its place among the connections, and looks a name up or connects; and its request is
     * about to be sent (`is_ready`), on a new connection or one that was there. Until then it waits for its place. */
    void (*proceed)(void *context, bool is_ready);
    /* A line of a head with its line end: a status line, a field, the empty line that ends a head, or one of a trailer. */
    bool (*field)(void *context, const char *line, size_t count);
    /* Content as it comes. */
    bool (*content)(void *context, const uint8_t *bytes, size_t count);
    /* Up to `room` bytes of the request's content; -1 ends the transfer. NULL where there is none. */
    ptrdiff_t (*source)(void *context, uint8_t *room, size_t count);
} ccurl_sink;

typedef struct {
    const char *url;
    const char *target;              /* the request target in place of that of the URL, or NULL */
    bool is_alone;                   /* on a connection of its own: never sent twice, and nothing else is sent there */
    const char *method;              /* any token */
    const char *const *fields;       /* "Name: value" each; "Name;" sends an empty one */
    size_t field_count;
    int64_t content_count;           /* of the request; -1: it has none */
    const char *resolve;             /* "HOST:PORT:ADDRESS[,ADDRESS]" in place of DNS, or NULL */
    const char *user_password;       /* "user:password" for Basic, or the keys for sigv4; or NULL */
    const char *sigv4;               /* "aws:amz:REGION:SERVICE", or NULL */
    const char *ca_file;             /* certificates to trust in place of the system's, or NULL */
    const char *certificate_file;    /* PEM of a client certificate, or NULL */
    const char *key_file;            /* PEM of its key, or NULL */
    const char *pinned_keys;         /* "sha256//…;sha256//…", or NULL */
    long connect_milliseconds;
    long total_milliseconds;
    long slow_bytes_per_second;     /* fewer than this for slow_seconds ends the transfer; 0: never */
    long slow_seconds;
} ccurl_request;

typedef struct {
    int64_t name_microseconds;       /* since the start of the transfer, as all of these; 0 where it did not come to that */
    int64_t connect_microseconds;
    int64_t tls_microseconds;
    int64_t first_byte_microseconds;
    int64_t total_microseconds;
    long new_connections;
    bool is_http2;
    char address[64];                /* what it was connected to, or empty */
    char log[256];                   /* what curl says of the end, for the log only */
} ccurl_report;

/* Once, from main, before any thread: 0, or -1 where curl cannot be used. */
int ccurl_start(void);

/* At most `connections` in all and `per_host` to one host; further transfers wait for one. NULL where memory is short. */
ccurl_multi *ccurl_multi_new(const ccurl_loop *loop, long connections, long per_host);
/* After every transfer was removed. */
void ccurl_multi_free(ccurl_multi *multi);
void ccurl_multi_ready(ccurl_multi *multi, int descriptor, bool reads, bool writes, bool failed);
void ccurl_multi_time_passed(ccurl_multi *multi);
/* The next transfer that has ended, which is removed thereby, or NULL. */
ccurl_transfer *ccurl_multi_take_ended(ccurl_multi *multi, ccurl_end *end);

/* Copies all of the request. NULL where memory is short or curl refuses an option. */
ccurl_transfer *ccurl_transfer_new(const ccurl_request *request, const ccurl_sink *sink);
void ccurl_transfer_free(ccurl_transfer *transfer);
int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer);
/* Breaks it off; nothing more is asked or told. Not from within a call of its sink. */
void ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer);
void *ccurl_transfer_context(ccurl_transfer *transfer);
void ccurl_transfer_report(ccurl_transfer *transfer, ccurl_report *report);

#endif
