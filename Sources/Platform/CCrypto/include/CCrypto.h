#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/* An unfinished SHA-256. Plain memory: it may be copied, which forks the computation, and needs no release. */
typedef struct {
    uint64_t opaque[14];
} ccrypto_sha256_state;

void ccrypto_sha256_start(ccrypto_sha256_state *_Nonnull state);
void ccrypto_sha256_update(ccrypto_sha256_state *_Nonnull state, const void *_Nullable bytes, size_t count);

/* The 32 bytes of a digest in memory order: each word is big-endian. */
typedef struct {
    uint64_t word0, word1, word2, word3;
} ccrypto_sha256_digest;

/* `state` must be started again before it is used again. */
ccrypto_sha256_digest ccrypto_sha256_finish(ccrypto_sha256_state *_Nonnull state);

/* An unfinished SHA-1, for checksums that a protocol demands; it says nothing about who made the bytes. */
typedef struct {
    uint64_t opaque[12];
} ccrypto_sha1_state;

void ccrypto_sha1_start(ccrypto_sha1_state *_Nonnull state);
void ccrypto_sha1_update(ccrypto_sha1_state *_Nonnull state, const void *_Nullable bytes, size_t count);

/* Writes the 20 bytes of the digest. `state` must be started again before it is used again. */
void ccrypto_sha1_finish(ccrypto_sha1_state *_Nonnull state, uint8_t *_Nonnull digest);

/* 1 if the `count` bytes are the same, in a time that depends on `count` only. */
int ccrypto_equal(const void *_Nullable left, const void *_Nullable right, size_t count);

#endif
