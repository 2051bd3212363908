#include "filters.h"
#include <math.h>
#include <string.h>

/* Filters of neighbourhoods other than blurs, and the counts that levels are made of. */

void cvips_count_luma(const void *in, const cvips_pixels *shape, int left, int right, int top, int bottom,
                      uint32_t *counts) {
    size_t bands = (size_t)shape->bands;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            size_t pixel = (size_t)y * (size_t)shape->width + (size_t)x;
            if (shape->has_alpha && sample_at(in, shape, pixel * bands + bands - 1) == 0) continue;
            counts[(int)(luma_at(in, shape, pixel) * 255.0f + 0.5f)]++;
        }
}

/* Counts of the samples under the window: `fine` of each value, `coarse` of blocks of 16 or 256 of them. */
typedef struct {
    uint32_t *fine, *coarse;
    uint32_t total;
    uint32_t below; /* samples in the blocks before `block` */
    uint32_t block;
    int shift;
} tally;

static void count_column(tally *tally, const void *in, const cvips_pixels *shape, int x, int y, int radius, int band,
                         int step) {
    size_t bands = (size_t)shape->bands;
    for (int v = y - radius; v <= y + radius; v++) {
        size_t at = row_start(shape, within(v, shape->height)) + (size_t)within(x, shape->width) * bands;
        if (shape->has_alpha && sample_at(in, shape, at + bands - 1) == 0) continue;
        uint32_t value = sample_at(in, shape, at + (size_t)band), block = value >> tally->shift;
        tally->fine[value] += (uint32_t)step;
        tally->coarse[block] += (uint32_t)step;
        tally->total += (uint32_t)step;
        if (block < tally->block) tally->below += (uint32_t)step;
    }
}

/* The value that half of the samples are not above; there is at least one. */
static uint32_t median(tally *tally) {
    uint32_t rank = (tally->total - 1) / 2;
    while (tally->below > rank) tally->below -= tally->coarse[--tally->block];
    while (tally->below + tally->coarse[tally->block] <= rank) tally->below += tally->coarse[tally->block++];
    uint32_t value = tally->block << tally->shift, seen = tally->below + tally->fine[value];
    while (seen <= rank) seen += tally->fine[++value];
    return value;
}

void cvips_median_rows(const void *in, const cvips_pixels *shape, int radius, int first, int end, uint32_t *counts,
                       void *out) {
    int values = shape->is_wide ? 65536 : 256, blocks = shape->is_wide ? 256 : 16;
    for (int y = first; y < end; y++)
        for (int band = 0; band < shape->bands; band++) {
            size_t at = row_start(shape, y) + (size_t)band;
            tally tally = {.fine = counts, .coarse = counts + values, .shift = shape->is_wide ? 8 : 4};
            int is_alpha = shape->has_alpha && band == shape->bands - 1;
            if (!is_alpha) {
                memset(counts, 0, (size_t)(values + blocks) * sizeof(uint32_t));
                for (int x = -radius; x < radius; x++) count_column(&tally, in, shape, x, y, radius, band, 1);
            }
            for (int x = 0; x < shape->width; x++, at += (size_t)shape->bands) {
                if (is_alpha) {
                    copy_sample(in, at, shape, out, at);
                    continue;
                }
                count_column(&tally, in, shape, x + radius, y, radius, band, 1);
                if (tally.total == 0)
                    copy_sample(in, at, shape, out, at);
                else if (shape->is_wide)
                    ((uint16_t *)out)[at] = (uint16_t)median(&tally);
                else
                    ((uint8_t *)out)[at] = (uint8_t)median(&tally);
                count_column(&tally, in, shape, x - radius, y, radius, band, -1);
            }
        }
}

/* The mean of the pixels of a rectangle, colors by their alpha. */
static void mean_of(const void *in, const cvips_pixels *shape, int left, int right, int top, int bottom,
                    uint32_t mean[4]) {
    uint64_t sums[4] = {0}, weight = (uint64_t)(right - left) * (uint64_t)(bottom - top), area = weight;
    size_t bands = (size_t)shape->bands;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            size_t at = row_start(shape, y) + (size_t)x * bands;
            uint64_t alpha = shape->has_alpha ? sample_at(in, shape, at + bands - 1) : 1;
            for (int band = 0; band < color_bands(shape); band++)
                sums[band] += alpha * sample_at(in, shape, at + (size_t)band);
            if (shape->has_alpha) sums[bands - 1] += alpha;
        }
    if (shape->has_alpha) {
        weight = sums[bands - 1];
        mean[bands - 1] = (uint32_t)((weight + area / 2) / area);
    }
    for (int band = 0; band < color_bands(shape); band++)
        mean[band] = weight == 0 ? 0 : (uint32_t)((sums[band] + weight / 2) / weight);
}

