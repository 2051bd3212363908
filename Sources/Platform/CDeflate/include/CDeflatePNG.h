#ifndef CDEFLATE_PNG_H
#define CDEFLATE_PNG_H

#include <stddef.h>
#include <stdint.h>

/* The inner loops of PNG (ISO/IEC 15948 §9, §10) and the zlib streams that it is made of. Nothing keeps state. */

/* The most bytes that cdeflate_zlib_compress writes for `count` bytes. */
size_t cdeflate_zlib_bound(size_t count);
/* `level` 1–12. 0 where memory is short or the room too small. */
size_t cdeflate_zlib_compress(int level, const void *in, size_t in_count, void *out, size_t out_room);
/* Decompresses a stream that must give exactly out_count bytes. 0, or -1 where it does not. */
int cdeflate_zlib_decompress(const void *in, size_t in_count, void *out, size_t out_count);

/* Writes the number of a filter and the filtered row, in_count + 1 bytes, to `out`: of the five filters the one that leaves
 * the least entropy (against the smallest sum of differences: as quick, 0 to 2 % fewer bytes of photographs). `above` is the unfiltered row above, NULL for the first one; `scratch` has room for
 * in_count bytes; pixel_count is the bytes of a pixel, at least 1. */
void cdeflate_filter_row(const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_count, uint8_t *scratch,
                         uint8_t *out);
/* Undoes `filter` (0–4) in place; -1 for another number. */
int cdeflate_unfilter_row(int filter, uint8_t *row, const uint8_t *above, size_t count, size_t pixel_count);

/* The colors of pixels of 1–4 bands (the last of 2 and 4 is alpha) as 0xAARRGGBB in the order of their appearance, and
 * the number of each pixel's; -1 where there are more than 256. */
int cdeflate_find_colors(const uint8_t *pixels, size_t count, size_t bands, uint32_t *colors, uint8_t *numbers);
/* Whether the last band is 255 everywhere. */
int cdeflate_is_opaque(const uint8_t *pixels, size_t count, size_t bands);
/* Takes the last band away, in place. */
void cdeflate_drop_alpha(uint8_t *pixels, size_t count, size_t bands);
/* places[numbers[i]] in `bits` (1, 2, 4, 8) each, the first in the highest bits. */
void cdeflate_pack_row(const uint8_t *numbers, const uint8_t *places, size_t count, int bits, uint8_t *out);
/* Swaps the bytes of samples of 16 bits; `out` may be `in`. */
void cdeflate_swap16(const uint8_t *in, size_t count, uint8_t *out);

/* The entries (`bands` bytes each, 256 of them) of `table` for `count` numbers of `bits` (1, 2, 4, 8) each. */
void cdeflate_expand_row(const uint8_t *in, const uint8_t *table, size_t count, int bits, size_t bands, uint8_t *out);

#endif
