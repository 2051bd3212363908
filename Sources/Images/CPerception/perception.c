#include "CPerception.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/* The resolvers of clones run while the program is being linked, when the thread sanitizer is not there yet. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_CPU
#endif

enum { RADIUS = 5, RING = 16, MARGIN = 16, LANES = 8, BLURS = 4 };

/* exp(-i² / (2 × 1.5²)), i = 0…5, divided by the sum of all eleven. */
static const float bell[RADIUS + 1] = {0.26601172f, 0.21300554f, 0.10936069f, 0.03600077f, 0.0075987581f, 0.0010283801f};

void cperception_linear(const uint8_t *restrict in, size_t pixels, int bands, const float *restrict table,
                        float *restrict red, float *restrict green, float *restrict blue) {
    int second = bands > 2 ? 1 : 0, third = bands > 2 ? 2 : 0;
    for (size_t i = 0; i < pixels; i++, in += bands) {
        red[i] = table[in[0]];
        green[i] = table[in[second]];
        blue[i] = table[in[third]];
    }
}

void cperception_add(const float *restrict in, size_t pixels, size_t columns, float *restrict out) {
    if (columns == 2) {
        for (size_t i = 0; i < pixels / 2; i++) out[i] += in[2 * i] + in[2 * i + 1];
        if (pixels % 2) out[pixels / 2] += in[pixels - 1];
        return;
    }
    for (size_t i = 0, at = 0; i < pixels; at++)
        for (size_t end = i + columns; i < end && i < pixels; i++) out[at] += in[i];
}

void cperception_mean(float *restrict sums, size_t pixels, size_t columns, size_t rows) {
    size_t whole = pixels / columns, rest = pixels % columns;
    for (size_t i = 0; i < whole; i++) sums[i] /= (float)(columns * rows);
    if (rest) sums[whole] /= (float)(rest * rows);
}

/* The cube root of what is neither tiny nor huge: a guess from the exponent, then Halley's step twice. */
static inline float cube_root(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int32_t guess = (int32_t)((float)bits * (1.0f / 3.0f)) + 709983100;
    float root;
    memcpy(&root, &guess, sizeof root);
    float cube = root * root * root;
    root = root * (cube + value + value) / (cube + cube + value);
    cube = root * root * root;
    return root * (cube + value + value) / (cube + cube + value);
}

FOR_EACH_CPU
void cperception_xyb(const float *restrict red, const float *restrict green, const float *restrict blue, size_t pixels,
                     float *restrict x, float *restrict y, float *restrict b) {
    const float bias = 0.0037930732552754493f, root = 0.15595420055f;
    float light[64], middle[64], dark[64];
    for (size_t start = 0; start < pixels; start += 64) {
        size_t count = pixels - start < 64 ? pixels - start : 64;
        const float *r = red + start, *g = green + start, *u = blue + start;
        for (size_t i = 0; i < count; i++) {
            light[i] = cube_root(0.3f * r[i] + 0.622f * g[i] + 0.078f * u[i] + bias) - root;
            middle[i] = cube_root(0.23f * r[i] + 0.692f * g[i] + 0.078f * u[i] + bias) - root;
        }
        if (x)
            for (size_t i = 0; i < count; i++) x[start + i] = 7.0f * (light[i] - middle[i]) + 0.42f;
        if (y)
            for (size_t i = 0; i < count; i++) y[start + i] = 0.5f * (light[i] + middle[i]) + 0.01f;
        if (!b) continue;
        for (size_t i = 0; i < count; i++) {
            float mixed = 0.24342268924547819f * r[i] + 0.20476744424496821f * g[i] + 0.5518098665095537f * u[i];
            dark[i] = cube_root(mixed + bias) - root;
        }
        for (size_t i = 0; i < count; i++) b[start + i] = dark[i] - 0.5f * (light[i] + middle[i]) + 0.55f;
    }
}

/* `in` may be read RADIUS samples beyond both ends. */
static inline void blur_row(const float *restrict in, size_t width, float *restrict out) {
    for (size_t i = 0; i < width; i++) {
        const float *at = in + i;
        float sum = bell[0] * at[0] + bell[1] * (at[-1] + at[1]) + bell[2] * (at[-2] + at[2]);
        out[i] = sum + (bell[3] * (at[-3] + at[3]) + bell[4] * (at[-4] + at[4]) + bell[5] * (at[-5] + at[5]));
    }
}

static inline float blur_column(float *const *row, size_t i) {
    float sum = bell[0] * row[5][i] + bell[1] * (row[4][i] + row[6][i]) + bell[2] * (row[3][i] + row[7][i]);
    return sum + (bell[3] * (row[2][i] + row[8][i]) + bell[4] * (row[1][i] + row[9][i]) +
                  bell[5] * (row[0][i] + row[10][i]));
}

