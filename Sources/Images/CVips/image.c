#include "internal.h"
#include <stdlib.h>

void cvips_image_unref(VipsImage *image) { g_object_unref(image); }
int cvips_width(VipsImage *image) { return image->Xsize; }
int cvips_height(VipsImage *image) { return image->Ysize; }
int cvips_bands(VipsImage *image) { return image->Bands; }
int cvips_is_8bit(VipsImage *image) {
    return image->BandFmt == VIPS_FORMAT_UCHAR && image->Coding == VIPS_CODING_NONE;
}
int cvips_has_alpha(VipsImage *image) { return vips_image_hasalpha(image); }
int cvips_orientation(VipsImage *image) { return vips_image_get_orientation(image); }
int cvips_page_count(VipsImage *image) { return vips_image_get_n_pages(image); }

cvips_model cvips_color_model(VipsImage *image) {
    switch (vips_image_guess_interpretation(image)) {
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16:
        return CVIPS_GREY;
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
        return CVIPS_RGB;
    case VIPS_INTERPRETATION_CMYK:
        return CVIPS_CMYK;
    default:
        return CVIPS_OTHER;
    }
}

int cvips_profile(VipsImage *image, const void **data, size_t *length) {
    if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return -1;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, data, length)) return cvips_fail(NULL);
    return 0;
}

static void free_pixels(VipsImage *image, void *pixels) {
    (void)image;
    free(pixels);
}

int cvips_image_adopt(void *pixels, int width, int height, int bands, cvips_model model, VipsImage **out,
                      cvips_error *error) {
    size_t length = (size_t)width * (size_t)height * (size_t)bands;
    VipsImage *image = vips_image_new_from_memory(pixels, length, width, height, bands, VIPS_FORMAT_UCHAR);
    if (!image) {
        free(pixels);
        return cvips_fail(error);
    }
    g_signal_connect(image, "postclose", G_CALLBACK(free_pixels), pixels);
    image->Type = model == CVIPS_GREY   ? VIPS_INTERPRETATION_B_W
                  : model == CVIPS_CMYK ? VIPS_INTERPRETATION_CMYK
                                        : VIPS_INTERPRETATION_sRGB;
    *out = image;
    return 0;
}

/* The result stands on a buffer of its own and knows nothing of `in`, whose progress signal would otherwise live on in it. */
int cvips_evaluate(VipsImage *in, VipsImage **out, cvips_error *error) {
    uint8_t *pixels = in->BandFmt == VIPS_FORMAT_UCHAR ? cvips_copied_pixels(in) : NULL;
    if (!pixels) return cvips_fail(error);
    return cvips_image_adopt(pixels, in->Xsize, in->Ysize, in->Bands, cvips_color_model(in), out, error);
}

void cvips_copy_profile(VipsImage *source, VipsImage *image) {
    const void *data;
    size_t length;
    if (cvips_profile(source, &data, &length) == 0)
        vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, data, length);
}

int cvips_region_new(VipsImage *image, VipsRegion **out, cvips_error *error) {
    return (*out = vips_region_new(image)) ? 0 : cvips_fail(error);
}

void cvips_region_unref(VipsRegion *region) { g_object_unref(region); }

int cvips_region_rows(VipsRegion *region, int left, int top, int width, int count, const uint8_t **rows,
                      size_t *stride, cvips_error *error) {
    VipsRect area = {.left = left, .top = top, .width = width, .height = count};
    if (vips_region_prepare(region, &area)) return cvips_fail(error);
    *rows = VIPS_REGION_ADDR(region, left, top);
    *stride = VIPS_REGION_LSKIP(region);
    return 0;
}

typedef struct {
    int (*should_stop)(void *context);
    void *context;
} watch;

static void on_eval(VipsImage *image, VipsProgress *progress, watch *watch) {
    (void)progress;
    if (watch->should_stop(watch->context)) vips_image_set_kill(image, TRUE);
}

static void free_watch(gpointer data, GClosure *closure) {
    (void)closure;
    g_free(data);
}

unsigned long cvips_watch(VipsImage *image, int (*should_stop)(void *context), void *context) {
    watch *data = g_new(watch, 1);
    data->should_stop = should_stop;
    data->context = context;
    vips_image_set_progress(image, TRUE);
    return g_signal_connect_data(image, "eval", G_CALLBACK(on_eval), data, free_watch, 0);
}

void cvips_unwatch(VipsImage *image, unsigned long watch) { g_signal_handler_disconnect(image, watch); }
