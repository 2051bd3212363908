#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CDEFLATE_DONE = 0,
    CDEFLATE_CORRUPT = 1,       /* not gzip, cut, or a wrong checksum */
    CDEFLATE_NO_ROOM = 2,       /* output longer than the room given */
    CDEFLATE_NO_MEMORY = 3
} cdeflate_status;

/* Decompresses the first gzip member of in[0..<in_count] into out[0..<out_room]; *out_count bytes were written when the
   status is CDEFLATE_DONE. Keeps no state. in must not be NULL; out may be when out_room is 0. */
cdeflate_status cdeflate_gunzip(const void *in, size_t in_count, void *out, size_t out_room, size_t *out_count);

/* Decompresses as much as there is of the first out_room bytes of in[0..<in_count], gzip that may be cut off; what cannot be
   had is zeros. */
void cdeflate_gunzip_head(const void *in, size_t in_count, void *out, size_t out_room);

/* The same of bare DEFLATE (RFC 1951), but what cannot be had stays as it was in out. */
void cdeflate_inflate_head(const void *in, size_t in_count, void *out, size_t out_room);

/* The same as cdeflate_gunzip for a zlib stream (RFC 1950). */
cdeflate_status cdeflate_unzlib(const void *in, size_t in_count, void *out, size_t out_room, size_t *out_count);

/* The most bytes that cdeflate_gzip writes for `count` bytes. */
size_t cdeflate_gzip_bound(size_t count);
/* Compresses in[0..<in_count] to one gzip member without a time or a name, so that equal content gives equal bytes; `level`
   is 1–12. The bytes written; 0 where memory is short or the room too small. */
size_t cdeflate_gzip(int level, const void *in, size_t in_count, void *out, size_t out_room);

/* The CRC-32 of gzip (ISO 3309) of bytes[0..<count] when `before` is that of what stands before them; 0 at the start. */
uint32_t cdeflate_crc32(uint32_t before, const void *bytes, size_t count);

#include "CDeflatePNG.h"

#endif
