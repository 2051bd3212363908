#include "CVips.h"
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#define FOR_AVX2 __attribute__((target("avx2")))
#endif

/* The inner loops of the resampler. They stand in C because most of them are written for the multiply-add instruction
 * of the CPU that Swift does not name; integers throughout, so with the same weights every CPU gives the same pixels. */

enum { WEIGHT_BITS = 14, SAMPLE_BITS = 6 };

static inline int16_t clamp16(int32_t value) {
    return (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
}

void cvips_widen(const uint8_t *restrict in, size_t pixels, int bands, int premultiply, int16_t *restrict out) {
    if (!premultiply) {
        for (size_t i = 0; i < pixels * (size_t)bands; i++) out[i] = (int16_t)(in[i] << SAMPLE_BITS);
        return;
    }
    for (size_t i = 0; i < pixels; i++, in += bands, out += bands) {
        uint32_t alpha = in[bands - 1];
        for (int band = 0; band < bands - 1; band++)
            out[band] = (int16_t)(((in[band] * alpha << SAMPLE_BITS) + 127) / 255);
        out[bands - 1] = (int16_t)(alpha << SAMPLE_BITS);
    }
}

void cvips_widen_by(const int16_t *restrict table, const uint8_t *restrict in, size_t pixels, int bands,
                    int premultiply, int16_t *restrict out) {
    int colors = bands - (premultiply != 0);
    for (size_t i = 0; i < pixels; i++, in += bands, out += bands) {
        int32_t alpha = premultiply ? in[bands - 1] : 255;
        for (int band = 0; band < colors; band++)
            out[band] = alpha == 255 ? table[in[band]] : (int16_t)((table[in[band]] * alpha + 127) / 255);
        if (premultiply) out[bands - 1] = (int16_t)(alpha << SAMPLE_BITS);
    }
}

/* At most 65536 rows: 255 × 64 × 131585 is the end of 32 bits. */
void cvips_add_row(const int16_t *restrict row, size_t samples, int32_t *restrict sums) {
    for (size_t i = 0; i < samples; i++) sums[i] += row[i];
}

/* The last group of columns may be short. */
void cvips_shrink_sums(const int32_t *restrict sums, size_t pixels, int bands, int columns, int rows,
                       int16_t *restrict out) {
    for (size_t first = 0; first < pixels; first += (size_t)columns, out += bands) {
        size_t end = first + (size_t)columns < pixels ? first + (size_t)columns : pixels;
        int64_t area = (int64_t)(end - first) * rows;
        for (int band = 0; band < bands; band++) {
            int64_t sum = area / 2;
            for (size_t x = first; x < end; x++) sum += sums[x * (size_t)bands + (size_t)band];
            out[band] = (int16_t)(sum / area);
        }
    }
}

#if defined(__SSE2__)
/* The same as below, by twice as many samples. */
FOR_AVX2 static size_t weigh_wide_rows(const int16_t *const *rows, const int16_t *weights, int taps, size_t samples,
                                       int16_t *restrict out) {
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        __m256i half = _mm256_set1_epi32(1 << (WEIGHT_BITS - 1));
        __m256i a = half, b = half, c = half, d = half;
        for (int tap = 0; tap < taps; tap += 2) {
            int two = tap + 1 < taps;
            const int16_t *upper = rows[tap] + i, *lower = rows[tap + two] + i;
            __m256i pair = _mm256_set1_epi32((uint16_t)weights[tap] | (two ? (int32_t)weights[tap + 1] * 65536 : 0));
            __m256i u = _mm256_loadu_si256((const __m256i *)upper), l = _mm256_loadu_si256((const __m256i *)lower);
            __m256i v = _mm256_loadu_si256((const __m256i *)(upper + 16)), m = _mm256_loadu_si256((const __m256i *)(lower + 16));
            a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_unpacklo_epi16(u, l), pair));
            b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_unpackhi_epi16(u, l), pair));
            c = _mm256_add_epi32(c, _mm256_madd_epi16(_mm256_unpacklo_epi16(v, m), pair));
            d = _mm256_add_epi32(d, _mm256_madd_epi16(_mm256_unpackhi_epi16(v, m), pair));
        }
        a = _mm256_packs_epi32(_mm256_srai_epi32(a, WEIGHT_BITS), _mm256_srai_epi32(b, WEIGHT_BITS));
        c = _mm256_packs_epi32(_mm256_srai_epi32(c, WEIGHT_BITS), _mm256_srai_epi32(d, WEIGHT_BITS));
        _mm256_storeu_si256((__m256i *)(out + i), a);
        _mm256_storeu_si256((__m256i *)(out + i + 16), c);
    }
    return i;
}
#endif

