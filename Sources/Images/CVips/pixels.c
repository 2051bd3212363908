#include "internal.h"
#include <stdlib.h>

#define RESULT(call) ((call) ? cvips_fail(error) : 0)

// Without the thread that vips_image_write starts for each image.
static int copy_rows(VipsImage *in, uint8_t *memory) {
    VipsRegion *region = vips_region_new(in);
    if (!region) return -1;
    int tile_width, tile_height, row_count, status = 0;
    vips_get_tile_size(in, &tile_width, &tile_height, &row_count);
    size_t length = VIPS_IMAGE_SIZEOF_LINE(in);
    for (int top = 0; !status && top < in->Ysize; top += tile_height) {
        VipsRect strip = {.top = top, .width = in->Xsize, .height = VIPS_MIN(tile_height, in->Ysize - top)};
        status = vips_region_prepare(region, &strip);
        for (int y = top; !status && y < VIPS_RECT_BOTTOM(&strip); y++)
            memcpy(memory + (size_t)y * length, VIPS_REGION_ADDR(region, 0, y), length);
        // As vips_image_write does; cvips_watch may kill the image then.
        g_signal_emit_by_name(in, "eval", NULL);
        status = status || vips_image_iskilled(in);
    }
    g_object_unref(region);
    return status;
}

uint8_t *cvips_copied_pixels(VipsImage *in) {
    uint8_t *memory = malloc(VIPS_IMAGE_SIZEOF_IMAGE(in));
    if (!memory) vips_error("cvips_copied_pixels", "out of memory");
    if (!memory || !copy_rows(in, memory)) return memory;
    free(memory);
    return NULL;
}

int cvips_take_pixels(VipsImage *in, void **pixels, cvips_error *error) {
    if (!cvips_is_8bit(in) && !cvips_is_16bit(in)) {
        vips_error("cvips_take_pixels", "neither 8 nor 16 bits");
        return cvips_fail(error);
    }
    *pixels = cvips_copied_pixels(in);
    return *pixels ? 0 : cvips_fail(error);
}

static void free_pixels(VipsImage *image, void *pixels) {
    (void)image;
    free(pixels);
}

static VipsInterpretation interpretation(cvips_model model, int bytes) {
    switch (model) {
    case CVIPS_GREY: return bytes == 2 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    case CVIPS_CMYK: return VIPS_INTERPRETATION_CMYK;
    default: return bytes == 2 ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
    }
}

int cvips_adopt_pixels(void *pixels, int width, int height, int bands, int bytes, cvips_model model, VipsImage **out,
                       cvips_error *error) {
    VipsImage *image =
        vips_image_new_from_memory(pixels, (size_t)width * (size_t)height * (size_t)bands * (size_t)bytes, width, height,
                                   bands, bytes == 2 ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR);
    if (!image) {
        free(pixels);
        return cvips_fail(error);
    }
    g_signal_connect(image, "postclose", G_CALLBACK(free_pixels), pixels);
    image->Type = interpretation(model, bytes);
    *out = image;
    return 0;
}

int cvips_to_16bit(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_colourspace(in, out, interpretation(cvips_color_model(in), 2), NULL));
}

/* Puts `next` in the place of `*image`, whose reference is given back. */
static void replace(VipsImage **image, VipsImage *next) {
    g_object_unref(*image);
    *image = next;
}

