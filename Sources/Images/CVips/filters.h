#ifndef CVIPS_FILTERS_INTERNAL_H
#define CVIPS_FILTERS_INTERNAL_H

#include "CVipsFilters.h"

#pragma STDC FP_CONTRACT OFF

/* Rec. 709 weights of encoded samples. */
#define LUMA(r, g, b) (0.2126f * (r) + 0.7152f * (g) + 0.0722f * (b))

static inline float held(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/* Row `y` of `in`, as bytes or as 16-bit samples by the shape. */
static inline size_t row_start(const cvips_pixels *shape, int y) {
    return (size_t)y * (size_t)shape->width * (size_t)shape->bands;
}

static inline float sample_limit(const cvips_pixels *shape) { return shape->is_wide ? 65535.0f : 255.0f; }

static inline uint32_t sample_at(const void *in, const cvips_pixels *shape, size_t index) {
    return shape->is_wide ? ((const uint16_t *)in)[index] : ((const uint8_t *)in)[index];
}

/* Rounds `value` (0–1). */
static inline void put_sample(void *out, const cvips_pixels *shape, size_t index, float value) {
    if (shape->is_wide)
        ((uint16_t *)out)[index] = (uint16_t)(value * 65535.0f + 0.5f);
    else
        ((uint8_t *)out)[index] = (uint8_t)(value * 255.0f + 0.5f);
}

static inline void copy_sample(const void *in, size_t from, const cvips_pixels *shape, void *out, size_t to) {
    if (shape->is_wide)
        ((uint16_t *)out)[to] = ((const uint16_t *)in)[from];
    else
        ((uint8_t *)out)[to] = ((const uint8_t *)in)[from];
}

static inline int within(int value, int count) { return value < 0 ? 0 : value >= count ? count - 1 : value; }

static inline int color_bands(const cvips_pixels *shape) { return shape->bands - (shape->has_alpha ? 1 : 0); }

/* Luma of pixel `index` (of the picture), 0–1. */
static inline float luma_at(const void *in, const cvips_pixels *shape, size_t index) {
    size_t at = index * (size_t)shape->bands;
    float luma = (float)sample_at(in, shape, at);
    if (color_bands(shape) == 3)
        luma = LUMA(luma, (float)sample_at(in, shape, at + 1), (float)sample_at(in, shape, at + 2));
    return luma / sample_limit(shape);
}

#endif
