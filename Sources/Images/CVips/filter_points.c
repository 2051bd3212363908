#include "filters.h"
#include <math.h>
#include <string.h>

/* Filters of one pixel: a row is taken in runs that stay in the first cache, as floats in one plane per color, and every
 * point is carried out on the whole run. One pass over memory, however many points there are. */

enum { RUN = 512 };

typedef struct {
    float plane[3][RUN];
    float luma[RUN];
    int planes, count;
    int x, y; /* of the first pixel */
    int width, height;
} run;

static void find_luma(run *run) {
    const float *r = run->plane[0], *g = run->plane[1], *b = run->plane[2];
    if (run->planes == 1)
        memcpy(run->luma, r, (size_t)run->count * sizeof(float));
    else
        for (int i = 0; i < run->count; i++) run->luma[i] = LUMA(r[i], g[i], b[i]);
}

static void apply_table(run *run, const cvips_point *point) {
    for (int p = 0; p < run->planes; p++) {
        const float *table = point->table + (point->has_three ? p * (point->size + 1) : 0);
        float *x = run->plane[p];
        for (int i = 0; i < run->count; i++) {
            float place = x[i] * (float)point->size;
            int index = (int)place;
            if (index >= point->size) index = point->size - 1;
            x[i] = table[index] + (table[index + 1] - table[index]) * (place - (float)index);
        }
    }
}

static void apply_matrix(run *run, const float *m) {
    float *r = run->plane[0], *g = run->plane[1], *b = run->plane[2];
    for (int i = 0; i < run->count; i++) {
        float x = r[i], y = g[i], z = b[i];
        r[i] = held(m[0] * x + m[1] * y + m[2] * z);
        g[i] = held(m[3] * x + m[4] * y + m[5] * z);
        b[i] = held(m[6] * x + m[7] * y + m[8] * z);
    }
}

static void apply_paint(run *run, const float *n) {
    find_luma(run);
    for (int p = 2; p >= 0; p--) {
        const float *line = n + 2 + 4 * p;
        /* A grey picture's one plane is read last. */
        const float *in = run->plane[run->planes == 1 ? 0 : p];
        float *out = run->plane[p], share = n[0], middle = n[1];
        for (int i = 0; i < run->count; i++) {
            float y = run->luma[i];
            float ink = y < middle ? line[0] + line[1] * y : line[2] + line[3] * y;
            out[i] = held(in[i] + (ink - in[i]) * share);
        }
    }
    run->planes = 3;
}

static void apply_vibrance(run *run, float amount) {
    float *r = run->plane[0], *g = run->plane[1], *b = run->plane[2];
    find_luma(run);
    for (int i = 0; i < run->count; i++) {
        float x = r[i], y = g[i], z = b[i], luma = run->luma[i];
        float most = x > y ? x : y, least = x < y ? x : y;
        most = most > z ? most : z;
        least = least < z ? least : z;
        float factor = 1 + amount * (1 - (most - least));
        r[i] = held(luma + (x - luma) * factor);
        g[i] = held(luma + (y - luma) * factor);
        b[i] = held(luma + (z - luma) * factor);
    }
}

/* All planes times a factor of their own for every pixel, in `factors`. */
static void scale_planes(run *run, const float *factors) {
    for (int p = 0; p < run->planes; p++)
        for (int i = 0; i < run->count; i++) run->plane[p][i] = held(run->plane[p][i] * factors[i]);
}

static void apply_vignette(run *run, float share) {
    float v = (float)(2 * run->y + 1 - run->height) / (float)run->height, factors[RUN];
    for (int i = 0; i < run->count; i++) {
        float u = (float)(2 * (run->x + i) + 1 - run->width) / (float)run->width;
        float square = (u * u + v * v) * 0.5f;
        factors[i] = 1 - share * square * square;
    }
    scale_planes(run, factors);
}

