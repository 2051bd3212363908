#ifndef CVIPS_H
#define CVIPS_H

#include <stddef.h>
#include <stdint.h>

/* The face of libvips for Swift: no GLib type, no variadic call. Functions that can fail return 0 or -1; on 0 `*out`
 * holds one reference that the caller releases, on -1 `error->log` owns what libvips said, for the log only. */

typedef struct _VipsImage VipsImage;
typedef struct _VipsRegion VipsRegion;

typedef struct {
    char *log; /* NULL when there is none; released with cvips_error_clear */
    int is_exhausted; /* memory ran out */
} cvips_error;

typedef enum {
    CVIPS_GREY = 0,
    CVIPS_RGB = 1,
    CVIPS_CMYK = 2,
    CVIPS_OTHER = 3,
} cvips_model;

void cvips_error_clear(cvips_error *error);
/* Whether this text of a library says that memory ran out, and not that the picture is broken or too large. */
int cvips_tells_exhaustion(const char *log);

/* Start and end; from main. Another start, as of tests that do not know of each other, waits for the first. */
int cvips_start(const char *program, cvips_error *error);
void cvips_thread_exit(void);
void cvips_shutdown(void);
const char *cvips_version(void);
/* The loaded libraries whose code decides what a picture looks like, in the order of their names, a line each: file name
 * and build id; released with cvips_free. Complete after cvips_start, which loads what is loaded late. */
char *cvips_libraries(void);
size_t cvips_tracked_bytes(void);
int cvips_tracked_allocations(void);

/* Images. */
void cvips_image_unref(VipsImage *image);
int cvips_width(VipsImage *image);
int cvips_height(VipsImage *image);
int cvips_bands(VipsImage *image);
int cvips_is_8bit(VipsImage *image);
int cvips_has_alpha(VipsImage *image);
int cvips_orientation(VipsImage *image);
int cvips_page_count(VipsImage *image);
cvips_model cvips_color_model(VipsImage *image);
int cvips_profile(VipsImage *image, const void **data, size_t *length);

/* Takes over `pixels` (from malloc; also on failure), packed rows of `bands` bytes. */
int cvips_image_adopt(void *pixels, int width, int height, int bands, cvips_model model, VipsImage **out,
                      cvips_error *error);
/* All pixels of an 8-bit image, worked out into memory; without metadata. */
int cvips_evaluate(VipsImage *in, VipsImage **out, cvips_error *error);
/* Gives `image` the color profile of `source`, if that has one. */
void cvips_copy_profile(VipsImage *source, VipsImage *image);

/* Rows pulled on the calling thread; `rows` is valid until the next call on the region. */
int cvips_region_new(VipsImage *image, VipsRegion **out, cvips_error *error);
void cvips_region_unref(VipsRegion *region);
int cvips_region_rows(VipsRegion *region, int left, int top, int width, int count, const uint8_t **rows,
                      size_t *stride, cvips_error *error);

/* Operations. */
int cvips_extract_area(VipsImage *in, int left, int top, int width, int height, VipsImage **out, cvips_error *error);
int cvips_rotate_quarters(VipsImage *in, int quarters, VipsImage **out, cvips_error *error);
int cvips_flip_horizontal(VipsImage *in, VipsImage **out, cvips_error *error);
/* Larger by the margins; what is new repeats the nearest edge. */
int cvips_extend(VipsImage *in, int left, int top, int width, int height, VipsImage **out, cvips_error *error);
/* `background` has one number per band. */
int cvips_embed(VipsImage *in, int left, int top, int width, int height, const double *background, VipsImage **out,
                cvips_error *error);
/* `background` has three numbers of 0-255, whatever the bits of the image. */
int cvips_flatten(VipsImage *in, const double *background, VipsImage **out, cvips_error *error);
/* To 8-bit grey, sRGB or CMYK, whatever came in; lazy. */
int cvips_to_8bit(VipsImage *in, VipsImage **out, cvips_error *error);
int cvips_to_srgb(VipsImage *in, VipsImage **out, cvips_error *error);
int cvips_to_grey(VipsImage *in, VipsImage **out, cvips_error *error);
int cvips_add_alpha(VipsImage *in, VipsImage **out, cvips_error *error);
int cvips_extract_bands(VipsImage *in, int first, int count, VipsImage **out, cvips_error *error);

/* Calls `should_stop(context)` while `image` is evaluated or saved, until the watch that is returned ends; non-zero kills
 * it. */
unsigned long cvips_watch(VipsImage *image, int (*should_stop)(void *context), void *context);
void cvips_unwatch(VipsImage *image, unsigned long watch);

/* Savers: `*data` is released with cvips_free. No metadata is written. */
int cvips_save_jpeg(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error);
int cvips_save_png(VipsImage *in, int compression, void **data, size_t *length, cvips_error *error);
int cvips_save_webp(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error);
int cvips_save_avif(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error);
void cvips_free(void *data);
/* Gives back the memory of a saver's buffer behind `length` bytes, at least 1; returns where the buffer is now. */
void *cvips_shrink(void *data, size_t length);

/* Not of libvips: loops over pixels, in C for speed. */
/* The inner loops of the resampler (resample.c). Samples are 8-bit values × 64 in int16_t, weights sum to 16384. */
void cvips_widen(const uint8_t *in, size_t pixels, int bands, int premultiply, int16_t *out);
void cvips_add_row(const int16_t *row, size_t samples, int32_t *sums);
void cvips_shrink_sums(const int32_t *sums, size_t pixels, int bands, int columns, int rows, int16_t *out);
void cvips_weigh_rows(const int16_t *const *rows, const int16_t *weights, int taps, size_t samples, int16_t *out);
/* Reads up to 4 samples past the last pixel that it weighs. `taps` is even. */
void cvips_weigh_columns(const int16_t *row, const int32_t *starts, const int16_t *weights, int taps, size_t pixels,
                         int bands, int16_t *out);
int cvips_is_opaque(const uint8_t *rgba, size_t pixels);
/* Premultiplied RGBA to straight RGB when every pixel is opaque (returns 3), else to straight RGBA (returns 4). */
int cvips_straighten(const uint8_t *in, size_t pixels, uint8_t *out);

#include "CVipsResample.h"

#include "CVipsFilters.h"
#include "CVipsPipeline.h"
#include "CVipsForeign.h"

#endif