void cvips_weigh_rows(const int16_t *const *rows, const int16_t *weights, int taps, size_t samples,
                      int16_t *restrict out) {
    size_t i = 0;
#if defined(__SSE2__)
    if (__builtin_cpu_supports("avx2")) i = weigh_wide_rows(rows, weights, taps, samples, out);
    for (; i + 16 <= samples; i += 16) {
        __m128i half = _mm_set1_epi32(1 << (WEIGHT_BITS - 1));
        __m128i a = half, b = half, c = half, d = half;
        for (int tap = 0; tap < taps; tap += 2) {
            int two = tap + 1 < taps;
            const int16_t *upper = rows[tap] + i, *lower = rows[tap + two] + i;
            __m128i pair = _mm_set1_epi32((uint16_t)weights[tap] | (two ? (int32_t)weights[tap + 1] * 65536 : 0));
            __m128i u = _mm_loadu_si128((const __m128i *)upper), l = _mm_loadu_si128((const __m128i *)lower);
            __m128i v = _mm_loadu_si128((const __m128i *)(upper + 8)), m = _mm_loadu_si128((const __m128i *)(lower + 8));
            a = _mm_add_epi32(a, _mm_madd_epi16(_mm_unpacklo_epi16(u, l), pair));
            b = _mm_add_epi32(b, _mm_madd_epi16(_mm_unpackhi_epi16(u, l), pair));
            c = _mm_add_epi32(c, _mm_madd_epi16(_mm_unpacklo_epi16(v, m), pair));
            d = _mm_add_epi32(d, _mm_madd_epi16(_mm_unpackhi_epi16(v, m), pair));
        }
        a = _mm_packs_epi32(_mm_srai_epi32(a, WEIGHT_BITS), _mm_srai_epi32(b, WEIGHT_BITS));
        c = _mm_packs_epi32(_mm_srai_epi32(c, WEIGHT_BITS), _mm_srai_epi32(d, WEIGHT_BITS));
        _mm_storeu_si128((__m128i *)(out + i), a);
        _mm_storeu_si128((__m128i *)(out + i + 8), c);
    }
#endif
    for (; i < samples; i++) {
        int32_t sum = 1 << (WEIGHT_BITS - 1);
        for (int tap = 0; tap < taps; tap++) sum += (int32_t)rows[tap][i] * weights[tap];
        out[i] = clamp16(sum >> WEIGHT_BITS);
    }
}

#if defined(__SSE2__)
/* Three or four bands: the lanes of one register are the bands, two pixels are weighed per instruction. */
static void weigh_pixels(const int16_t *row, const int32_t *starts, const int16_t *weights, int taps, size_t pixels,
                         int bands, int16_t *out) {
    for (size_t x = 0; x < pixels; x++, weights += taps, out += bands) {
        const int16_t *in = row + (size_t)starts[x] * (size_t)bands;
        __m128i sum = _mm_set1_epi32(1 << (WEIGHT_BITS - 1));
        for (int tap = 0; tap < taps; tap += 2, in += 2 * bands) {
            __m128i left = _mm_loadl_epi64((const __m128i *)in), right = _mm_loadl_epi64((const __m128i *)(in + bands));
            __m128i pair = _mm_set1_epi32((uint16_t)weights[tap] | (int32_t)weights[tap + 1] * 65536);
            sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_unpacklo_epi16(left, right), pair));
        }
        sum = _mm_packs_epi32(_mm_srai_epi32(sum, WEIGHT_BITS), sum);
        int16_t lanes[8];
        _mm_storeu_si128((__m128i *)lanes, sum);
        for (int band = 0; band < bands; band++) out[band] = lanes[band];
    }
}
#endif

