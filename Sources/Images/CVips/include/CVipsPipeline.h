#ifndef CVIPS_PIPELINE_H
#define CVIPS_PIPELINE_H

#include "CVips.h"

/* Pixels in memory: packed rows of `bands` samples of `bytes` bytes (1 or 2), alpha last where there is any, straight. */

/* All pixels of an 8- or 16-bit image, worked out into memory from malloc, which the caller owns on 0. */
int cvips_take_pixels(VipsImage *in, void **pixels, cvips_error *error);
/* Takes over `pixels` (from malloc; also on failure). */
int cvips_adopt_pixels(void *pixels, int width, int height, int bands, int bytes, cvips_model model, VipsImage **out,
                       cvips_error *error);

/* To grey or RGB of 16 bits, whatever came in; lazy. */
int cvips_to_16bit(VipsImage *in, VipsImage **out, cvips_error *error);
/* The part that is left after both scales, by Lanczos-3, alpha premultiplied meanwhile, in linear light if `is_linear`; lazy,
 * 16 bits in and out. */
int cvips_resize_16bit(VipsImage *in, double across, double down, int is_linear, VipsImage **out, cvips_error *error);
/* By the embedded profile, or the built-in one of the same model, to the built-in profile of this name ("srgb", "p3"),
 * which the result carries; as many bits as before. */
int cvips_icc_to(VipsImage *in, const char *profile, VipsImage **out, cvips_error *error);
/* From sRGB to the colors of `profile`; fails where that is no profile for such colors. */
int cvips_icc_into(VipsImage *in, const void *profile, size_t length, VipsImage **out, cvips_error *error);
/* The same pixels with this profile, which is copied; without any. */
int cvips_with_profile(VipsImage *in, const void *profile, size_t length, VipsImage **out, cvips_error *error);
int cvips_without_profile(VipsImage *in, VipsImage **out, cvips_error *error);

/* A rectangle with corners of an ellipse's quarter, in pixels: whole numbers are the edges between them. */
typedef struct {
    double left, top, right, bottom;
    double across, down; /* radii of the corners; more than 0 */
} cvips_outline;

/* Multiplies alpha of row `y` by the share of every pixel that lies inside; what is left without any becomes 0. `scratch`
 * holds width + 2. */
void cvips_outline_row(void *row, int width, int bands, int bytes, int y, const cvips_outline *outline, float *scratch);

/* Lays `count` pixels of `over`, which has as many color bands as the row and alpha, over the row. `opacity` is of 65536. */
void cvips_lay_row(void *row, const void *over, size_t count, int bands, int has_alpha, int bytes, int opacity);

typedef struct {
    const void *pixels;
    int width, height, bands, has_alpha, bytes;
} cvips_picture;

/* Row `y` of `width` × `height` pixels that show `in` turned clockwise around the middle of both, by Catmull-Rom, alpha
 * premultiplied. Where `in` ends the edge is smoothed into `background`: as many samples as `in` has bands, 0–1. */
void cvips_turn_row(const cvips_picture *in, double sine, double cosine, int y, int width, int height,
                    const float *background, void *out);

/* Moves `*left` down and `*right` up to where samples of the row differ from the pixel `first` by more than the tolerance,
 * premultiplied where there is alpha; 1 where any differs. 8 bits. */
int cvips_trim_row(const uint8_t *row, int width, int bands, int has_alpha, const uint8_t *first, int tolerance, int *left,
                   int *right);

#endif
