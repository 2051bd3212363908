#include "internal.h"
#include <math.h>
#include <string.h>

/* Lines per row of pixels on which the outline is followed. Along each line what is covered is exact. */
enum { LINES = 16 };

/* Adds what a line that is inside from `start` to `end` covers of every pixel, as differences from pixel to pixel. */
static void cover(float *differences, double start, double end) {
    int first = (int)start, last = (int)end;
    float into = (float)(start - first), over = (float)(end - last);
    differences[first] += 1 - into;
    differences[first + 1] += into;
    differences[last] -= 1 - over;
    differences[last + 1] -= over;
}

static double clamped(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

/* How much of every pixel lies inside, in 1/65535, left in `scratch`. */
static void coverage(int width, int y, const cvips_outline *outline, float *scratch) {
    memset(scratch, 0, ((size_t)width + 2) * sizeof *scratch);
    for (int line = 0; line < LINES; line++) {
        double at = y + (line + 0.5) / LINES;
        if (at <= outline->top || at >= outline->bottom) continue;
        double depth = 0; /* into the corners: 0 where the sides are straight, 1 at the outermost line */
        if (at < outline->top + outline->down) depth = (outline->top + outline->down - at) / outline->down;
        if (at > outline->bottom - outline->down) {
            double below = (at - outline->bottom + outline->down) / outline->down;
            if (below > depth) depth = below;
        }
        double inset = depth > 0 ? outline->across * (1 - sqrt(fmax(0, 1 - depth * depth))) : 0;
        double start = clamped(outline->left + inset, 0, width), end = clamped(outline->right - inset, 0, width);
        if (end > start) cover(scratch, start, end);
    }
    float sum = 0;
    for (int x = 0; x < width; x++) {
        sum += scratch[x];
        scratch[x] = (float)clamped(rint(sum * (65535.0 / LINES)), 0, 65535);
    }
}

#define OUTLINE(name, sample)                                                                                          \
    static void name(sample *row, int width, int bands, const float *covered) {                                        \
        for (int x = 0; x < width; x++, row += bands) {                                                                \
            uint32_t share = (uint32_t)covered[x];                                                                     \
            if (share == 65535) continue;                                                                              \
            sample alpha = (sample)(((uint64_t)row[bands - 1] * share + 32767) / 65535);                               \
            row[bands - 1] = alpha;                                                                                    \
            if (alpha == 0) memset(row, 0, (size_t)bands * sizeof *row);                                               \
        }                                                                                                              \
    }

OUTLINE(outline_8, uint8_t)
OUTLINE(outline_16, uint16_t)

void cvips_outline_row(void *row, int width, int bands, int bytes, int y, const cvips_outline *outline, float *scratch) {
    coverage(width, y, outline, scratch);
    if (bytes == 2) outline_16(row, width, bands, scratch);
    else outline_8(row, width, bands, scratch);
}

/* Porter–Duff "source over" on straight samples. */
#define LAY(name, sample, wide, most)                                                                                  \
    static void name(sample *row, const sample *over, size_t count, int colors, int has_alpha, uint32_t opacity) {    \
        for (size_t i = 0; i < count; i++, row += colors + has_alpha, over += colors + 1) {                          \
            wide upper = ((wide)over[colors] * opacity + 32768) >> 16;                                                \
            if (upper == 0) continue;                                                                                  \
            wide lower = has_alpha ? row[colors] : most;                                                              \
            wide whole = upper * most + lower * (most - upper); /* the alpha that comes out, times most */             \
            for (int band = 0; band < colors; band++)                                                                 \
                row[band] = (sample)((over[band] * upper * most + row[band] * lower * (most - upper) + whole / 2) /    \
                                     whole);                                                                           \
            if (has_alpha) row[colors] = (sample)((whole + most / 2) / most);                                         \
        }                                                                                                              \
    }

LAY(lay_8, uint8_t, uint32_t, 255u)
LAY(lay_16, uint16_t, uint64_t, 65535ull)

void cvips_lay_row(void *row, const void *over, size_t count, int bands, int has_alpha, int bytes, int opacity) {
    int colors = bands - has_alpha;
    if (bytes == 2) lay_16(row, over, count, colors, has_alpha, (uint32_t)opacity);
    else lay_8(row, over, count, colors, has_alpha, (uint32_t)opacity);
}
