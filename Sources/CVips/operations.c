#include "internal.h"

#define RESULT(call) ((call) ? cvips_fail(error) : 0)

int cvips_extract_area(VipsImage *in, int left, int top, int width, int height, VipsImage **out, cvips_error *error) {
    return RESULT(vips_extract_area(in, out, left, top, width, height, NULL));
}

int cvips_rotate_quarters(VipsImage *in, int quarters, VipsImage **out, cvips_error *error) {
    return RESULT(vips_rot(in, out, (VipsAngle)(quarters & 3), NULL));
}

int cvips_flip_horizontal(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_flip(in, out, VIPS_DIRECTION_HORIZONTAL, NULL));
}

int cvips_extend(VipsImage *in, int left, int top, int width, int height, VipsImage **out, cvips_error *error) {
    return RESULT(vips_embed(in, out, left, top, width, height, "extend", VIPS_EXTEND_COPY, NULL));
}

int cvips_embed(VipsImage *in, int left, int top, int width, int height, const double *background, VipsImage **out,
                cvips_error *error) {
    VipsArrayDouble *ink = vips_array_double_new(background, in->Bands);
    int status = vips_embed(in, out, left, top, width, height, "extend", VIPS_EXTEND_BACKGROUND, "background", ink,
                            NULL);
    vips_area_unref(VIPS_AREA(ink));
    return RESULT(status);
}

int cvips_flatten(VipsImage *in, const double *background, VipsImage **out, cvips_error *error) {
    VipsArrayDouble *ink = vips_array_double_new(background, in->Bands < 3 ? 1 : 3);
    int status = vips_flatten(in, out, "background", ink, NULL);
    vips_area_unref(VIPS_AREA(ink));
    return RESULT(status);
}

int cvips_to_8bit(VipsImage *in, VipsImage **out, cvips_error *error) {
    cvips_model model = cvips_colour_model(in);
    if (model == CVIPS_CMYK) return RESULT(vips_cast(in, out, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL));
    return RESULT(vips_colourspace(in, out, model == CVIPS_GREY ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB,
                                   NULL));
}

/* A profile that lcms cannot use is passed over for the built-in one of the same model. Perceptual is the one intent that
 * every profile with tables has; matrix profiles make no difference. Without black point
 * compensation the ink black of CMYK would come out grey. */
int cvips_icc_to_srgb(VipsImage *in, VipsImage **out, cvips_error *error) {
    VipsImage *transformed = NULL;
    const char *fallback = in->Type == VIPS_INTERPRETATION_CMYK ? "cmyk" : "srgb";
    if (vips_icc_transform(in, &transformed, "srgb", "embedded", TRUE, "input_profile", fallback, "intent",
                           VIPS_INTENT_PERCEPTUAL, "black_point_compensation", TRUE, NULL))
        return cvips_fail(error);
    int status = vips_copy(transformed, out, NULL);
    g_object_unref(transformed);
    if (status) return cvips_fail(error);
    /* The result carries the profile of sRGB, which the WebP saver would write in spite of "strip". */
    vips_image_remove(*out, VIPS_META_ICC_NAME);
    return 0;
}

int cvips_to_srgb(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL));
}

int cvips_to_grey(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_colourspace(in, out, VIPS_INTERPRETATION_B_W, NULL));
}

int cvips_add_alpha(VipsImage *in, VipsImage **out, cvips_error *error) { return RESULT(vips_addalpha(in, out, NULL)); }

int cvips_extract_bands(VipsImage *in, int first, int count, VipsImage **out, cvips_error *error) {
    return RESULT(vips_extract_band(in, out, first, "n", count, NULL));
}

int cvips_sharpen(VipsImage *in, double sigma, VipsImage **out, cvips_error *error) {
    return RESULT(vips_sharpen(in, out, "sigma", sigma, NULL));
}

int cvips_linear(VipsImage *in, double factor, double offset, VipsImage **out, cvips_error *error) {
    double factors[8], offsets[8];
    int bands = in->Bands, alpha = vips_image_hasalpha(in);
    if (bands > 8) {
        vips_error("cvips_linear", "%d bands", bands);
        return cvips_fail(error);
    }
    for (int i = 0; i < bands; i++) {
        factors[i] = alpha && i == bands - 1 ? 1 : factor;
        offsets[i] = alpha && i == bands - 1 ? 0 : offset;
    }
    return RESULT(vips_linear(in, out, factors, offsets, bands, "uchar", TRUE, NULL));
}
