#ifndef CMEASURE_H
#define CMEASURE_H

#include <stdbool.h>
#include <stdint.h>

/* How often the process has asked for heap memory, growing a block included, since it began; threads that are set apart do
   not count. -1 where this cannot be counted (another C library than glibc, or a sanitizer's heap). */
int64_t cmeasure_allocation_count(void);

/* Sets the calling thread apart from the count, or counts it again. */
void cmeasure_set_apart(bool is_apart);

/* Does nothing. A profiler can be told to write what it counted whenever this is called. */
void cmeasure_mark(void);

#endif
