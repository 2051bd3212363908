#include <stdlib.h>

#include "private.h"

struct ccurl_multi {
    CURLM *handle;
    ccurl_loop loop;
};

int ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1; }

static int watch(CURL *easy, curl_socket_t descriptor, int what, void *user, void *mark) {
    (void)easy;
    (void)mark;
    ccurl_multi *multi = user;
    multi->loop.watch(multi->loop.context, descriptor, what & CURL_POLL_IN, what != CURL_POLL_REMOVE && what & CURL_POLL_OUT);
    return 0;
}

static int wait_for(CURLM *handle, long milliseconds, void *user) {
    (void)handle;
    ccurl_multi *multi = user;
    multi->loop.wait(multi->loop.context, milliseconds);
    return 0;
}

ccurl_multi *ccurl_multi_new(const ccurl_loop *loop, long connections, long per_host) {
    ccurl_multi *multi = calloc(1, sizeof *multi);
    if (multi == NULL) return NULL;
    multi->loop = *loop;
    multi->handle = curl_multi_init();
    if (multi->handle == NULL) {
        free(multi);
        return NULL;
    }
    curl_multi_setopt(multi->handle, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi->handle, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->handle, CURLMOPT_TIMERFUNCTION, wait_for);
    curl_multi_setopt(multi->handle, CURLMOPT_TIMERDATA, multi);
    curl_multi_setopt(multi->handle, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi->handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    curl_multi_setopt(multi->handle, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
    curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, connections);
    return multi;
}

void ccurl_multi_free(ccurl_multi *multi) {
    curl_multi_cleanup(multi->handle);
    free(multi);
}

void ccurl_multi_ready(ccurl_multi *multi, int descriptor, bool reads, bool writes, bool failed) {
    int running;
    int what = (reads ? CURL_CSELECT_IN : 0) | (writes ? CURL_CSELECT_OUT : 0) | (failed ? CURL_CSELECT_ERR : 0);
    curl_multi_socket_action(multi->handle, descriptor, what, &running);
}

void ccurl_multi_time_passed(ccurl_multi *multi) {
    int running;
    curl_multi_socket_action(multi->handle, CURL_SOCKET_TIMEOUT, 0, &running);
}

/* A line of a head that is longer than curl's own limit (100 KiB) is told as a lack of memory by most releases. What curl
 * needs memory for otherwise, it needs before the first byte of the answer or after its head. */
static bool is_in_head(const ccurl_transfer *transfer) {
    curl_off_t first = 0;
    return !transfer->has_head &&
           curl_easy_getinfo(transfer->easy, CURLINFO_STARTTRANSFER_TIME_T, &first) == CURLE_OK && first > 0;
}

static ccurl_end end_of(const ccurl_transfer *transfer, CURLcode code) {
    switch (code) {
        case CURLE_OK: return CCURL_DONE;
        case CURLE_COULDNT_RESOLVE_HOST: return CCURL_NAME;
        case CURLE_COULDNT_CONNECT:
            return transfer->has_refused && !transfer->has_connected ? CCURL_FORBIDDEN : CCURL_CONNECT;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        case CURLE_SSL_INVALIDCERTSTATUS:
        case CURLE_SSL_ISSUER_ERROR: return CCURL_TLS;
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_ENGINE_INITFAILED: return CCURL_CREDENTIALS;
        case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMEOUT;
        case CURLE_PARTIAL_FILE:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM: return CCURL_BROKEN;
        case CURLE_WRITE_ERROR:
        case CURLE_ABORTED_BY_CALLBACK: return CCURL_STOPPED;
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY: return CCURL_PROTOCOL;
        case CURLE_OUT_OF_MEMORY: return is_in_head(transfer) ? CCURL_LONG_HEAD : CCURL_NO_MEMORY;
#if LIBCURL_VERSION_NUM >= 0x080600
        case CURLE_TOO_LARGE: return CCURL_LONG_HEAD;
#endif
        default: return CCURL_OTHER;
    }
}

ccurl_transfer *ccurl_multi_take_ended(ccurl_multi *multi, ccurl_end *end) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi->handle, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        /* The message is gone once its transfer is. */
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result;
        ccurl_transfer *transfer = NULL;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
        *end = end_of(transfer, code);
        curl_multi_remove_handle(multi->handle, easy);
        return transfer;
    }
    return NULL;
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer) {
    return curl_multi_add_handle(multi->handle, transfer->easy) == CURLM_OK ? 0 : -1;
}

void ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer) {
    curl_multi_remove_handle(multi->handle, transfer->easy);
}