#if defined(__SSE2__)
static inline __m128i weigh_bytes(const int16_t *in, const int16_t *weights, int taps) {
    __m128i sum = _mm_setzero_si128();
    for (int tap = 0; tap < taps; tap += 8) {
        __m128i samples = _mm_loadu_si128((const __m128i *)(in + tap));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(samples, _mm_loadu_si128((const __m128i *)(weights + tap))));
    }
    return sum;
}

static inline __m128i added_up(__m128i a, __m128i b) {
    return _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
}

/* One band: eight samples of one result are weighed per instruction, and the sums of four results added up together. */
static size_t weigh_plane(const int16_t *row, const int32_t *starts, const int16_t *weights, int taps, size_t pixels,
                          int16_t *out) {
    size_t x = 0;
    for (; x + 4 <= pixels; x += 4, weights += 4 * taps) {
        __m128i a = weigh_bytes(row + starts[x], weights, taps);
        __m128i b = weigh_bytes(row + starts[x + 1], weights + taps, taps);
        __m128i c = weigh_bytes(row + starts[x + 2], weights + 2 * taps, taps);
        __m128i d = weigh_bytes(row + starts[x + 3], weights + 3 * taps, taps);
        a = added_up(a, b), c = added_up(c, d);
        a = _mm_add_epi32(_mm_unpacklo_epi64(a, c), _mm_unpackhi_epi64(a, c));
        a = _mm_srai_epi32(_mm_add_epi32(a, _mm_set1_epi32(1 << (WEIGHT_BITS - 1))), WEIGHT_BITS);
        _mm_storel_epi64((__m128i *)(out + x), _mm_packs_epi32(a, a));
    }
    return x;
}
#endif

void cvips_weigh_columns(const int16_t *restrict row, const int32_t *starts, const int16_t *weights, int taps,
                         size_t pixels, int bands, int16_t *restrict out) {
#if defined(__SSE2__)
    if (bands >= 3) {
        weigh_pixels(row, starts, weights, taps, pixels, bands, out);
        return;
    }
#endif
    size_t x = 0;
#if defined(__SSE2__)
    if (bands == 1 && taps % 8 == 0) {
        x = weigh_plane(row, starts, weights, taps, pixels, out);
        weights += x * (size_t)taps;
        out += x;
    }
#endif
    for (; x < pixels; x++, weights += taps) {
        const int16_t *in = row + (size_t)starts[x] * (size_t)bands;
        for (int band = 0; band < bands; band++) {
            int32_t sum = 1 << (WEIGHT_BITS - 1);
            for (int tap = 0; tap < taps; tap++) sum += (int32_t)in[tap * bands + band] * weights[tap];
            *out++ = clamp16(sum >> WEIGHT_BITS);
        }
    }
}

void cvips_weigh_pairs(const int16_t *restrict row, const int16_t *weights, int taps, size_t pixels,
                       int16_t *restrict out) {
    size_t x = 0;
#if defined(__SSE2__)
    /* Samples lie in pairs as results do: a multiply-add weighs one pair of each of four results. */
    for (; x + 8 <= pixels; x += 8) {
        __m128i a = _mm_set1_epi32(1 << (WEIGHT_BITS - 1)), b = a;
        for (int tap = 0; tap < taps; tap += 2) {
            const int16_t *in = row + 2 * x + tap;
            __m128i pair = _mm_set1_epi32((uint16_t)weights[tap] | (int32_t)weights[tap + 1] * 65536);
            a = _mm_add_epi32(a, _mm_madd_epi16(_mm_loadu_si128((const __m128i *)in), pair));
            b = _mm_add_epi32(b, _mm_madd_epi16(_mm_loadu_si128((const __m128i *)(in + 8)), pair));
        }
        a = _mm_packs_epi32(_mm_srai_epi32(a, WEIGHT_BITS), _mm_srai_epi32(b, WEIGHT_BITS));
        _mm_storeu_si128((__m128i *)(out + x), a);
    }
#endif
    for (; x < pixels; x++) {
        int32_t sum = 1 << (WEIGHT_BITS - 1);
        for (int tap = 0; tap < taps; tap++) sum += (int32_t)row[2 * x + (size_t)tap] * weights[tap];
        out[x] = clamp16(sum >> WEIGHT_BITS);
    }
}

