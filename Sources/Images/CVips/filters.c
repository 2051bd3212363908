#include "internal.h"
#include "filters.h"
#include <stdlib.h>

/* Pixels in memory, and the filters that are a look into a table. */

int cvips_sample_bytes(VipsImage *image) {
    if (image->Coding != VIPS_CODING_NONE) return 0;
    return image->BandFmt == VIPS_FORMAT_UCHAR ? 1 : image->BandFmt == VIPS_FORMAT_USHORT ? 2 : 0;
}

const void *cvips_memory(VipsImage *image) {
    if (image->dtype != VIPS_IMAGE_SETBUF && image->dtype != VIPS_IMAGE_SETBUF_FOREIGN) return NULL;
    return image->data;
}

static void free_samples(VipsImage *image, void *pixels) {
    (void)image;
    free(pixels);
}

int cvips_adopt_samples(void *pixels, const cvips_pixels *shape, cvips_model model, VipsImage **out,
                        cvips_error *error) {
    size_t length = row_start(shape, shape->height) << (shape->is_wide ? 1 : 0);
    VipsImage *image = vips_image_new_from_memory(pixels, length, shape->width, shape->height, shape->bands,
                                                  shape->is_wide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR);
    if (!image) {
        free(pixels);
        return cvips_fail(error);
    }
    g_signal_connect(image, "postclose", G_CALLBACK(free_samples), pixels);
    if (model == CVIPS_GREY)
        image->Type = shape->is_wide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    else
        image->Type = shape->is_wide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
    *out = image;
    return 0;
}

void cvips_map_rows(const uint8_t *in, const cvips_pixels *shape, const uint8_t *table, size_t table_stride, int first,
                    int end, uint8_t *out) {
    size_t bands = (size_t)shape->bands, colors = (size_t)color_bands(shape), last = row_start(shape, end);
    if (!shape->has_alpha && table_stride == 0) {
        for (size_t i = row_start(shape, first); i < last; i++) out[i] = table[in[i]];
        return;
    }
    for (size_t i = row_start(shape, first); i < last; i += bands) {
        for (size_t band = 0; band < colors; band++) out[i + band] = table[table_stride * band + in[i + band]];
        if (shape->has_alpha) out[i + colors] = in[i + colors];
    }
}

void cvips_grey_rows(const uint8_t *in, const cvips_pixels *shape, const uint16_t *linear, const uint8_t *encoded,
                     int first, int end, uint8_t *out) {
    size_t bands = (size_t)shape->bands, width = (size_t)shape->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const uint8_t *pixel = in + i * bands;
        uint8_t grey = encoded[linear[pixel[0]] + linear[256 + pixel[1]] + linear[512 + pixel[2]]];
        if (shape->has_alpha) {
            out[i * 2] = grey;
            out[i * 2 + 1] = pixel[3];
        } else {
            out[i] = grey;
        }
    }
}
