#include "CVips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/* Colors are premultiplied, 0-255, each dimension scaled so that its distance counts as much as the eye gives it. */
typedef struct {
    float v[4];
} color;

typedef struct {
    color mean;
    float weight;
    int is_opaque;
} entry;

typedef struct {
    uint32_t key, count;
    uint64_t sum[4];
} slot;

typedef struct {
    int first, end, axis;
    double error;
} box;

static const float scales[4] = {0.75f, 1.0f, 0.65f, 2.0f};

enum {
    SLOTS = 1 << 17,
    ENTRIES = 1 << 15, /* at most; else the histogram is coarser by one bit */
    PASSES = 6,
    CELLS = 1 << 15, /* 4 bits of each color, 3 of alpha */
    OPAQUE = 7,
    ALPHA_SIDE = 37, /* 255 ÷ 7, rounded up */
};

typedef struct {
    const uint8_t *pixels;
    int width, height, bands, has_alpha;
    int (*should_stop)(void *context);
    void *context;
    color palette[256];
    uint8_t is_opaque[256]; /* of the palette: then alpha is never less */
    int size;
    uint8_t bytes[256][4];
    int32_t starts[CELLS];
    uint8_t lengths[CELLS]; /* less 1 */
    uint8_t *pool;
    size_t used, room;
} quantizer;

static void read_pixel(const quantizer *q, const uint8_t *pixel, uint32_t out[4]) {
    int colors = q->bands - q->has_alpha;
    out[0] = pixel[0];
    out[1] = colors == 3 ? pixel[1] : pixel[0];
    out[2] = colors == 3 ? pixel[2] : pixel[0];
    out[3] = q->has_alpha ? pixel[colors] : 255;
}

static color scaled(const uint32_t rgba[4]) {
    color c;
    float alpha = (float)rgba[3] / 255;
    for (int i = 0; i < 3; i++) c.v[i] = (float)rgba[i] * alpha * scales[i];
    c.v[3] = (float)rgba[3] * scales[3];
    return c;
}

static float distance(const color *a, const color *b) {
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        float d = a->v[i] - b->v[i];
        sum += d * d;
    }
    return sum;
}

/* How many colors there are when `bits` of every sample are left out, or more than `limit`. Visible ones only. */
static int count_colors(const quantizer *q, slot *slots, int bits, int limit, int *has_clear) {
    uint32_t keep = (0xffu << bits) & 0xff;
    uint32_t mask = keep | keep << 8 | keep << 16 | keep << 24;
    int found = 0;
    memset(slots, 0, sizeof(slot) * SLOTS);
    for (size_t i = 0; i < (size_t)q->width * (size_t)q->height; i++) {
        uint32_t p[4];
        read_pixel(q, q->pixels + i * (size_t)q->bands, p);
        if (p[3] == 0) {
            *has_clear = 1;
            continue;
        }
        /* Opaque pixels are not mixed with others. */
        uint32_t key = (p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24) & mask;
        if (p[3] == 255) key |= 0xff000000u;
        uint32_t at = (key * 2654435761u) >> 15;
        while (slots[at].count && slots[at].key != key) at = (at + 1) & (SLOTS - 1);
        if (!slots[at].count) {
            if (++found > limit) return found;
            slots[at].key = key;
        }
        slots[at].count++;
        for (int k = 0; k < 3; k++) slots[at].sum[k] += p[k] * p[3];
        slots[at].sum[3] += p[3];
    }
    return found;
}

static int collect(const slot *slots, entry *entries) {
    int count = 0;
    for (int i = 0; i < SLOTS; i++) {
        if (!slots[i].count) continue;
        float n = (float)slots[i].count;
        for (int k = 0; k < 3; k++) entries[count].mean.v[k] = (float)slots[i].sum[k] / 255 / n * scales[k];
        entries[count].is_opaque = slots[i].key >> 24 == 255;
        entries[count].mean.v[3] = (entries[count].is_opaque ? 255 : (float)slots[i].sum[3] / n) * scales[3];
        /* Small areas in colors of their own count for more than their pixels. */
        entries[count++].weight = sqrtf(n) * sqrtf(sqrtf(n));
    }
    return count;
}

