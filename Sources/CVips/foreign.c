#include "internal.h"

/* A source that ends early is an error, not a picture with a grey half: the answer would be cached as if it were whole.
 * Rows are asked for once, top to bottom. */
#define READ_ONCE "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED
#define RESULT(call) ((call) ? cvips_fail(error) : 0)

int cvips_load_jpeg(const void *data, size_t length, int shrink, VipsImage **out, cvips_error *error) {
    return RESULT(vips_jpegload_buffer((void *)data, length, out, READ_ONCE, "shrink", shrink, NULL));
}
int cvips_load_png(const void *data, size_t length, VipsImage **out, cvips_error *error) {
    return RESULT(vips_pngload_buffer((void *)data, length, out, READ_ONCE, NULL));
}
int cvips_load_webp(const void *data, size_t length, VipsImage **out, cvips_error *error) {
    return RESULT(vips_webpload_buffer((void *)data, length, out, READ_ONCE, NULL));
}
int cvips_load_gif(const void *data, size_t length, VipsImage **out, cvips_error *error) {
    return RESULT(vips_gifload_buffer((void *)data, length, out, READ_ONCE, NULL));
}
int cvips_load_tiff(const void *data, size_t length, VipsImage **out, cvips_error *error) {
    return RESULT(vips_tiffload_buffer((void *)data, length, out, READ_ONCE, NULL));
}
int cvips_load_heif(const void *data, size_t length, VipsImage **out, cvips_error *error) {
    return RESULT(vips_heifload_buffer((void *)data, length, out, READ_ONCE, NULL));
}

int cvips_save_jpeg(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error) {
    return RESULT(vips_jpegsave_buffer(in, data, length, "Q", quality, "strip", TRUE, NULL));
}
int cvips_save_png(VipsImage *in, int compression, void **data, size_t *length, cvips_error *error) {
    return RESULT(vips_pngsave_buffer(
        in, data, length, "compression", compression, "filter", VIPS_FOREIGN_PNG_FILTER_NONE, "strip", TRUE, NULL));
}
int cvips_save_webp(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error) {
    return RESULT(vips_webpsave_buffer(in, data, length, "Q", quality, "strip", TRUE, NULL));
}
int cvips_save_avif(VipsImage *in, int quality, void **data, size_t *length, cvips_error *error) {
    return RESULT(vips_heifsave_buffer(in, data, length, "Q", quality, "compression",
                                       VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "effort", 1, "strip", TRUE, NULL));
}
void cvips_free(void *data) { g_free(data); }

void *cvips_shrink(void *data, size_t length) { return g_realloc(data, length); }