int cvips_resize_16bit(VipsImage *in, double across, double down, int is_linear, VipsImage **out, cvips_error *error) {
    int alpha = vips_image_hasalpha(in);
    VipsImage *image = in, *next = NULL;
    g_object_ref(image);
    if (is_linear) {
        if (!(next = cvips_curved(image, 1))) goto fail;
        replace(&image, next);
    }
    if (alpha) {
        if (vips_premultiply(image, &next, "max_alpha", 65535.0, NULL)) goto fail;
        replace(&image, next);
    }
    if (vips_resize(image, &next, across, "vscale", down, "kernel", VIPS_KERNEL_LANCZOS3, NULL)) goto fail;
    replace(&image, next);
    if (alpha) {
        if (vips_unpremultiply(image, &next, "max_alpha", 65535.0, NULL)) goto fail;
        replace(&image, next);
    }
    if (is_linear) {
        if (!(next = cvips_curved(image, 0))) goto fail;
        replace(&image, next);
    } else if (alpha) {
        if (vips_round(image, &next, VIPS_OPERATION_ROUND_RINT, NULL)) goto fail;
        replace(&image, next);
        if (vips_cast_ushort(image, &next, NULL)) goto fail;
        replace(&image, next);
    }
    if (vips_copy(image, out, "interpretation", in->Type, NULL)) goto fail;
    g_object_unref(image);
    return 0;
fail:
    g_object_unref(image);
    return cvips_fail(error);
}

/* A profile that lcms cannot use is passed over for the built-in one of the same model. Perceptual is the one intent that
 * every profile with tables has; matrix profiles make no difference. Without black point compensation the ink black of CMYK
 * would come out grey. */
int cvips_icc_to(VipsImage *in, const char *profile, VipsImage **out, cvips_error *error) {
    const char *fallback = in->Type == VIPS_INTERPRETATION_CMYK ? "cmyk" : "srgb";
    return RESULT(vips_icc_transform(in, out, profile, "embedded", TRUE, "input_profile", fallback, "intent",
                                     VIPS_INTENT_PERCEPTUAL, "black_point_compensation", TRUE, "depth",
                                     cvips_is_16bit(in) ? 16 : 8, NULL));
}

int cvips_icc_into(VipsImage *in, const void *profile, size_t length, VipsImage **out, cvips_error *error) {
    VipsImage *measured = NULL, *tagged = NULL;
    int depth = cvips_is_16bit(in) ? 16 : 8;
    int status = vips_icc_import(in, &measured, "input_profile", "srgb", "intent", VIPS_INTENT_PERCEPTUAL,
                                 "black_point_compensation", TRUE, NULL) ||
                 vips_copy(measured, &tagged, NULL);
    if (!status) {
        vips_image_set_blob_copy(tagged, VIPS_META_ICC_NAME, profile, length);
        status = vips_icc_export(tagged, out, "intent", VIPS_INTENT_PERCEPTUAL, "black_point_compensation", TRUE, "depth",
                                 depth, NULL);
    }
    if (measured) g_object_unref(measured);
    if (tagged) g_object_unref(tagged);
    return RESULT(status);
}

int cvips_with_profile(VipsImage *in, const void *profile, size_t length, VipsImage **out, cvips_error *error) {
    if (vips_copy(in, out, NULL)) return cvips_fail(error);
    vips_image_set_blob_copy(*out, VIPS_META_ICC_NAME, profile, length);
    return 0;
}

int cvips_without_profile(VipsImage *in, VipsImage **out, cvips_error *error) {
    if (vips_copy(in, out, NULL)) return cvips_fail(error);
    vips_image_remove(*out, VIPS_META_ICC_NAME);
    return 0;
}

static inline int differs(const uint8_t *pixel, int bands, int has_alpha, const uint8_t *first, int tolerance) {
    int colors = bands - has_alpha;
    int alpha = has_alpha ? pixel[colors] : 255, other = has_alpha ? first[colors] : 255;
    if (abs(alpha - other) > tolerance) return 1;
    for (int band = 0; band < colors; band++)
        if (abs(pixel[band] * alpha - first[band] * other) > tolerance * 255) return 1;
    return 0;
}

int cvips_trim_row(const uint8_t *row, int width, int bands, int has_alpha, const uint8_t *first, int tolerance, int *left,
                   int *right) {
    int x = 0;
    while (x < width && !differs(row + (size_t)x * bands, bands, has_alpha, first, tolerance)) x++;
    if (x == width) return 0;
    if (x < *left) *left = x;
    int end = width;
    while (end > *right && !differs(row + (size_t)(end - 1) * bands, bands, has_alpha, first, tolerance)) end--;
    *right = end;
    return 1;
}
