#ifndef CVIPS_DESCRIPTION_H
#define CVIPS_DESCRIPTION_H

/* What a description reads of a picture. Nothing here changes the image; what is pointed at lives as long as it does.
 * Included by CVips.h. */

/* The metadata item `name`, such as "exif-data"; -1 where there is none. */
int cvips_blob(VipsImage *image, const char *name, const void **data, size_t *length);

#endif
