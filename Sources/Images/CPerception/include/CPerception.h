#ifndef CPERCEPTION_H
#define CPERCEPTION_H

#include <stddef.h>
#include <stdint.h>

/* The inner loops of SSIMULACRA2. Single precision, no contraction, sums in a fixed order: every CPU of one kind gives
 * the same numbers, with or without AVX2. */

/* Sums over all pixels of the three error maps of one plane, and of their fourth powers. */
typedef struct {
    double unlike, unlike4;     /* 1 - SSIM */
    double artifact, artifact4; /* edges that the reference does not have */
    double lost, lost4;         /* edges that only the reference has */
} cperception_sums;

/* Rows of bytes to rows of linear light by `table`; of `bands` the first three, or the first for all. */
void cperception_linear(const uint8_t *in, size_t pixels, int bands, const float *table, float *red, float *green,
                        float *blue);
/* Adds a row into sums of `columns` neighbours: `out` has ceil(pixels / columns) samples. */
void cperception_add(const float *in, size_t pixels, size_t columns, float *out);
/* Divides the sums of `columns` × `rows` samples; the last one may hold fewer columns. */
void cperception_mean(float *sums, size_t pixels, size_t columns, size_t rows);
/* Linear light to the planes of XYB, moved to 0…1; X and B may be NULL, and so may Y. */
void cperception_xyb(const float *red, const float *green, const float *blue, size_t pixels, float *x, float *y,
                     float *b);

/* Floats that cperception_compare needs for planes of this width. */
size_t cperception_work_count(size_t width);
/* Compares two planes of at least 8 × 8. */
void cperception_compare(const float *reference, const float *distorted, size_t width, size_t height, float *work,
                         cperception_sums *out);

#endif