static inline uint8_t byte(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

void cvips_narrow(const int16_t *restrict in, size_t pixels, int bands, int unpremultiply, uint8_t *restrict out) {
    const int32_t half = 1 << (SAMPLE_BITS - 1);
    if (!unpremultiply) {
        for (size_t i = 0; i < pixels * (size_t)bands; i++) out[i] = byte((in[i] + half) >> SAMPLE_BITS);
        return;
    }
    for (size_t i = 0; i < pixels; i++, in += bands, out += bands) {
        int32_t alpha = in[bands - 1];
        for (int band = 0; band < bands - 1; band++)
            out[band] = alpha < half ? 0 : byte((in[band] * 255 + alpha / 2) / alpha);
        out[bands - 1] = byte((alpha + half) >> SAMPLE_BITS);
    }
}

void cvips_narrow_by(const uint8_t *restrict table, const int16_t *restrict in, size_t pixels, int bands,
                     int unpremultiply, uint8_t *restrict out) {
    const int32_t full = 255 << SAMPLE_BITS;
    int colors = bands - (unpremultiply != 0);
    for (size_t i = 0; i < pixels; i++, in += bands, out += bands) {
        int32_t alpha = unpremultiply ? in[bands - 1] : full;
        for (int band = 0; band < colors; band++) {
            int32_t value = alpha == full ? in[band] : alpha < 1 << (SAMPLE_BITS - 1) ? 0 : in[band] * full / alpha;
            out[band] = table[value < 0 ? 0 : value > full ? full : value];
        }
        if (unpremultiply) out[bands - 1] = byte((alpha + (1 << (SAMPLE_BITS - 1))) >> SAMPLE_BITS);
    }
}

/* 1.402, 0.344136, 0.714136 and 1.772 in 1/16384. */
enum {
    NARROW_SHIFT = WEIGHT_BITS + SAMPLE_BITS,
    MIDDLE = 128 << SAMPLE_BITS,
    RED_BY_RED = 22970,
    GREEN_BY_BLUE = -5638,
    GREEN_BY_RED = -11700,
    BLUE_BY_BLUE = 29032,
};

#if defined(__SSE2__)
/* Of eight pixels the sums of luma, of a color by its weight, and of what is added to the first four and the last, as levels. */
static inline __m128i levels(__m128i y, __m128i color, int by_color, __m128i more, __m128i more_last) {
    __m128i pair = _mm_set1_epi32((1 << WEIGHT_BITS) | by_color * 65536);
    __m128i first = _mm_add_epi32(_mm_madd_epi16(_mm_unpacklo_epi16(y, color), pair), more);
    __m128i last = _mm_add_epi32(_mm_madd_epi16(_mm_unpackhi_epi16(y, color), pair), more_last);
    __m128i eight = _mm_packs_epi32(_mm_srai_epi32(first, NARROW_SHIFT), _mm_srai_epi32(last, NARROW_SHIFT));
    return _mm_packus_epi16(eight, eight);
}

static inline __m128i color_of_eight(const int16_t *in, int halving) {
    __m128i four = _mm_loadl_epi64((const __m128i *)in);
    __m128i eight = halving ? _mm_unpacklo_epi16(four, four) : _mm_loadu_si128((const __m128i *)in);
    return _mm_subs_epi16(eight, _mm_set1_epi16(MIDDLE));
}

/* Four pixels of four bytes, the last of which is zero, lose it. Writes 14 bytes. */
static inline void put_pixels(__m128i four, uint8_t *out) {
    __m128i first = _mm_set1_epi64x(0xffffff), second = _mm_set1_epi64x(0xffffff000000);
    __m128i six = _mm_or_si128(_mm_and_si128(four, first), _mm_and_si128(_mm_srli_epi64(four, 8), second));
    _mm_storel_epi64((__m128i *)out, six);
    _mm_storel_epi64((__m128i *)(out + 6), _mm_unpackhi_epi64(six, six));
}

static inline size_t narrow_eights(const int16_t *luma, const int16_t *blue, const int16_t *red, size_t pixels,
                                   int halving, uint8_t *out) {
    size_t i = 0;
    __m128i half = _mm_set1_epi32(1 << (NARROW_SHIFT - 1));
    /* Beside red there stand numbers which make the half. */
    __m128i part = _mm_set1_epi16(1 << (NARROW_SHIFT - 1 - WEIGHT_BITS));
    __m128i pair = _mm_set1_epi32((uint16_t)GREEN_BY_RED | 1 << (WEIGHT_BITS + 16));
    for (; i + 8 < pixels; i += 8, out += 24) {
        __m128i y = _mm_loadu_si128((const __m128i *)(luma + i));
        __m128i b = color_of_eight(blue + (i >> halving), halving), r = color_of_eight(red + (i >> halving), halving);
        __m128i green_first = _mm_madd_epi16(_mm_unpacklo_epi16(r, part), pair);
        __m128i green_last = _mm_madd_epi16(_mm_unpackhi_epi16(r, part), pair);
        __m128i red_green = _mm_unpacklo_epi8(levels(y, r, RED_BY_RED, half, half),
                                              levels(y, b, GREEN_BY_BLUE, green_first, green_last));
        __m128i blue_zero = _mm_unpacklo_epi8(levels(y, b, BLUE_BY_BLUE, half, half), _mm_setzero_si128());
        put_pixels(_mm_unpacklo_epi16(red_green, blue_zero), out);
        put_pixels(_mm_unpackhi_epi16(red_green, blue_zero), out + 12);
    }
    return i;
}
#endif

static inline void narrow_ycc(const int16_t *restrict luma, const int16_t *restrict blue, const int16_t *restrict red,
                              size_t pixels, int halving, uint8_t *restrict out) {
    size_t i = 0;
#if defined(__SSE2__)
    i = narrow_eights(luma, blue, red, pixels, halving, out);
#endif
    for (out += 3 * i; i < pixels; i++, out += 3) {
        int32_t y = luma[i] * (1 << WEIGHT_BITS) + (1 << (NARROW_SHIFT - 1));
        int32_t b = clamp16(blue[i >> halving] - MIDDLE), r = clamp16(red[i >> halving] - MIDDLE);
        out[0] = byte((y + RED_BY_RED * r) >> NARROW_SHIFT);
        out[1] = byte((y + GREEN_BY_BLUE * b + GREEN_BY_RED * r) >> NARROW_SHIFT);
        out[2] = byte((y + BLUE_BY_BLUE * b) >> NARROW_SHIFT);
    }
}

void cvips_narrow_ycc(const int16_t *luma, const int16_t *blue, const int16_t *red, size_t pixels, int share, uint8_t *out) {
    if (share == 2) narrow_ycc(luma, blue, red, pixels, 1, out);
    else narrow_ycc(luma, blue, red, pixels, 0, out);
}

int cvips_is_opaque(const uint8_t *rgba, size_t pixels) {
    uint8_t common[4];
    uint32_t all = UINT32_MAX;
    /* Whole pixels, of which compilers take several at once. */
    for (size_t i = 0; i < pixels; i++) {
        uint32_t pixel;
        memcpy(&pixel, rgba + i * 4, 4);
        all &= pixel;
    }
    memcpy(common, &all, 4);
    return common[3] == 255;
}

int cvips_straighten(const uint8_t *restrict in, size_t pixels, uint8_t *restrict out) {
    if (cvips_is_opaque(in, pixels)) {
        /* Four bytes are one move; the next pixel overwrites the last of them, and the last pixel has none to spare. */
        for (size_t i = 0; i + 1 < pixels; i++) memcpy(out + i * 3, in + i * 4, 4);
        if (pixels > 0) memcpy(out + (pixels - 1) * 3, in + (pixels - 1) * 4, 3);
        return 3;
    }
    for (size_t i = 0; i < pixels * 4; i += 4) {
        int32_t alpha = in[i + 3];
        if (alpha == 255) {
            memcpy(out + i, in + i, 4);
            continue;
        }
        for (size_t band = 0; band < 3; band++)
            out[i + band] = alpha == 0 ? 0 : byte((in[i + band] * 255 + alpha / 2) / alpha);
        out[i + 3] = (uint8_t)alpha;
    }
    return 4;
}
