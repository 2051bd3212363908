#ifndef CVIPS_FILTERS_H
#define CVIPS_FILTERS_H

#include "CVips.h"

/* The inner loops of the filters, over packed pixels in memory. Functions named `…_rows` work out the rows from `first` up
 * to `end` and may be called for parts of a picture in any order. Edges are repeated; where neighbours are mixed,
 * colors count by their alpha. All arithmetic is on integers or on floats in the order that is written, without fused
 * multiply-add, so that every CPU gives the same pixels. */

typedef struct {
    int width, height;
    int bands;     /* with alpha */
    int has_alpha; /* the last band */
    int is_wide;   /* 16-bit samples, else 8-bit */
} cvips_pixels;

/* Bytes per sample of an image whose samples are whole and positive: 1 or 2; 0 for any other. */
int cvips_sample_bytes(VipsImage *image);
/* The packed pixels of an image that is held in memory, else NULL. */
const void *cvips_memory(VipsImage *image);
/* Takes over `pixels` (from malloc; also on failure). */
int cvips_adopt_samples(void *pixels, const cvips_pixels *shape, cvips_model model, VipsImage **out,
                        cvips_error *error);

/* One thing that happens to a pixel. Samples are 0–1 in one plane (grey) or three; results are held to 0–1. */
typedef enum {
    CVIPS_POINT_LINEAR,    /* numbers: factor, offset */
    CVIPS_POINT_TABLE,     /* `table` has size + 1 numbers, for each plane where it has three; straight lines between */
    CVIPS_POINT_MATRIX,    /* numbers: 3 × 3, by rows */
    CVIPS_POINT_SUM,       /* three planes become one; numbers: weights */
    CVIPS_POINT_SPREAD,    /* one plane becomes three */
    CVIPS_POINT_PAINT,     /* luma chooses from two straight runs of colors; numbers: share, middle, then for each color
                              offset and slope below the middle, offset and slope above it; ends in three planes */
    CVIPS_POINT_VIBRANCE,  /* numbers: amount */
    CVIPS_POINT_LIGHTS,    /* numbers: amount */
    CVIPS_POINT_SHADES,    /* numbers: amount */
    CVIPS_POINT_THRESHOLD, /* numbers: luma that is white; ends in one plane */
    CVIPS_POINT_POSTERIZE, /* numbers: levels − 1 */
    CVIPS_POINT_VIGNETTE,  /* numbers: share */
    CVIPS_POINT_NOISE,     /* numbers: standard deviation; `seed` */
    CVIPS_POINT_TONES,     /* luma by `table` of 256 numbers for 0…255; what differs from luma stays as far as it fits */
    CVIPS_POINT_TILES,     /* as tones, by tables of `columns` × `rows` tiles, between whose middles is interpolated */
} cvips_point_kind;

typedef struct {
    cvips_point_kind kind;
    float numbers[16];
    const float *table;
    int size;          /* of TABLE */
    int has_three;     /* whether TABLE has one for each plane */
    int columns, rows; /* of TILES */
    uint64_t seed;     /* of NOISE */
} cvips_point;

/* `entry` has a float for each value of a sample, for each of three colors where `entry_stride` is not 0 but their
 * distance; NULL where samples are taken as they are. `out_bands` is what the points leave, with alpha. */
void cvips_point_rows(const void *in, const cvips_pixels *shape, const float *entry, size_t entry_stride,
                      const cvips_point *points, size_t count, int out_bands, int first, int end, void *out);
/* 8-bit: colors by tables of 256; `table_stride` as `entry_stride`. */
void cvips_map_rows(const uint8_t *in, const cvips_pixels *shape, const uint8_t *table, size_t table_stride, int first,
                    int end, uint8_t *out);
/* 8-bit RGB to grey: `linear` has three tables of 256, whose sums are at most 16383 and choose from `encoded`. */
void cvips_grey_rows(const uint8_t *in, const cvips_pixels *shape, const uint16_t *linear, const uint8_t *encoded,
                     int first, int end, uint8_t *out);

/* Adds to `counts` how many visible pixels of the area have which luma, in 256 levels. */
void cvips_count_luma(const void *in, const cvips_pixels *shape, int left, int right, int top, int bottom,
                      uint32_t *counts);

/* Luma as 16-bit samples, with alpha where there is some. */
void cvips_luma_rows(const void *in, const cvips_pixels *shape, int first, int end, uint16_t *out);
/* Blurred by `weights` (from the middle outwards, `reach` + 1 of them), as 16-bit samples. `scratch` has
 * (width + 2 reach) × bands floats. */
void cvips_blur_rows(const void *in, const cvips_pixels *shape, const float *weights, int reach, int first, int end,
                     float *scratch, uint16_t *out);
/* 16-bit means of squares of `factor`; the first square begins `margin` to the left of and above the picture. `small` is
 * the shape of the result, whose rows are meant. */
void cvips_reduce_rows(const void *in, const cvips_pixels *shape, const cvips_pixels *small, int factor, int margin,
                       int first, int end, uint16_t *out);
/* Back again: `small` is the shape of `in`, 16-bit, `shape` that of the result. Cubic. `scratch` has small->width ×
 * bands floats. */
void cvips_enlarge_rows(const uint16_t *in, const cvips_pixels *small, const cvips_pixels *shape, int factor,
                        int margin, int first, int end, float *scratch, void *out);
/* Adds gain × (luma − blurred luma) beyond `deadband`, at most `lighter` upwards and `darker` downwards (of 0–1). */
void cvips_sharpen_rows(const void *in, const cvips_pixels *shape, const uint16_t *luma, const uint16_t *blurred,
                        float gain, float deadband, float lighter, float darker, int first, int end, void *out);
/* Adds amount × (sample − blurred sample) where that differs by `threshold` (of 0–1) or more. */
void cvips_unsharp_rows(const void *in, const cvips_pixels *shape, const uint16_t *blurred, float amount,
                        float threshold, int first, int end, void *out);

/* The median of squares of 2 × radius + 1. `counts` has 65792 numbers for 16-bit samples, else 272. */
void cvips_median_rows(const void *in, const cvips_pixels *shape, int radius, int first, int end, uint32_t *counts,
                       void *out);
/* Leaves at most `count` colors, 2 to 256, of packed 8-bit pixels: k-means, then Floyd-Steinberg, anew for every page of
 * `page_height` rows (0: one). Pixels that are opaque, or wholly clear, stay so. Pictures of so few colors keep them. 1 if
 * `should_stop` said so, -1 if memory is short. */
int cvips_quantize(uint8_t *pixels, const cvips_pixels *shape, int page_height, int count,
                   int (*should_stop)(void *context), void *context);

/* `first` is a multiple of `size`. */
void cvips_pixelate_rows(const void *in, const cvips_pixels *shape, int size, int first, int end, void *out);
/* Slope of luma, as grey with the alpha of the picture. `scratch` has 3 × (width + 2) floats. */
void cvips_edge_rows(const void *in, const cvips_pixels *shape, int first, int end, float *scratch, void *out);
/* Adds the slope of luma towards the bottom right. `scratch` as for edges. */
void cvips_emboss_rows(const void *in, const cvips_pixels *shape, int first, int end, float *scratch, void *out);

#endif
