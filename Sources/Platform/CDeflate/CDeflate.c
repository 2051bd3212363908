#include <libdeflate.h>
#include <string.h>
#include "CDeflate.h"

/* A decompressor per call: it is one malloc of 11 KiB (0.16 us, measured) against hundreds of microseconds for a tile, and
   it spares a cache per thread with its life-time questions. */
static cdeflate_status cdeflate_decompress(int is_zlib, const void *in, size_t in_count, void *out, size_t out_room,
                                           size_t *out_count)
{
    char nothing;
    size_t consumed;
    enum libdeflate_result result;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();

    *out_count = 0;
    if (!decompressor)
        return CDEFLATE_NO_MEMORY;
    result = (is_zlib ? libdeflate_zlib_decompress_ex : libdeflate_gzip_decompress_ex)(
        decompressor, in, in_count, out ? out : &nothing, out ? out_room : 0, &consumed, out_count);
    libdeflate_free_decompressor(decompressor);
    switch (result) {
    case LIBDEFLATE_SUCCESS:
        return CDEFLATE_DONE;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return CDEFLATE_NO_ROOM;
    default:
        return CDEFLATE_CORRUPT;
    }
}

cdeflate_status cdeflate_gunzip(const void *in, size_t in_count, void *out, size_t out_room, size_t *out_count)
{
    return cdeflate_decompress(0, in, in_count, out, out_room, out_count);
}

/* The header of a member ends here (RFC 1952 section 2.3); in_count where it does not. */
static size_t cdeflate_gzip_header_end(const unsigned char *in, size_t in_count)
{
    size_t end = 10;

    if (in_count < end || in[0] != 0x1f || in[1] != 0x8b || in[2] != 8)
        return in_count;
    if (in[3] & 4)
        end += end + 2 <= in_count ? 2 + (in[end] | (size_t)in[end + 1] << 8) : in_count;
    for (int flag = 8; flag <= 16; flag *= 2) {
        if (!(in[3] & flag))
            continue;
        while (end < in_count && in[end])
            end++;
        end++;
    }
    if (in[3] & 2)
        end += 2;
    return end < in_count ? end : in_count;
}

void cdeflate_gunzip_head(const void *in, size_t in_count, void *out, size_t out_room)
{
    const unsigned char *bytes = in;
    size_t start = cdeflate_gzip_header_end(bytes, in_count);

    memset(out, 0, out_room);
    /* A block that is not compressed (RFC 1951 section 3.2.4) is refused by libdeflate where it is longer than the room. */
    if (in_count - start > 5 && !(bytes[start] & 6)) {
        size_t count = in_count - start - 5, stated = bytes[start + 1] | (size_t)bytes[start + 2] << 8;
        count = count < stated ? count : stated;
        memcpy(out, bytes + start + 5, count < out_room ? count : out_room);
        return;
    }
    cdeflate_inflate_head(bytes + start, in_count - start, out, out_room);
}

void cdeflate_inflate_head(const void *in, size_t in_count, void *out, size_t out_room)
{
    size_t written;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();

    if (!decompressor)
        return;
    /* Whatever it says in the end, what it wrote before that is there. */
    libdeflate_deflate_decompress(decompressor, in, in_count, out, out_room, &written);
    libdeflate_free_decompressor(decompressor);
}

cdeflate_status cdeflate_unzlib(const void *in, size_t in_count, void *out, size_t out_room, size_t *out_count)
{
    return cdeflate_decompress(1, in, in_count, out, out_room, out_count);
}

size_t cdeflate_gzip_bound(size_t count) { return libdeflate_gzip_compress_bound(NULL, count); }

size_t cdeflate_gzip(int level, const void *in, size_t in_count, void *out, size_t out_room)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    size_t count;

    if (!compressor)
        return 0;
    count = libdeflate_gzip_compress(compressor, in, in_count, out, out_room);
    libdeflate_free_compressor(compressor);
    return count;
}

uint32_t cdeflate_crc32(uint32_t before, const void *bytes, size_t count)
{
    /* A NULL pointer asks libdeflate for the initial value. */
    return count == 0 ? before : libdeflate_crc32(before, bytes, count);
}
