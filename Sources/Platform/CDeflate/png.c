#include <libdeflate.h>
#include <string.h>
#include "CDeflatePNG.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

size_t cdeflate_zlib_bound(size_t count) { return libdeflate_zlib_compress_bound(NULL, count); }

size_t cdeflate_zlib_compress(int level, const void *in, size_t in_count, void *out, size_t out_room) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (!compressor) return 0;
    size_t count = libdeflate_zlib_compress(compressor, in, in_count, out, out_room);
    libdeflate_free_compressor(compressor);
    return count;
}

int cdeflate_zlib_decompress(const void *in, size_t in_count, void *out, size_t out_count) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (!decompressor) return -1;
    enum libdeflate_result result =
        libdeflate_zlib_decompress(decompressor, in, in_count, out, out_count, NULL);
    libdeflate_free_decompressor(decompressor);
    return result == LIBDEFLATE_SUCCESS ? 0 : -1;
}

static inline int distance(int value) { return value < 0 ? -value : value; }

/* The neighbour that is nearest to left + above − corner; ties go to the left, then to the one above (§9.4). */
static inline int nearest(int left, int above, int corner) {
    int to_left = distance(above - corner), to_above = distance(left - corner);
    int to_corner = distance(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/* The same without branches, so that several are worked out at once. */
static inline int16_t nearest_flat(int16_t left, int16_t above, int16_t corner) {
    int16_t over = (int16_t)(above - corner), across = (int16_t)(left - corner), both = (int16_t)(over + across);
    int16_t to_left = over < 0 ? -over : over, to_above = across < 0 ? -across : across;
    int16_t to_corner = both < 0 ? -both : both;
    int16_t best = to_above <= to_corner ? above : corner;
    int16_t least = to_above <= to_corner ? to_above : to_corner;
    return to_left <= least ? left : best;
}

static void filter(int number, const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t pixel,
                   uint8_t *restrict out) {
    const uint8_t *left = row, *corner = above;
    size_t head = pixel < count ? pixel : count;
    switch (number) {
    case 1:
        for (size_t i = 0; i < head; i++) out[i] = row[i];
        for (size_t i = head; i < count; i++) out[i] = (uint8_t)(row[i] - left[i - pixel]);
        break;
    case 2:
        for (size_t i = 0; i < count; i++) out[i] = (uint8_t)(row[i] - above[i]);
        break;
    case 3:
        for (size_t i = 0; i < head; i++) out[i] = (uint8_t)(row[i] - (above[i] >> 1));
        for (size_t i = head; i < count; i++) out[i] = (uint8_t)(row[i] - ((left[i - pixel] + above[i]) >> 1));
        break;
    case 4:
        for (size_t i = 0; i < head; i++) out[i] = (uint8_t)(row[i] - above[i]);
        for (size_t i = head; i < count; i++)
            out[i] = (uint8_t)(row[i] - nearest_flat(left[i - pixel], above[i], corner[i - pixel]));
        break;
    }
}

/* count × log2(count) in 1/65536, the mantissa's logarithm by a parabola (within 0.008): the same on every processor. */
static inline uint64_t weighed_logarithm(uint32_t count) {
    if (count < 2) return 0;
    int exponent = 31 - __builtin_clz(count);
    uint64_t part = (((uint64_t)count << 16) >> exponent) - 65536;
    uint64_t bend = (part * (65536 - part) >> 16) * 22715 >> 16;
    return count * (((uint64_t)exponent << 16) + part + bend);
}

/* Those of most counts in a row: each of its five filters has 256. Worked out before main. */
static uint32_t weighed[1024];

__attribute__((constructor)) static void weigh_counts(void) {
    for (uint32_t count = 0; count < 1024; count++) weighed[count] = (uint32_t)weighed_logarithm(count);
}

/* How well the bytes are foreseen by their own frequencies: of rows of one length, the largest has the least entropy. */
static uint64_t order(const uint8_t *bytes, size_t count) {
    uint32_t seen[4][256] = {{0}};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        seen[0][bytes[i]]++;
        seen[1][bytes[i + 1]]++;
        seen[2][bytes[i + 2]]++;
        seen[3][bytes[i + 3]]++;
    }
    for (; i < count; i++) seen[0][bytes[i]]++;
    uint64_t sum = 0;
    for (int value = 0; value < 256; value++) {
        uint32_t total = seen[0][value] + seen[1][value] + seen[2][value] + seen[3][value];
        sum += total < 1024 ? weighed[total] : weighed_logarithm(total);
    }
    return sum;
}

void cdeflate_filter_row(const uint8_t *row, const uint8_t *above, size_t count, size_t pixel_count, uint8_t *scratch,
                         uint8_t *out) {
    out[0] = 0;
    memcpy(out + 1, row, count);
    uint64_t best = order(row, count);
    for (int number = 1; number <= 4; number++) {
        if (!above && number > 1) break;
        filter(number, row, above, count, pixel_count, scratch);
        uint64_t sum = order(scratch, count);
        if (sum <= best) continue;
        best = sum;
        out[0] = (uint8_t)number;
        memcpy(out + 1, scratch, count);
    }
}

#if defined(__SSE2__)
/* The number of bytes of a pixel has to be a constant in what becomes of these: otherwise each pixel costs calls of memcpy. */
#define SPECIALISED static inline __attribute__((always_inline))

SPECIALISED __m128i pixel_at(const uint8_t *bytes, size_t pixel) {
    uint32_t value = 0;
    memcpy(&value, bytes, pixel);
    return _mm_cvtsi32_si128((int32_t)value);
}

SPECIALISED void put_pixel(uint8_t *bytes, __m128i value, size_t pixel) {
    uint32_t word = (uint32_t)_mm_cvtsi128_si32(value);
    memcpy(bytes, &word, pixel);
}

static inline __m128i choose(__m128i mask, __m128i yes, __m128i no) {
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline __m128i magnitudes(__m128i values) {
    return _mm_max_epi16(values, _mm_sub_epi16(_mm_setzero_si128(), values));
}

/* The samples of one pixel at a time: every pixel needs the one to its left. */
SPECIALISED void unfilter_paeth(uint8_t *row, const uint8_t *above, size_t count, size_t pixel) {
    const __m128i zero = _mm_setzero_si128();
    __m128i left = zero, corner = zero;
    for (size_t i = 0; i + pixel <= count; i += pixel) {
        __m128i over = _mm_unpacklo_epi8(pixel_at(above + i, pixel), zero);
        __m128i to_left = _mm_sub_epi16(over, corner), to_above = _mm_sub_epi16(left, corner);
        __m128i to_corner = magnitudes(_mm_add_epi16(to_left, to_above));
        to_left = magnitudes(to_left);
        to_above = magnitudes(to_above);
        __m128i least = _mm_min_epi16(to_corner, _mm_min_epi16(to_left, to_above));
        __m128i near = choose(_mm_cmpeq_epi16(least, to_left), left,
                              choose(_mm_cmpeq_epi16(least, to_above), over, corner));
        /* Added as bytes: what flows over stays in its own lane. */
        left = _mm_add_epi8(_mm_unpacklo_epi8(pixel_at(row + i, pixel), zero), near);
        corner = over;
        put_pixel(row + i, _mm_packus_epi16(left, zero), pixel);
    }
}

SPECIALISED void unfilter_average(uint8_t *row, const uint8_t *above, size_t count, size_t pixel) {
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i + pixel <= count; i += pixel) {
        __m128i over = pixel_at(above + i, pixel);
        /* The mean is rounded down, the instruction rounds up. */
        __m128i odd = _mm_and_si128(_mm_xor_si128(left, over), _mm_set1_epi8(1));
        __m128i mean = _mm_sub_epi8(_mm_avg_epu8(left, over), odd);
        left = _mm_add_epi8(pixel_at(row + i, pixel), mean);
        put_pixel(row + i, left, pixel);
    }
}

SPECIALISED void unfilter_sub(uint8_t *row, size_t count, size_t pixel) {
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i + pixel <= count; i += pixel) {
        left = _mm_add_epi8(pixel_at(row + i, pixel), left);
        put_pixel(row + i, left, pixel);
    }
}
#endif

