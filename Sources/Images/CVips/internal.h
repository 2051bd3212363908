#ifndef CVIPS_INTERNAL_H
#define CVIPS_INTERNAL_H

#include <vips/vips.h>
#include "CVips.h"

/* Moves the process-wide error text into `error` and returns -1. */
int cvips_fail(cvips_error *error);

/* All rows of `in`, in packed memory of malloc; NULL with an error text. cvips_watch can stop it. */
uint8_t *cvips_copied_pixels(VipsImage *in);

/* From 16-bit samples to light in floats of the same scale, or back; lazy. NULL with an error text. */
VipsImage *cvips_curved(VipsImage *in, int is_decoding);

#endif
