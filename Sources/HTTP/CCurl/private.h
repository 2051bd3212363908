#ifndef CCURL_PRIVATE_H
#define CCURL_PRIVATE_H

#include <curl/curl.h>

#include "CCurl.h"

struct ccurl_transfer {
    CURL *easy;
    ccurl_sink sink;
    struct curl_slist *fields;
    struct curl_slist *resolve;
    bool has_refused;             /* `permit` said no at least once */
    bool has_connected;           /* and yes at least once */
    bool has_place;               /* `proceed` was called */
    bool is_ready;                /* and with true */
    bool has_head;                /* the head of the last answer is whole */
    char log[CURL_ERROR_SIZE];
};

#endif