static void measure(const entry *entries, box *b, color *mean) {
    double sum[4] = {0}, square[4] = {0}, weight = 0;
    for (int i = b->first; i < b->end; i++) {
        double w = entries[i].weight;
        weight += w;
        for (int k = 0; k < 4; k++) {
            double v = entries[i].mean.v[k];
            sum[k] += w * v;
            square[k] += w * v * v;
        }
    }
    double most = -1;
    b->error = 0;
    for (int k = 0; k < 4; k++) {
        double error = square[k] - sum[k] * sum[k] / weight;
        mean->v[k] = (float)(sum[k] / weight);
        if (error > most) {
            most = error;
            b->axis = k;
        }
        b->error += error > 0 ? error : 0;
    }
}

/* Moves what is opaque to the front; returns its number. */
static int gather_opaque(entry *entries, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (!entries[i].is_opaque) continue;
        entry other = entries[found];
        entries[found++] = entries[i];
        entries[i] = other;
    }
    return found;
}

static void add_box(quantizer *q, box *boxes, const entry *entries, box added, int is_opaque) {
    boxes[q->size] = added;
    q->is_opaque[q->size] = (uint8_t)is_opaque;
    measure(entries, &boxes[q->size], &q->palette[q->size]);
    if (is_opaque) q->palette[q->size].v[3] = 255 * scales[3];
    q->size++;
}

/* Cuts the box with the most error at its mean, until there are enough. What is opaque has boxes of its own. */
static void cut_boxes(quantizer *q, entry *entries, int entry_count, int count) {
    box boxes[256];
    int opaque = gather_opaque(entries, entry_count);
    if (opaque > 0 && opaque < entry_count && count > 1) {
        add_box(q, boxes, entries, (box){0, opaque, 0, 0}, 1);
        add_box(q, boxes, entries, (box){opaque, entry_count, 0, 0}, 0);
    } else {
        add_box(q, boxes, entries, (box){0, entry_count, 0, 0}, opaque > 0);
    }
    while (q->size < count) {
        int worst = -1;
        for (int i = 0; i < q->size; i++)
            if (boxes[i].end - boxes[i].first > 1 && (worst < 0 || boxes[i].error > boxes[worst].error)) worst = i;
        if (worst < 0) return;
        box *b = &boxes[worst];
        int axis = b->axis, low = b->first, high = b->end - 1;
        float middle = q->palette[worst].v[axis];
        while (low <= high) {
            if (entries[low].mean.v[axis] < middle) {
                low++;
            } else {
                entry other = entries[high];
                entries[high--] = entries[low];
                entries[low] = other;
            }
        }
        if (low == b->first) low++;
        if (low == b->end) low--;
        box upper = {low, b->end, 0, 0};
        b->end = low;
        measure(entries, b, &q->palette[worst]);
        add_box(q, boxes, entries, upper, q->is_opaque[worst]);
    }
}

static uint8_t byte(float value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f); }

/* Rounds the palette to bytes, so that errors are those that are seen. */
static void round_palette(quantizer *q) {
    for (int i = 0; i < q->size; i++) {
        float alpha = q->palette[i].v[3] / scales[3];
        uint32_t p[4];
        p[3] = q->is_opaque[i] ? 255 : alpha < 1 ? 1 : alpha > 254 ? 254 : byte(alpha);
        for (int k = 0; k < 3; k++) p[k] = byte(q->palette[i].v[k] / scales[k] * 255 / (float)p[3]);
        for (int k = 0; k < 4; k++) q->bytes[i][k] = (uint8_t)p[k];
        q->palette[i] = scaled(p);
    }
}

/* To be called when the palette changed. */
static void forget_candidates(quantizer *q) {
    memset(q->starts, 0xff, sizeof q->starts);
    q->used = 0;
}

