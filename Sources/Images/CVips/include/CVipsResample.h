#ifndef CVIPS_RESAMPLE_H
#define CVIPS_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* The inner loops of the resampler (resample.c). Samples are 8-bit values × 64 in int16_t, weights sum to 16384. */

void cvips_widen(const uint8_t *in, size_t pixels, int bands, int premultiply, int16_t *out);
void cvips_add_row(const int16_t *row, size_t samples, int32_t *sums);
void cvips_shrink_sums(const int32_t *sums, size_t pixels, int bands, int columns, int rows, int16_t *out);
void cvips_weigh_rows(const int16_t *const *rows, const int16_t *weights, int taps, size_t samples, int16_t *out);
/* Reads up to 4 samples past the last pixel that it weighs. `taps` is even, of one band a multiple of 8. */
void cvips_weigh_columns(const int16_t *row, const int32_t *starts, const int16_t *weights, int taps, size_t pixels,
                         int bands, int16_t *out);
/* Of one band, results that have the same weights and begin two samples after each other. `taps` is even. */
void cvips_weigh_pairs(const int16_t *row, const int16_t *weights, int taps, size_t pixels, int16_t *out);
void cvips_narrow(const int16_t *in, size_t pixels, int bands, int unpremultiply, uint8_t *out);
/* The same by way of a table: `table` has 256 entries from 0 to 16320 for the way in, 16321 for the way out. */
void cvips_widen_by(const int16_t *table, const uint8_t *in, size_t pixels, int bands, int premultiply, int16_t *out);
void cvips_narrow_by(const uint8_t *table, const int16_t *in, size_t pixels, int bands, int unpremultiply, uint8_t *out);
/* One row of luma and two of chroma, each sample of which is for `share` pixels, 1 or 2, by the equations of JFIF, to RGB. */
void cvips_narrow_ycc(const int16_t *luma, const int16_t *blue, const int16_t *red, size_t pixels, int share, uint8_t *out);

#endif
