#include "filters.h"
#include <string.h>

/* Blurs of 16 bits of precision, and what is made of them. Rows are weighed straight from the picture in memory, so that
 * nothing but one row of sums is kept. */

/* Adds row `y` of the picture times `weight`; colors times alpha where there is one. */
static void add_weighed(const void *in, const cvips_pixels *shape, int y, float weight, float *sums) {
    size_t start = row_start(shape, within(y, shape->height)), count = row_start(shape, 1);
    if (!shape->has_alpha) {
        if (shape->is_wide) {
            const uint16_t *row = (const uint16_t *)in + start;
            for (size_t i = 0; i < count; i++) sums[i] += weight * (float)row[i];
        } else {
            const uint8_t *row = (const uint8_t *)in + start;
            for (size_t i = 0; i < count; i++) sums[i] += weight * (float)row[i];
        }
        return;
    }
    size_t bands = (size_t)shape->bands;
    float share = weight / sample_limit(shape);
    for (size_t i = 0; i < count; i += bands) {
        float alpha = (float)sample_at(in, shape, start + i + bands - 1);
        for (size_t band = 0; band + 1 < bands; band++)
            sums[i + band] += share * alpha * (float)sample_at(in, shape, start + i + band);
        sums[i + bands - 1] += weight * alpha;
    }
}

static inline uint16_t word(float value) {
    return (uint16_t)(value < 0 ? 0 : value > 65535.0f ? 65535.0f : value + 0.5f);
}

/* Makes the colors of `pixels` samples (0–65535, times alpha) straight. */
static void straighten_row(float *row, size_t pixels, int bands) {
    for (size_t i = 0; i < pixels; i++, row += bands) {
        float alpha = row[bands - 1];
        for (int band = 0; band < bands - 1; band++) row[band] = alpha < 0.5f ? 0 : row[band] * 65535.0f / alpha;
    }
}

void cvips_blur_rows(const void *in, const cvips_pixels *shape, const float *weights, int reach, int first, int end,
                     float *scratch, uint16_t *out) {
    enum { PART = 256 };
    size_t bands = (size_t)shape->bands, count = row_start(shape, 1), lead = (size_t)reach * bands;
    float *row = scratch + lead, scale = shape->is_wide ? 1 : 257.0f, sums[PART * 4];
    for (int y = first; y < end; y++) {
        memset(row, 0, count * sizeof(float));
        add_weighed(in, shape, y, weights[0] * scale, row);
        for (int tap = 1; tap <= reach; tap++) {
            add_weighed(in, shape, y - tap, weights[tap] * scale, row);
            add_weighed(in, shape, y + tap, weights[tap] * scale, row);
        }
        for (size_t i = 0; i < lead; i++) {
            scratch[i] = row[i % bands];
            row[count + i] = row[count - bands + i % bands];
        }
        for (size_t start = 0; start < count; start += PART * bands) {
            size_t part = count - start < PART * bands ? count - start : PART * bands;
            const float *middle = row + start;
            for (size_t i = 0; i < part; i++) sums[i] = weights[0] * middle[i];
            for (int tap = 1; tap <= reach; tap++) {
                const float *left = middle - (size_t)tap * bands, *right = middle + (size_t)tap * bands;
                for (size_t i = 0; i < part; i++) sums[i] += weights[tap] * (left[i] + right[i]);
            }
            if (shape->has_alpha) straighten_row(sums, part / bands, shape->bands);
            uint16_t *to = out + row_start(shape, y) + start;
            for (size_t i = 0; i < part; i++) to[i] = word(sums[i]);
        }
    }
}

void cvips_reduce_rows(const void *in, const cvips_pixels *shape, const cvips_pixels *small, int factor, int margin,
                       int first, int end, uint16_t *out) {
    uint64_t limit = shape->is_wide ? 65535 : 255, widen = shape->is_wide ? 1 : 257;
    for (int y = first; y < end; y++)
        for (int x = 0; x < small->width; x++) {
            uint64_t sums[4] = {0}, area = (uint64_t)factor * (uint64_t)factor;
            for (int v = y * factor - margin; v < (y + 1) * factor - margin; v++) {
                size_t start = row_start(shape, within(v, shape->height));
                for (int u = x * factor - margin; u < (x + 1) * factor - margin; u++) {
                    size_t at = start + (size_t)within(u, shape->width) * (size_t)shape->bands;
                    uint64_t alpha = shape->has_alpha ? sample_at(in, shape, at + (size_t)shape->bands - 1) : 1;
                    for (int band = 0; band < color_bands(shape); band++)
                        sums[band] += alpha * sample_at(in, shape, at + (size_t)band);
                    if (shape->has_alpha) sums[shape->bands - 1] += alpha;
                }
            }
            uint16_t *to = out + row_start(small, y) + (size_t)x * (size_t)small->bands;
            uint64_t weight = shape->has_alpha ? sums[shape->bands - 1] : area;
            for (int band = 0; band < color_bands(shape); band++)
                to[band] = (uint16_t)(weight == 0 ? 0 : (sums[band] * widen + weight / 2) / weight);
            if (shape->has_alpha) to[shape->bands - 1] = (uint16_t)((weight * 65535 / limit + area / 2) / area);
        }
}