typedef struct {
    float unlike[LANES], unlike4[LANES], artifact[LANES], artifact4[LANES], lost[LANES], lost4[LANES];
} lanes;

/* One pixel: its values, the blurred reference, difference, squared difference, and sum of squares. SSIM's numerator is
 * its denominator less the variance of the difference, which loses no digits where the pictures are nearly the same. */
static inline void weigh(float a, float b, float mean, float difference, float square, float energy, lanes *to,
                         size_t lane) {
    float other = mean - difference;
    float squared = difference * difference;
    float below = energy - mean * mean - other * other + 0.0009f;
    float unlike = 1.0f - (1.0f - squared) * (below - (square - squared)) / below;
    unlike = unlike > 0 ? unlike : 0;
    float edge = fabsf(a - mean);
    float gain = (fabsf(b - other) - edge) / (1.0f + edge);
    float artifact = gain > 0 ? gain : 0, lost = gain < 0 ? -gain : 0;
    float unlike2 = unlike * unlike, artifact2 = artifact * artifact, lost2 = lost * lost;
    to->unlike[lane] += unlike;
    to->unlike4[lane] += unlike2 * unlike2;
    to->artifact[lane] += artifact;
    to->artifact4[lane] += artifact2 * artifact2;
    to->lost[lane] += lost;
    to->lost4[lane] += lost2 * lost2;
}

static inline double total(const float *values) {
    double sum = 0;
    for (int i = 0; i < LANES; i++) sum += (double)values[i];
    return sum;
}

size_t cperception_work_count(size_t width) {
    return BLURS * (width + 2 * MARGIN) + BLURS * RING * width + BLURS * width;
}

static inline size_t mirrored(ptrdiff_t row, size_t height) {
    if (row < 0) return (size_t)(-1 - row);
    return (size_t)row < height ? (size_t)row : 2 * height - 1 - (size_t)row;
}

/* Beyond the left and right sides lies nothing, beyond the top and bottom the picture's mirror: so does the package that
 * the tests compare with. */
FOR_EACH_CPU
void cperception_compare(const float *restrict reference, const float *restrict distorted, size_t width, size_t height,
                         float *restrict work, cperception_sums *restrict out) {
    size_t padded = width + 2 * MARGIN;
    float *line[BLURS], *ring[BLURS], *blurred[BLURS];
    for (int k = 0; k < BLURS; k++) {
        line[k] = work + (size_t)k * padded + MARGIN;
        ring[k] = work + BLURS * padded + (size_t)k * RING * width;
        blurred[k] = work + BLURS * (padded + RING * width) + (size_t)k * width;
    }
    memset(work, 0, BLURS * padded * sizeof *work);
    memset(out, 0, sizeof *out);
    size_t ready = 0;
    for (size_t y = 0; y < height; y++) {
        for (; ready < height && ready <= y + RADIUS; ready++) {
            const float *a = reference + ready * width, *b = distorted + ready * width;
            float *first = line[0], *second = line[1], *third = line[2], *fourth = line[3];
            for (size_t i = 0; i < width; i++) {
                float difference = a[i] - b[i];
                first[i] = a[i];
                second[i] = difference;
                third[i] = difference * difference;
                fourth[i] = a[i] * a[i] + b[i] * b[i];
            }
            for (int k = 0; k < BLURS; k++) blur_row(line[k], width, ring[k] + ready % RING * width);
        }
        for (int k = 0; k < BLURS; k++) {
            float *rows[2 * RADIUS + 1], *to = blurred[k];
            for (int tap = 0; tap <= 2 * RADIUS; tap++)
                rows[tap] = ring[k] + mirrored((ptrdiff_t)y + tap - RADIUS, height) % RING * width;
            for (size_t i = 0; i < width; i++) to[i] = blur_column(rows, i);
        }
        const float *a = reference + y * width, *b = distorted + y * width;
        lanes row = {0};
        size_t whole = width / LANES * LANES;
        for (size_t i = 0; i < whole; i += LANES)
            for (size_t lane = 0; lane < LANES; lane++) {
                size_t at = i + lane;
                weigh(a[at], b[at], blurred[0][at], blurred[1][at], blurred[2][at], blurred[3][at], &row, lane);
            }
        for (size_t at = whole; at < width; at++)
            weigh(a[at], b[at], blurred[0][at], blurred[1][at], blurred[2][at], blurred[3][at], &row, at - whole);
        out->unlike += total(row.unlike);
        out->unlike4 += total(row.unlike4);
        out->artifact += total(row.artifact);
        out->artifact4 += total(row.artifact4);
        out->lost += total(row.lost);
        out->lost4 += total(row.lost4);
    }
}