/* The palette's colors that can be the nearest to some color of the cell; less than 0 where memory is short. */
static int32_t candidates(quantizer *q, int cell) {
    float low[4], high[4];
    int parts[4] = {cell & 15, cell >> 4 & 15, cell >> 8 & 15, cell >> 12 & 7};
    for (int k = 0; k < 3; k++) {
        low[k] = (float)parts[k] * 16 * scales[k];
        high[k] = low[k] + 16 * scales[k];
    }
    low[3] = parts[3] == OPAQUE ? 255 * scales[3] : (float)(parts[3] * ALPHA_SIDE) * scales[3];
    high[3] = parts[3] == OPAQUE ? low[3] : low[3] + ALPHA_SIDE * scales[3];
    float least[256], bound = 1e30f;
    for (int i = 0; i < q->size; i++) {
        least[i] = 1e30f;
        if (parts[3] == OPAQUE && !q->is_opaque[i]) continue;
        float near = 0, far = 0;
        for (int k = 0; k < 4; k++) {
            float v = q->palette[i].v[k], below = low[k] - v, above = v - high[k];
            float out = below > 0 ? below : above > 0 ? above : 0;
            float most = v - low[k] > high[k] - v ? v - low[k] : high[k] - v;
            near += out * out;
            far += most * most;
        }
        least[i] = near;
        if (far < bound) bound = far;
    }
    if (q->used + 256 > q->room) {
        size_t room = q->room * 2 + 65536;
        uint8_t *pool = realloc(q->pool, room);
        if (!pool) return -1;
        q->pool = pool;
        q->room = room;
    }
    int32_t start = (int32_t)q->used;
    for (int i = 0; i < q->size; i++)
        if (least[i] <= bound) q->pool[q->used++] = (uint8_t)i;
    q->lengths[cell] = (uint8_t)(q->used - (size_t)start - 1);
    q->starts[cell] = start;
    return start;
}

/* The place of the nearest color of the palette, or -1. */
static int match(quantizer *q, const color *c, float *error) {
    int cell = (c->v[3] >= 255 * scales[3] ? OPAQUE : (int)(c->v[3] / scales[3]) / ALPHA_SIDE) << 12;
    for (int k = 0; k < 3; k++) cell |= (int)(c->v[k] / scales[k]) >> 4 << 4 * k;
    int32_t start = q->starts[cell];
    if (start < 0 && (start = candidates(q, cell)) < 0) return -1;
    const uint8_t *list = q->pool + start;
    int best = list[0];
    float least = distance(c, &q->palette[best]);
    for (int i = 1; i <= q->lengths[cell]; i++) {
        float d = distance(c, &q->palette[list[i]]);
        if (d < least) {
            least = d;
            best = list[i];
        }
    }
    *error = least;
    return best;
}

/* k-means. */
static int refine(quantizer *q, const entry *entries, int entry_count) {
    double sums[256][5];
    for (int pass = 0; pass < PASSES; pass++) {
        memset(sums, 0, sizeof sums);
        forget_candidates(q);
        for (int i = 0; i < entry_count; i++) {
            if (i % 1024 == 0 && q->should_stop(q->context)) return 1;
            float error;
            int place = match(q, &entries[i].mean, &error);
            if (place < 0) return -1;
            double *sum = sums[place], w = entries[i].weight;
            for (int k = 0; k < 4; k++) sum[k] += w * entries[i].mean.v[k];
            sum[4] += w;
        }
        for (int i = 0; i < q->size; i++)
            if (sums[i][4] > 0)
                for (int k = 0; k < 4; k++)
                    if (k < 3 || !q->is_opaque[i]) q->palette[i].v[k] = (float)(sums[i][k] / sums[i][4]);
    }
    return 0;
}

static void write_pixel(const quantizer *q, uint8_t *pixel, const uint8_t rgba[4]) {
    int colors = q->bands - q->has_alpha;
    for (int k = 0; k < colors; k++) pixel[k] = rgba[k];
    if (q->has_alpha) pixel[colors] = rgba[3];
}

/* A color of the palette this near, a level and a half, is taken as it is: even areas stay even. */
static const float near_enough = 2.25f;
/* So much of what is off is handed on; all of it makes streaks where the palette has nothing like it. */
static const float handed_on = 0.9f;
static const float most_handed_on = 40;