/* Weights of the four samples around a place `t` behind the second: the cubic through the two in the middle. */
static void cubic(float t, float weights[4]) {
    weights[0] = ((2 - t) * t - 1) * t * 0.5f;
    weights[1] = ((3 * t - 5) * t * t + 2) * 0.5f;
    weights[2] = ((4 - 3 * t) * t + 1) * t * 0.5f;
    weights[3] = (t - 1) * t * t * 0.5f;
}

/* The first of the four samples around result `index`, and their weights. */
static int cubic_start(int index, int factor, int margin, float weights[4]) {
    int twice = 2 * (index + margin) + 1 - factor, before = twice < 0 ? -1 : twice / (2 * factor);
    cubic((float)(twice - before * 2 * factor) / (float)(2 * factor), weights);
    return before - 1;
}

void cvips_enlarge_rows(const uint16_t *in, const cvips_pixels *small, const cvips_pixels *shape, int factor,
                        int margin, int first, int end, float *scratch, void *out) {
    int bands = shape->bands, colors = color_bands(shape);
    for (int y = first; y < end; y++) {
        float down[4], across[4], sums[4];
        int top = cubic_start(y, factor, margin, down);
        memset(scratch, 0, row_start(small, 1) * sizeof(float));
        for (int tap = 0; tap < 4; tap++) add_weighed(in, small, top + tap, down[tap], scratch);
        for (int x = 0; x < shape->width; x++) {
            int left = cubic_start(x, factor, margin, across);
            for (int band = 0; band < bands; band++) {
                sums[band] = 0;
                for (int tap = 0; tap < 4; tap++)
                    sums[band] += across[tap] * scratch[within(left + tap, small->width) * bands + band];
            }
            size_t at = row_start(shape, y) + (size_t)x * (size_t)bands;
            float alpha = shape->has_alpha ? sums[bands - 1] : 65535.0f;
            for (int band = 0; band < colors; band++)
                put_sample(out, shape, at + (size_t)band, alpha < 0.5f ? 0 : held(sums[band] / alpha));
            if (shape->has_alpha) put_sample(out, shape, at + (size_t)colors, held(alpha / 65535.0f));
        }
    }
}

void cvips_luma_rows(const void *in, const cvips_pixels *shape, int first, int end, uint16_t *out) {
    size_t width = (size_t)shape->width, bands = (size_t)shape->bands;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        uint16_t luma = word(luma_at(in, shape, i) * 65535.0f);
        if (shape->has_alpha) {
            uint32_t alpha = sample_at(in, shape, i * bands + bands - 1);
            out[i * 2] = luma;
            out[i * 2 + 1] = (uint16_t)(shape->is_wide ? alpha : alpha * 257);
        } else {
            out[i] = luma;
        }
    }
}

void cvips_sharpen_rows(const void *in, const cvips_pixels *shape, const uint16_t *luma, const uint16_t *blurred,
                        float gain, float deadband, float lighter, float darker, int first, int end, void *out) {
    size_t width = (size_t)shape->width, bands = (size_t)shape->bands, planes = shape->has_alpha ? 2 : 1;
    float limit = 1 / sample_limit(shape);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        float d = ((float)luma[i * planes] - (float)blurred[i * planes]) / 65535.0f;
        d = d > deadband ? d - deadband : d < -deadband ? d + deadband : 0;
        d *= gain;
        d = d > lighter ? lighter : d < -darker ? -darker : d;
        for (size_t at = i * bands; at < i * bands + (size_t)color_bands(shape); at++)
            put_sample(out, shape, at, held((float)sample_at(in, shape, at) * limit + d));
        if (shape->has_alpha) copy_sample(in, i * bands + bands - 1, shape, out, i * bands + bands - 1);
    }
}

void cvips_unsharp_rows(const void *in, const cvips_pixels *shape, const uint16_t *blurred, float amount,
                        float threshold, int first, int end, void *out) {
    size_t bands = (size_t)shape->bands, colors = (size_t)color_bands(shape);
    float limit = 1 / sample_limit(shape);
    for (size_t i = row_start(shape, first); i < row_start(shape, end); i += bands) {
        for (size_t at = i; at < i + colors; at++) {
            float sample = (float)sample_at(in, shape, at) * limit, d = sample - (float)blurred[at] / 65535.0f;
            if (d >= threshold || d <= -threshold) sample = held(sample + amount * d);
            put_sample(out, shape, at, sample);
        }
        if (shape->has_alpha) copy_sample(in, i + colors, shape, out, i + colors);
    }
}
