#define _POSIX_C_SOURCE 200809L /* clock_gettime, getaddrinfo */

#include "CRedis.h"

#include <hiredis.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/* No reply that is asked for has more elements; hiredis would take memory for what a length only claims. */
#define ELEMENT_LIMIT 8192

struct credis {
    redisContext *context;
    redisReplyObjectFunctions functions; /* those of the reader, but for arrays */
};

static void *bounded_array(const redisReadTask *task, int count) {
    const redisReplyObjectFunctions *original = task->privdata;
    return count > ELEMENT_LIMIT ? NULL : original->createArray(task, count);
}

static int64_t now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct timeval interval(long milliseconds) {
    if (milliseconds < 1) milliseconds = 1;
    return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
}

size_t credis_look_up(const char *host, uint8_t *texts, size_t limit) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    size_t count = 0;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) return 0;
    for (struct addrinfo *each = found; each && count < limit; each = each->ai_next) {
        char *text = (char *)texts + count * CREDIS_ADDRESS_ROOM;
        if (getnameinfo(each->ai_addr, each->ai_addrlen, text, CREDIS_ADDRESS_ROOM, NULL, 0, NI_NUMERICHOST) == 0) count++;
    }
    freeaddrinfo(found);
    return count;
}

credis *credis_open(const char *address, int port, long milliseconds, credis_end *end) {
    credis *connection = calloc(1, sizeof *connection);
    redisContext *context = connection ? redisConnectWithTimeout(address, port, interval(milliseconds)) : NULL;
    if (!context || context->err) {
        *end = context ? CREDIS_CONNECT : CREDIS_NO_MEMORY;
        if (context) redisFree(context);
        free(connection);
        return NULL;
    }
    redisEnableKeepAlive(context);
    connection->context = context;
    connection->functions = *context->reader->fn;
    connection->functions.createArray = bounded_array;
    context->reader->privdata = context->reader->fn;
    context->reader->fn = &connection->functions;
    *end = CREDIS_DONE;
    return connection;
}

void credis_close(credis *connection) {
    if (!connection) return;
    redisFree(connection->context);
    free(connection);
}

static credis_end failure(const redisContext *context) {
    if (context->err == REDIS_ERR_PROTOCOL) return CREDIS_PROTOCOL;
    return context->err == REDIS_ERR_OOM ? CREDIS_NO_MEMORY : CREDIS_BROKEN;
}

/* Each system call waits for what is left of the time at most. */
static int has_time(redisContext *context, int64_t until) {
    int64_t left = until - now_milliseconds();
    return left > 0 && redisSetTimeout(context, interval((long)left)) == REDIS_OK;
}

static size_t unread(const redisContext *context) { return context->reader->len - context->reader->pos; }

credis_end credis_call(credis *connection, int count, const char *const *arguments, const size_t *lengths,
                       long milliseconds, size_t reply_limit, credis_reply **reply) {
    redisContext *context = connection->context;
    int64_t until = now_milliseconds() + milliseconds;
    if (redisAppendCommandArgv(context, count, (const char **)arguments, lengths) != REDIS_OK) return failure(context);
    int is_sent = 0;
    while (!is_sent) {
        if (!has_time(context, until)) return CREDIS_BROKEN;
        if (redisBufferWrite(context, &is_sent) != REDIS_OK) return failure(context);
    }
    void *found = NULL;
    size_t received = unread(context);
    while (1) {
        if (redisGetReplyFromReader(context, &found) != REDIS_OK) return failure(context);
        if (found) break;
        /* All of it, as elements that are complete leave the buffer. */
        if (received > reply_limit) return CREDIS_PROTOCOL;
        if (!has_time(context, until)) return CREDIS_BROKEN;
        size_t before = unread(context);
        if (redisBufferRead(context) != REDIS_OK) return failure(context);
        received += unread(context) - before;
    }
    *reply = found;
    return CREDIS_DONE;
}

static const redisReply *plain(const credis_reply *reply) { return (const redisReply *)reply; }

credis_kind credis_reply_kind(const credis_reply *reply) {
    switch (plain(reply)->type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS: return CREDIS_TEXT;
    case REDIS_REPLY_INTEGER: return CREDIS_INTEGER;
    case REDIS_REPLY_ARRAY: return CREDIS_ARRAY;
    case REDIS_REPLY_NIL: return CREDIS_NIL;
    default: return CREDIS_ERROR;
    }
}

int64_t credis_reply_integer(const credis_reply *reply) { return plain(reply)->integer; }

const char *credis_reply_bytes(const credis_reply *reply, size_t *count) {
    credis_kind kind = credis_reply_kind(reply);
    if (kind != CREDIS_TEXT && kind != CREDIS_ERROR) return NULL;
    *count = plain(reply)->len;
    return plain(reply)->str;
}

size_t credis_reply_count(const credis_reply *reply) { return plain(reply)->elements; }

const credis_reply *credis_reply_element(const credis_reply *reply, size_t index) {
    return (const credis_reply *)plain(reply)->element[index];
}

void credis_reply_free(credis_reply *reply) { freeReplyObject(reply); }