static void unfilter_plainly(int number, uint8_t *row, const uint8_t *above, size_t count, size_t pixel) {
    for (size_t i = 0; i < count; i++) {
        int left = i >= pixel ? row[i - pixel] : 0, over = above ? above[i] : 0;
        int corner = above && i >= pixel ? above[i - pixel] : 0;
        row[i] = (uint8_t)(row[i] + (number == 1   ? left
                                     : number == 3 ? (left + over) >> 1
                                                   : nearest(left, over, corner)));
    }
}

int cdeflate_unfilter_row(int number, uint8_t *row, const uint8_t *above, size_t count, size_t pixel_count) {
    switch (number) {
    case 0:
        return 0;
    case 2:
        for (size_t i = 0; above && i < count; i++) row[i] = (uint8_t)(row[i] + above[i]);
        return 0;
    case 1:
    case 3:
    case 4:
        break;
    default:
        return -1;
    }
#if defined(__SSE2__)
    int is_sub = number == 1 || (number == 4 && !above);
    if (pixel_count == 3 && is_sub) return unfilter_sub(row, count, 3), 0;
    if (pixel_count == 4 && is_sub) return unfilter_sub(row, count, 4), 0;
    if (pixel_count == 3 && above && number == 3) return unfilter_average(row, above, count, 3), 0;
    if (pixel_count == 4 && above && number == 3) return unfilter_average(row, above, count, 4), 0;
    if (pixel_count == 3 && above) return unfilter_paeth(row, above, count, 3), 0;
    if (pixel_count == 4 && above) return unfilter_paeth(row, above, count, 4), 0;
#endif
    unfilter_plainly(number, row, above, count, pixel_count);
    return 0;
}

