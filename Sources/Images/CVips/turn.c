#include "internal.h"
#include <math.h>

/* Four samples side by side: whatever bands there are, the rest idle. */
typedef float lanes __attribute__((vector_size(16)));

/* Catmull-Rom: what the four neighbours of a place between the second and third weigh. */
static void weigh(float t, float *weights) {
    float t2 = t * t, t3 = t2 * t;
    weights[0] = 0.5f * (-t3 + 2 * t2 - t);
    weights[1] = 0.5f * (3 * t3 - 5 * t2 + 2);
    weights[2] = 0.5f * (-3 * t3 + 4 * t2 + t);
    weights[3] = 0.5f * (t3 - t2);
}

static int kept(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

/* How much of a pixel whose middle lies this deep inside an edge is inside. */
static float share(double depth) { return depth <= -0.5 ? 0 : depth >= 0.5 ? 1 : (float)(depth + 0.5); }

#define TURN(name, sample, most)                                                                                       \
    static inline __attribute__((always_inline)) lanes name##_pixel(const sample *pixel, int bands, int has_alpha) {  \
        lanes value = {0, 0, 0, 0};                                                                                    \
        for (int band = 0; band < bands; band++) value[band] = pixel[band] * (1 / (float)(most));                      \
        if (!has_alpha) return value;                                                                                  \
        float alpha = value[bands - 1];                                                                                \
        value *= alpha;                                                                                                \
        value[bands - 1] = alpha;                                                                                      \
        return value;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static inline __attribute__((always_inline)) lanes name##_at(const cvips_picture *in, int bands, int has_alpha,     \
                                                                 double x, double y) {                                 \
        const sample *pixels = in->pixels;                                                                             \
        int column = (int)floor(x), row = (int)floor(y);                                                               \
        float across[4], down[4];                                                                                      \
        weigh((float)(x - column), across);                                                                            \
        weigh((float)(y - row), down);                                                                                 \
        lanes sum = {0, 0, 0, 0};                                                                                      \
        for (int j = 0; j < 4; j++) {                                                                                  \
            const sample *line = pixels + (size_t)kept(row + j - 1, in->height) * in->width * bands;                   \
            lanes part = {0, 0, 0, 0};                                                                                 \
            for (int i = 0; i < 4; i++)                                                                                \
                part += name##_pixel(line + (size_t)kept(column + i - 1, in->width) * bands, bands, has_alpha) *       \
                        across[i];                                                                                     \
            sum += part * down[j];                                                                                     \
        }                                                                                                              \
        return sum;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static inline __attribute__((always_inline)) void name##_store(lanes value, int bands, int has_alpha,              \
                                                                   sample *out) {                                      \
        float alpha = has_alpha ? value[bands - 1] : 1;                                                                \
        alpha = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;                                                                 \
        float factor = alpha > 0 ? (most) / alpha : 0;                                                                 \
        for (int band = 0; band < bands - has_alpha; band++) {                                                         \
            float level = value[band] * factor + 0.5f;                                                                 \
            out[band] = (sample)(level < 0 ? 0 : level > (most) ? (most) : level);                                     \
        }                                                                                                              \
        if (has_alpha) out[bands - 1] = (sample)(alpha * (most) + 0.5f);                                               \
    }                                                                                                                  \
                                                                                                                       \
    static inline __attribute__((always_inline)) void name(const cvips_picture *in, int bands, int has_alpha,           \
                                                           double sine, double cosine, int y, int width, int height,   \
                                                           const float *background, sample *out) {                     \
        lanes behind = {0, 0, 0, 0};                                                                                   \
        for (int band = 0; band < bands; band++) behind[band] = background[band];                                      \
        float alpha = has_alpha ? behind[bands - 1] : 1;                                                               \
        for (int band = 0; band < bands - has_alpha; band++) behind[band] *= alpha;                                    \
        double down = y + 0.5 - height * 0.5;                                                                          \
        for (int x = 0; x < width; x++, out += bands) {                                                                \
            double right = x + 0.5 - width * 0.5;                                                                      \
            double column = right * cosine + down * sine + in->width * 0.5;                                            \
            double row = down * cosine - right * sine + in->height * 0.5;                                              \
            float inside = share(column) * share(in->width - column) * share(row) * share(in->height - row);           \
            lanes value = behind;                                                                                      \
            if (inside > 0) {                                                                                          \
                value = name##_at(in, bands, has_alpha, column - 0.5, row - 0.5);                                      \
                if (inside < 1) value = value * inside + behind * (1 - inside);                                        \
            }                                                                                                          \
            name##_store(value, bands, has_alpha, out);                                                                \
        }                                                                                                              \
    }

TURN(turn_8, uint8_t, 255.0f)
TURN(turn_16, uint16_t, 65535.0f)

/* Constants for bands make loops over them straight lines. */
#define BY_BANDS(name)                                                                                                 \
    switch (in->bands) {                                                                                               \
    case 1: name(in, 1, 0, sine, cosine, y, width, height, background, out); break;                                    \
    case 2: name(in, 2, 1, sine, cosine, y, width, height, background, out); break;                                    \
    case 3: name(in, 3, 0, sine, cosine, y, width, height, background, out); break;                                    \
    default: name(in, 4, 1, sine, cosine, y, width, height, background, out); break;                                   \
    }

void cvips_turn_row(const cvips_picture *in, double sine, double cosine, int y, int width, int height,
                    const float *background, void *out) {
    if (in->bytes == 2) BY_BANDS(turn_16)
    else BY_BANDS(turn_8)
}
