#ifndef CREDIS_H
#define CREDIS_H

#include <stddef.h>
#include <stdint.h>

/* The face of hiredis for Swift: one connection, one command at a time, each with its time and the most that may come back.
 * A connection belongs to one thread. */

typedef struct credis credis;
typedef struct credis_reply credis_reply;

typedef enum {
    CREDIS_DONE = 0,
    CREDIS_CONNECT = 1,  /* no connection */
    CREDIS_BROKEN = 2,   /* it ended, or nothing came in time */
    CREDIS_PROTOCOL = 3, /* what came is no reply, or one that is too long */
    CREDIS_NO_MEMORY = 4
} credis_end;

typedef enum { CREDIS_NIL = 0, CREDIS_TEXT = 1, CREDIS_INTEGER = 2, CREDIS_ARRAY = 3, CREDIS_ERROR = 4 } credis_kind;

/* Room for a numeric address with the name of an interface, and for the zero at its end. */
#define CREDIS_ADDRESS_ROOM 64

/* Writes up to `limit` numeric addresses of `host` to `texts`, one for each CREDIS_ADDRESS_ROOM bytes, with a zero at its end;
 * returns how many. It takes as long as it takes: minutes where no server of names answers. */
size_t credis_look_up(const char *host, uint8_t *texts, size_t limit);

/* NULL and *end tells why. `address` is numeric: a name would be looked up without a limit of time. */
credis *credis_open(const char *address, int port, long milliseconds, credis_end *end);
void credis_close(credis *connection);
/* Sends `count` arguments and waits for the reply; after anything but CREDIS_DONE the connection is only to be closed. */
credis_end credis_call(credis *connection, int count, const char *const *arguments, const size_t *lengths,
                       long milliseconds, size_t reply_limit, credis_reply **reply);

credis_kind credis_reply_kind(const credis_reply *reply);
int64_t credis_reply_integer(const credis_reply *reply);
/* Of a text or an error; NULL otherwise. Valid as long as the reply. */
const char *credis_reply_bytes(const credis_reply *reply, size_t *count);
size_t credis_reply_count(const credis_reply *reply);
const credis_reply *credis_reply_element(const credis_reply *reply, size_t index);
/* Of a whole reply, not of an element. */
void credis_reply_free(credis_reply *reply);

#endif
