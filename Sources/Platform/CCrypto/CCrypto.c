/* The low-level SHA256_* calls are deprecated in OpenSSL 3 in favour of EVP, and used on purpose: they work in memory
   of the caller, so they neither allocate nor fail. 200 bytes, OpenSSL 3.0: 171 ns here, 653 ns by EVP_Digest with
   EVP_sha256(), 315 ns with a fetched EVP_MD. A cache key is computed for every request. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CCrypto.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

static_assert(sizeof(ccrypto_sha256_state) >= sizeof(SHA256_CTX), "the state holds OpenSSL's");
static_assert(alignof(ccrypto_sha256_state) >= alignof(SHA256_CTX), "the state is aligned as OpenSSL's");

void ccrypto_sha256_start(ccrypto_sha256_state *state) { SHA256_Init((SHA256_CTX *)state); }

void ccrypto_sha256_update(ccrypto_sha256_state *state, const void *bytes, size_t count) {
    if (count > 0) SHA256_Update((SHA256_CTX *)state, bytes, count);
}

ccrypto_sha256_digest ccrypto_sha256_finish(ccrypto_sha256_state *state) {
    ccrypto_sha256_digest digest;
    static_assert(sizeof digest == SHA256_DIGEST_LENGTH, "four words");
    SHA256_Final((unsigned char *)&digest, (SHA256_CTX *)state);
    return digest;
}

static_assert(sizeof(ccrypto_sha1_state) >= sizeof(SHA_CTX), "the state holds OpenSSL's");
static_assert(alignof(ccrypto_sha1_state) >= alignof(SHA_CTX), "the state is aligned as OpenSSL's");

void ccrypto_sha1_start(ccrypto_sha1_state *state) { SHA1_Init((SHA_CTX *)state); }

void ccrypto_sha1_update(ccrypto_sha1_state *state, const void *bytes, size_t count) {
    if (count > 0) SHA1_Update((SHA_CTX *)state, bytes, count);
}

void ccrypto_sha1_finish(ccrypto_sha1_state *state, uint8_t *digest) { SHA1_Final(digest, (SHA_CTX *)state); }

int ccrypto_equal(const void *left, const void *right, size_t count) {
    return count == 0 || CRYPTO_memcmp(left, right, count) == 0;
}