void cvips_pixelate_rows(const void *in, const cvips_pixels *shape, int size, int first, int end, void *out) {
    for (int top = first; top < end; top += size)
        for (int left = 0; left < shape->width; left += size) {
            int bottom = top + size < shape->height ? top + size : shape->height;
            int right = left + size < shape->width ? left + size : shape->width;
            uint32_t mean[4];
            mean_of(in, shape, left, right, top, bottom, mean);
            for (int y = top; y < bottom && y < end; y++)
                for (size_t i = 0; i < (size_t)(right - left) * (size_t)shape->bands; i++) {
                    size_t at = row_start(shape, y) + (size_t)left * (size_t)shape->bands + i;
                    if (shape->is_wide)
                        ((uint16_t *)out)[at] = (uint16_t)mean[i % (size_t)shape->bands];
                    else
                        ((uint8_t *)out)[at] = (uint8_t)mean[i % (size_t)shape->bands];
                }
        }
}

/* Luma times alpha of row `y`, with one more on either side. */
static void luma_row(const void *in, const cvips_pixels *shape, int y, float *out) {
    size_t start = (size_t)within(y, shape->height) * (size_t)shape->width, bands = (size_t)shape->bands;
    for (int x = 0; x < shape->width; x++) {
        size_t pixel = start + (size_t)x;
        out[x + 1] = luma_at(in, shape, pixel);
        if (shape->has_alpha)
            out[x + 1] *= (float)sample_at(in, shape, pixel * bands + bands - 1) / sample_limit(shape);
    }
    out[0] = out[1];
    out[shape->width + 1] = out[shape->width];
}

/* The three rows of luma around `y`. */
static void luma_rows(const void *in, const cvips_pixels *shape, int y, float *scratch, const float *rows[3]) {
    for (int i = 0; i < 3; i++) {
        float *row = scratch + (size_t)i * ((size_t)shape->width + 2);
        luma_row(in, shape, y + i - 1, row);
        rows[i] = row + 1;
    }
}

void cvips_edge_rows(const void *in, const cvips_pixels *shape, int first, int end, float *scratch, void *out) {
    const float *rows[3];
    for (int y = first; y < end; y++) {
        luma_rows(in, shape, y, scratch, rows);
        const float *u = rows[0], *m = rows[1], *l = rows[2];
        for (int x = 0; x < shape->width; x++) {
            float across = u[x + 1] - u[x - 1] + 2 * (m[x + 1] - m[x - 1]) + l[x + 1] - l[x - 1];
            float down = l[x - 1] - u[x - 1] + 2 * (l[x] - u[x]) + l[x + 1] - u[x + 1];
            size_t pixel = (size_t)y * (size_t)shape->width + (size_t)x, planes = shape->has_alpha ? 2 : 1;
            put_sample(out, shape, pixel * planes, held(sqrtf(across * across + down * down) * 0.5f));
            if (shape->has_alpha)
                copy_sample(in, (pixel + 1) * (size_t)shape->bands - 1, shape, out, pixel * planes + 1);
        }
    }
}

void cvips_emboss_rows(const void *in, const cvips_pixels *shape, int first, int end, float *scratch, void *out) {
    const float *rows[3];
    size_t bands = (size_t)shape->bands, colors = (size_t)color_bands(shape);
    float limit = 1 / sample_limit(shape);
    for (int y = first; y < end; y++) {
        luma_rows(in, shape, y, scratch, rows);
        const float *u = rows[0], *m = rows[1], *l = rows[2];
        for (int x = 0; x < shape->width; x++) {
            float slope = l[x + 1] - u[x - 1] + (m[x + 1] - m[x - 1] + l[x] - u[x]) * 0.5f;
            size_t at = row_start(shape, y) + (size_t)x * bands;
            for (size_t band = 0; band < colors; band++)
                put_sample(out, shape, at + band, held((float)sample_at(in, shape, at + band) * limit + slope));
            if (shape->has_alpha) copy_sample(in, at + colors, shape, out, at + colors);
        }
    }
}
