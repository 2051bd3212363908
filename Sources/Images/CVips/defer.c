#include "internal.h"
#include <stdlib.h>

typedef struct {
    VipsImage *plain; /* from libvips' loader; lazy; or NULL */
    VipsImage *quick; /* over `pixels`; NULL until they are there */
    int width, height, bands;
    VipsBandFormat format;
    void *pixels;
    void *(*decode)(void *context, int *is_exhausted);
    void (*release)(void *context);
    void *context;
    GMutex lock;
    gboolean is_tried;
    int is_exhausted; /* memory ran out */
} deferred;

static void forget(VipsImage *image, deferred *state) {
    (void)image;
    if (state->quick) g_object_unref(state->quick);
    free(state->pixels);
    if (state->plain) g_object_unref(state->plain);
    state->release(state->context);
    g_mutex_clear(&state->lock);
    g_free(state);
}

/* Where pixels come from: decided by whoever asks first; the others wait for it. */
static VipsImage *settled(deferred *state) {
    g_mutex_lock(&state->lock);
    if (!state->is_tried) {
        state->is_tried = TRUE;
        state->pixels = state->decode(state->context, &state->is_exhausted);
        if (state->pixels) {
            size_t length = (size_t)state->width * (size_t)state->height * (size_t)state->bands *
                            vips_format_sizeof(state->format);
            state->quick = vips_image_new_from_memory(state->pixels, length, state->width, state->height, state->bands,
                                                      state->format);
            if (!state->quick) cvips_fail(NULL);
        }
    }
    VipsImage *image = state->quick ? state->quick : state->plain;
    g_mutex_unlock(&state->lock);
    return image;
}

static void *start(VipsImage *out, void *data, void *unused) {
    deferred *state = data;
    (void)out, (void)unused;
    VipsImage *image = settled(state);
    if (!image) vips_error("cvips_defer", state->is_exhausted ? "out of memory" : "broken picture");
    return image ? vips_region_new(image) : NULL;
}

static int generate(VipsRegion *out, void *sequence, void *state, void *unused, gboolean *stop) {
    (void)state, (void)unused, (void)stop;
    VipsRegion *in = sequence;
    VipsRect *area = &out->valid;
    return vips_region_prepare(in, area) || vips_region_region(out, in, area, area->left, area->top);
}

static int finish(void *sequence, void *state, void *unused) {
    (void)state, (void)unused;
    if (sequence) g_object_unref(sequence);
    return 0;
}

static int deferred_image(deferred *state, VipsImage **out, cvips_error *error) {
    VipsImage *image = vips_image_new(), *plain = state->plain;
    g_mutex_init(&state->lock);
    g_signal_connect(image, "postclose", G_CALLBACK(forget), state);
    if (!plain)
        vips_image_init_fields(image, state->width, state->height, state->bands, state->format, VIPS_CODING_NONE,
                               VIPS_INTERPRETATION_sRGB, 1, 1);
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, plain, NULL) ||
        vips_image_generate(image, start, generate, finish, state, NULL)) {
        g_object_unref(image);
        return cvips_fail(error);
    }
    *out = image;
    return 0;
}

int cvips_defer(VipsImage *plain, void *(*decode)(void *context, int *is_exhausted), void (*release)(void *context),
                void *context, VipsImage **out, cvips_error *error) {
    deferred *state = g_new0(deferred, 1);
    *state = (deferred){.plain = plain, .width = plain->Xsize, .height = plain->Ysize, .bands = plain->Bands,
                        .format = plain->BandFmt, .decode = decode, .release = release, .context = context};
    g_object_ref(plain);
    return deferred_image(state, out, error);
}

int cvips_defer_alone(int width, int height, int bands, void *(*decode)(void *context, int *is_exhausted),
                      void (*release)(void *context), void *context, VipsImage **out, cvips_error *error) {
    deferred *state = g_new0(deferred, 1);
    *state = (deferred){.width = width, .height = height, .bands = bands, .format = VIPS_FORMAT_UCHAR,
                        .decode = decode, .release = release, .context = context};
    return deferred_image(state, out, error);
}
