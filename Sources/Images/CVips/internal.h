#ifndef CVIPS_INTERNAL_H
#define CVIPS_INTERNAL_H

#include <vips/vips.h>
#include "CVips.h"

/* Moves the process-wide error text into `error` and returns -1. */
int cvips_fail(cvips_error *error);

#endif
