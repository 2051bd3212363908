#include "internal.h"
#include <math.h>

#pragma STDC FP_CONTRACT OFF

/* The curve of sRGB (IEC 61966-2-1) for samples of 16 bits. Light has the scale of the samples, as floats: in whole numbers
 * the darkest would be lost. The way back is interpolated, which restores every sample. Alpha stays as it is. */

enum { FULL = 65535 };

static float lights[FULL + 1], codes[FULL + 2];
static GOnce curves = G_ONCE_INIT;

static void *make_curves(void *unused) {
    (void)unused;
    for (int i = 0; i <= FULL; i++) {
        double x = i / (double)FULL;
        lights[i] = (float)(FULL * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)));
        codes[i] = (float)(FULL * (x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055));
    }
    codes[FULL + 1] = codes[FULL];
    return NULL;
}

static inline float within_full(float value) { return value > 0 ? value < FULL ? value : FULL : 0; }

static inline uint16_t code_of(float light) {
    float held = within_full(light);
    int index = (int)held;
    return (uint16_t)(codes[index] + (codes[index + 1] - codes[index]) * (held - (float)index) + 0.5f);
}

static int generate(VipsRegion *out, void *sequence, void *input, void *is_decoding, gboolean *stop) {
    (void)input, (void)stop;
    VipsRegion *in = sequence;
    const VipsRect *area = &out->valid;
    if (vips_region_prepare(in, area)) return -1;
    int bands = in->im->Bands, colors = bands - (vips_image_hasalpha(in->im) ? 1 : 0);
    for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
        const void *from = VIPS_REGION_ADDR(in, area->left, y);
        void *to = VIPS_REGION_ADDR(out, area->left, y);
        for (int i = 0; i < area->width * bands; i += bands) {
            for (int band = 0; band < colors; band++)
                if (is_decoding)
                    ((float *)to)[i + band] = lights[((const uint16_t *)from)[i + band]];
                else
                    ((uint16_t *)to)[i + band] = code_of(((const float *)from)[i + band]);
            if (colors == bands) continue;
            if (is_decoding)
                ((float *)to)[i + colors] = ((const uint16_t *)from)[i + colors];
            else
                ((uint16_t *)to)[i + colors] = (uint16_t)(within_full(((const float *)from)[i + colors]) + 0.5f);
        }
    }
    return 0;
}

VipsImage *cvips_curved(VipsImage *in, int is_decoding) {
    g_once(&curves, make_curves, NULL);
    VipsImage *out = vips_image_new();
    g_object_ref(in);
    vips_object_local(out, in);
    if (!vips_image_pio_input(in) && !vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL)) {
        out->BandFmt = is_decoding ? VIPS_FORMAT_FLOAT : VIPS_FORMAT_USHORT;
        void *direction = is_decoding ? out : NULL;
        if (!vips_image_generate(out, vips_start_one, generate, vips_stop_one, in, direction)) return out;
    }
    g_object_unref(out);
    return NULL;
}