/* Floyd-Steinberg, one row to the right, the next to the left. `errors` has two rows of width + 2. */
static int map_row(quantizer *q, uint8_t *row, int y, const color *errors, color *below) {
    static const uint8_t nothing[4] = {0, 0, 0, 0};
    int step = y % 2 ? -1 : 1, x = y % 2 ? q->width - 1 : 0;
    color ahead = {{0}};
    memset(below, 0, sizeof(color) * (size_t)(q->width + 2));
    for (int i = 0; i < q->width; i++, x += step) {
        uint8_t *pixel = row + (size_t)x * (size_t)q->bands;
        uint32_t p[4];
        read_pixel(q, pixel, p);
        if (p[3] == 0) {
            write_pixel(q, pixel, nothing);
            ahead = (color){{0}};
            continue;
        }
        color own = scaled(p), wanted;
        float error;
        int place = match(q, &own, &error);
        if (place < 0) return -1;
        if (error <= near_enough) {
            write_pixel(q, pixel, q->bytes[place]);
            ahead = (color){{0}};
            continue;
        }
        for (int k = 0; k < 4; k++) {
            float v = own.v[k] + ahead.v[k] + errors[x + 1].v[k], most = 255 * scales[k];
            wanted.v[k] = v < 0 ? 0 : v > most ? most : v;
        }
        if (p[3] == 255) wanted.v[3] = own.v[3];
        place = match(q, &wanted, &error);
        if (place < 0) return -1;
        write_pixel(q, pixel, q->bytes[place]);
        for (int k = 0; k < 4; k++) {
            float off = (wanted.v[k] - q->palette[place].v[k]) * handed_on;
            off = off > most_handed_on ? most_handed_on : off < -most_handed_on ? -most_handed_on : off;
            ahead.v[k] = off * 7 / 16;
            below[x + 1 - step].v[k] += off * 3 / 16;
            below[x + 1].v[k] += off * 5 / 16;
            below[x + 1 + step].v[k] += off / 16;
        }
    }
    return 0;
}

static int map_pixels(quantizer *q, uint8_t *pixels, int page_height) {
    size_t length = (size_t)(q->width + 2);
    color *rows = calloc(2 * length, sizeof(color));
    if (!rows) return -1;
    forget_candidates(q);
    int status = 0;
    for (int y = 0; y < q->height && status == 0; y++) {
        if (y % 16 == 0 && q->should_stop(q->context)) status = 1;
        int line = page_height > 0 ? y % page_height : y;
        color *errors = rows + (line % 2 ? length : 0), *below = rows + (line % 2 ? 0 : length);
        /* Frames are alike where nothing moves. */
        if (line == 0) memset(errors, 0, sizeof(color) * length);
        if (status == 0)
            status = map_row(q, pixels + (size_t)y * (size_t)q->width * (size_t)q->bands, line, errors, below);
    }
    free(rows);
    return status;
}

/* One color for all that cannot be seen. */
static void clear_pixels(const quantizer *q, uint8_t *pixels) {
    static const uint8_t nothing[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < (size_t)q->width * (size_t)q->height; i++) {
        uint8_t *pixel = pixels + i * (size_t)q->bands;
        if (pixel[q->bands - 1] == 0) write_pixel(q, pixel, nothing);
    }
}

int cvips_quantize(uint8_t *pixels, const cvips_pixels *shape, int page_height, int count,
                   int (*should_stop)(void *context), void *context) {
    quantizer *q = calloc(1, sizeof(quantizer));
    slot *slots = malloc(sizeof(slot) * SLOTS);
    entry *entries = malloc(sizeof(entry) * ENTRIES);
    int status = -1, has_clear = 0, bits = 0, found;
    if (!q || !slots || !entries) goto end;
    q->pixels = pixels;
    q->width = shape->width;
    q->height = shape->height;
    q->bands = shape->bands;
    q->has_alpha = shape->has_alpha;
    q->should_stop = should_stop;
    q->context = context;
    for (;;) {
        status = 1;
        if (should_stop(context)) goto end;
        found = count_colors(q, slots, bits, ENTRIES, &has_clear);
        if (found <= ENTRIES) break;
        bits++;
    }
    count -= has_clear;
    status = 0;
    if (found == 0 || (bits == 0 && found <= count)) {
        if (has_clear) clear_pixels(q, pixels);
        goto end;
    }
    cut_boxes(q, entries, collect(slots, entries), count);
    status = refine(q, entries, found);
    if (status) goto end;
    round_palette(q);
    status = map_pixels(q, pixels, page_height);
end:
    if (q) free(q->pool);
    free(q);
    free(slots);
    free(entries);
    return status;
}
