#include "internal.h"

int cvips_blob(VipsImage *image, const char *name, const void **data, size_t *length) {
    if (vips_image_get_typeof(image, name) != VIPS_TYPE_BLOB) return -1;
    if (vips_image_get_blob(image, name, data, length)) return cvips_fail(NULL);
    return 0;
}
