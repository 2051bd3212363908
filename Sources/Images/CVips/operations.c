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
    double levels[3];
    for (int i = 0; i < 3; i++) levels[i] = background[i] * (cvips_is_16bit(in) ? 257 : 1);
    VipsArrayDouble *ink = vips_array_double_new(levels, in->Bands < 3 ? 1 : 3);
    int status = vips_flatten(in, out, "background", ink, NULL);
    vips_area_unref(VIPS_AREA(ink));
    return RESULT(status);
}

int cvips_to_8bit(VipsImage *in, VipsImage **out, cvips_error *error) {
    cvips_model model = cvips_color_model(in);
    if (model == CVIPS_CMYK) return RESULT(vips_cast(in, out, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL));
    return RESULT(vips_colourspace(in, out, model == CVIPS_GREY ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB,
                                   NULL));
}

int cvips_to_srgb(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_colourspace(
        in, out, cvips_is_16bit(in) ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB, NULL));
}

int cvips_to_grey(VipsImage *in, VipsImage **out, cvips_error *error) {
    return RESULT(vips_colourspace(
        in, out, cvips_is_16bit(in) ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W, NULL));
}

int cvips_add_alpha(VipsImage *in, VipsImage **out, cvips_error *error) { return RESULT(vips_addalpha(in, out, NULL)); }

int cvips_extract_bands(VipsImage *in, int first, int count, VipsImage **out, cvips_error *error) {
    return RESULT(vips_extract_band(in, out, first, "n", count, NULL));
}