/* Four 16-bit numbers of a hash of place and seed: their sum is nearly Gaussian, 3.46 deviations at most. */
static void apply_noise(run *run, float deviation, uint64_t seed) {
    float noise[RUN], scale = deviation * 1.7320508f / 65536.0f;
    for (int i = 0; i < run->count; i++) {
        uint64_t h = seed * 0x9e3779b97f4a7c15u + ((uint64_t)(uint32_t)run->y << 32 | (uint32_t)(run->x + i));
        h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
        h = (h ^ h >> 27) * 0x94d049bb133111ebu;
        h ^= h >> 31;
        h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
        int32_t sum = (int32_t)(h & 0xffff) + (int32_t)(h >> 16 & 0xffff) + (int32_t)(h >> 32 & 0xffff) + (int32_t)(h >> 48);
        noise[i] = (float)(sum - 131070) * scale;
    }
    for (int p = 0; p < run->planes; p++)
        for (int i = 0; i < run->count; i++) run->plane[p][i] = held(run->plane[p][i] + noise[i]);
}

static inline float tone(const float *table, float luma) {
    float place = luma * 255.0f;
    int index = (int)place;
    if (index > 254) index = 254;
    return table[index] + (table[index + 1] - table[index]) * (place - (float)index);
}

/* Gives pixel `i` the luma `wanted`; darker, its color shrinks along, lighter, it stays as far as it fits. */
static inline void retone(run *run, int i, float wanted) {
    if (run->planes == 1) {
        run->plane[0][i] = held(wanted);
        return;
    }
    float luma = run->luma[i], share = wanted < luma ? wanted / luma : 1;
    for (int p = 0; p < 3; p++) {
        float distance = run->plane[p][i] - luma;
        if (distance * share > 1 - wanted) share = (1 - wanted) / distance;
        if (distance * share < -wanted) share = -wanted / distance;
    }
    for (int p = 0; p < 3; p++) run->plane[p][i] = held(wanted + (run->plane[p][i] - luma) * share);
}

static void apply_tones(run *run, const float *table) {
    find_luma(run);
    for (int i = 0; i < run->count; i++) retone(run, i, tone(table, run->luma[i]));
}

static void apply_tiles(run *run, const cvips_point *point) {
    float v = ((float)run->y + 0.5f) * (float)point->rows / (float)run->height - 0.5f;
    int row = (int)floorf(v), columns = point->columns;
    float down = v - (float)row;
    const float *upper = point->table + within(row, point->rows) * columns * 256;
    const float *lower = point->table + within(row + 1, point->rows) * columns * 256;
    find_luma(run);
    for (int i = 0; i < run->count; i++) {
        float u = ((float)(run->x + i) + 0.5f) * (float)columns / (float)run->width - 0.5f, luma = run->luma[i];
        int column = (int)floorf(u), left = within(column, columns) * 256, right = within(column + 1, columns) * 256;
        float across = u - (float)column;
        float top = tone(upper + left, luma), bottom = tone(lower + left, luma);
        top += (tone(upper + right, luma) - top) * across;
        bottom += (tone(lower + right, luma) - bottom) * across;
        retone(run, i, top + (bottom - top) * down);
    }
}