int cdeflate_find_colors(const uint8_t *pixels, size_t count, size_t bands, uint32_t *colors, uint8_t *numbers) {
    enum { SLOTS = 1024 };
    uint32_t keys[SLOTS];
    int16_t found[SLOTS];
    int color_count = 0;
    memset(found, -1, sizeof found);
    uint32_t last = 0;
    int last_number = -1;
    for (size_t i = 0; i < count; i++, pixels += bands) {
        uint32_t color = bands == 1   ? 0xff000000u | pixels[0] * 0x010101u
                          : bands == 2 ? (uint32_t)pixels[1] << 24 | pixels[0] * 0x010101u
                                       : (bands == 4 ? (uint32_t)pixels[3] << 24 : 0xff000000u) |
                                             (uint32_t)pixels[0] << 16 | (uint32_t)pixels[1] << 8 | pixels[2];
        if (color != last || last_number < 0) {
            uint32_t slot = (color * 0x9e3779b1u) >> 22;
            while (found[slot] >= 0 && keys[slot] != color) slot = (slot + 1) % SLOTS;
            if (found[slot] < 0) {
                if (color_count == 256) return -1;
                keys[slot] = color;
                found[slot] = (int16_t)color_count;
                colors[color_count++] = color;
            }
            last = color;
            last_number = found[slot];
        }
        numbers[i] = (uint8_t)last_number;
    }
    return color_count;
}

int cdeflate_is_opaque(const uint8_t *pixels, size_t count, size_t bands) {
    for (size_t i = 0; i < count; i++)
        if (pixels[i * bands + bands - 1] != 255) return 0;
    return 1;
}

void cdeflate_drop_alpha(uint8_t *pixels, size_t count, size_t bands) {
    uint8_t *out = pixels;
    for (size_t i = 0; i < count; i++, pixels += bands)
        for (size_t band = 0; band + 1 < bands; band++) *out++ = pixels[band];
}

void cdeflate_pack_row(const uint8_t *numbers, const uint8_t *places, size_t count, int bits, uint8_t *out) {
    if (bits == 8) {
        for (size_t i = 0; i < count; i++) out[i] = places[numbers[i]];
        return;
    }
    memset(out, 0, (count * (size_t)bits + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * (size_t)bits;
        out[bit / 8] |= (uint8_t)(places[numbers[i]] << (8 - bits - (int)(bit % 8)));
    }
}

void cdeflate_swap16(const uint8_t *in, size_t count, uint8_t *out) {
    for (size_t i = 0; i + 1 < count; i += 2) {
        uint8_t first = in[i];
        out[i] = in[i + 1];
        out[i + 1] = first;
    }
}

void cdeflate_expand_row(const uint8_t *in, const uint8_t *table, size_t count, int bits, size_t bands, uint8_t *out) {
    unsigned mask = (1u << bits) - 1;
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * (size_t)bits;
        const uint8_t *entry = table + bands * ((in[bit / 8] >> (8 - bits - (int)(bit % 8))) & mask);
        for (size_t band = 0; band < bands; band++) *out++ = entry[band];
    }
}