static void apply_point(run *run, const cvips_point *point) {
    const float *n = point->numbers;
    float factors[RUN];
    switch (point->kind) {
    case CVIPS_POINT_LINEAR:
        for (int p = 0; p < run->planes; p++)
            for (int i = 0; i < run->count; i++) run->plane[p][i] = held(run->plane[p][i] * n[0] + n[1]);
        break;
    case CVIPS_POINT_TABLE: apply_table(run, point); break;
    case CVIPS_POINT_MATRIX: apply_matrix(run, n); break;
    case CVIPS_POINT_SUM:
        for (int i = 0; i < run->count; i++)
            run->plane[0][i] = held(n[0] * run->plane[0][i] + n[1] * run->plane[1][i] + n[2] * run->plane[2][i]);
        run->planes = 1;
        break;
    case CVIPS_POINT_SPREAD:
        for (int p = 1; p < 3; p++) memcpy(run->plane[p], run->plane[0], (size_t)run->count * sizeof(float));
        run->planes = 3;
        break;
    case CVIPS_POINT_PAINT: apply_paint(run, n); break;
    case CVIPS_POINT_VIBRANCE: apply_vibrance(run, n[0]); break;
    case CVIPS_POINT_LIGHTS:
    case CVIPS_POINT_SHADES:
        find_luma(run);
        for (int i = 0; i < run->count; i++) {
            float luma = run->luma[i], dark = 1 - luma;
            factors[i] = 1 + n[0] * dark * (point->kind == CVIPS_POINT_LIGHTS ? luma * luma : dark * dark);
        }
        scale_planes(run, factors);
        break;
    case CVIPS_POINT_THRESHOLD:
        find_luma(run);
        for (int i = 0; i < run->count; i++) run->plane[0][i] = run->luma[i] >= n[0] ? 1 : 0;
        run->planes = 1;
        break;
    case CVIPS_POINT_POSTERIZE:
        for (int p = 0; p < run->planes; p++)
            for (int i = 0; i < run->count; i++)
                run->plane[p][i] = (float)(int)(run->plane[p][i] * n[0] + 0.5f) / n[0];
        break;
    case CVIPS_POINT_VIGNETTE: apply_vignette(run, n[0]); break;
    case CVIPS_POINT_NOISE: apply_noise(run, n[0], point->seed); break;
    case CVIPS_POINT_TONES: apply_tones(run, point->table); break;
    case CVIPS_POINT_TILES: apply_tiles(run, point); break;
    }
}

/* The two widths of samples differ by their type alone. */
#define LOAD_AND_STORE(name, type, limit)                                                                              \
    static void load_##name(const type *in, const cvips_pixels *shape, const float *entry, size_t stride, run *run) {  \
        size_t bands = (size_t)shape->bands;                                                                           \
        for (int p = 0; p < run->planes; p++) {                                                                        \
            const float *table = entry ? entry + stride * (size_t)p : NULL;                                            \
            if (!table) {                                                                                              \
                for (int i = 0; i < run->count; i++)                                                                   \
                    run->plane[p][i] = (float)in[(size_t)i * bands + (size_t)p] / limit;                               \
                continue;                                                                                              \
            }                                                                                                          \
            for (int i = 0; i < run->count; i++) run->plane[p][i] = table[in[(size_t)i * bands + (size_t)p]];          \
        }                                                                                                              \
    }                                                                                                                  \
    static void store_##name(const run *run, const type *in, const cvips_pixels *shape, int out_bands, type *out) {    \
        for (int p = 0; p < run->planes; p++)                                                                          \
            for (int i = 0; i < run->count; i++)                                                                       \
                out[i * out_bands + p] = (type)(int)(run->plane[p][i] * limit + 0.5f);                                 \
        if (!shape->has_alpha) return;                                                                                 \
        for (int i = 0; i < run->count; i++)                                                                           \
            out[i * out_bands + out_bands - 1] = in[i * shape->bands + shape->bands - 1];                              \
    }

LOAD_AND_STORE(bytes, uint8_t, 255.0f)
LOAD_AND_STORE(words, uint16_t, 65535.0f)

void cvips_point_rows(const void *in, const cvips_pixels *shape, const float *entry, size_t entry_stride,
                      const cvips_point *points, size_t count, int out_bands, int first, int end, void *out) {
    run run = {.width = shape->width, .height = shape->height};
    for (run.y = first; run.y < end; run.y++)
        for (run.x = 0; run.x < shape->width; run.x += RUN) {
            size_t pixel = (size_t)run.y * (size_t)shape->width + (size_t)run.x;
            size_t from = pixel * (size_t)shape->bands, to = pixel * (size_t)out_bands;
            run.count = shape->width - run.x < RUN ? shape->width - run.x : RUN;
            run.planes = color_bands(shape);
            if (shape->is_wide)
                load_words((const uint16_t *)in + from, shape, entry, entry_stride, &run);
            else
                load_bytes((const uint8_t *)in + from, shape, entry, entry_stride, &run);
            for (size_t i = 0; i < count; i++) apply_point(&run, points + i);
            if (shape->is_wide)
                store_words(&run, (const uint16_t *)in + from, shape, out_bands, (uint16_t *)out + to);
            else
                store_bytes(&run, (const uint8_t *)in + from, shape, out_bands, (uint8_t *)out + to);
        }
}
