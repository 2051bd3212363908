#include "CText.h"

#include <hb-ot.h>
#include <hb.h>
#include <stdlib.h>

/* HarfBuzz reads outlines by itself, whatever their format, from objects that threads may share; FreeType's faces may not be. */
struct ctext_font {
    hb_font_t *font;
};

uint32_t ctext_script(uint32_t character) {
    return hb_unicode_script(hb_unicode_funcs_get_default(), character);
}

int ctext_face_count(const char *path) {
    hb_blob_t *file = hb_blob_create_from_file_or_fail(path);
    if (!file) return 0;
    unsigned int count = hb_face_count(file);
    hb_blob_destroy(file);
    return count > 256 ? 256 : (int)count;
}

static bool has_table(hb_face_t *face, hb_tag_t tag) {
    hb_blob_t *table = hb_face_reference_table(face, tag);
    bool has = hb_blob_get_length(table) > 0;
    hb_blob_destroy(table);
    return has;
}

static bool has_outlines(hb_face_t *face) {
    return hb_face_get_glyph_count(face) > 0
        && (has_table(face, HB_TAG('g', 'l', 'y', 'f')) || has_table(face, HB_TAG('C', 'F', 'F', ' '))
            || has_table(face, HB_TAG('C', 'F', 'F', '2')));
}

ctext_font *ctext_font_open(const char *path, int face_index) {
    hb_blob_t *file = hb_blob_create_from_file_or_fail(path);
    if (!file) return NULL;
    hb_face_t *face = hb_face_create(file, (unsigned int)face_index);
    hb_blob_destroy(file);
    ctext_font *font = NULL;
    if (has_outlines(face) && (font = malloc(sizeof *font))) {
        font->font = hb_font_create(face);
        hb_font_make_immutable(font->font);
    }
    hb_face_destroy(face);
    return font;
}

void ctext_font_close(ctext_font *font) {
    if (!font) return;
    hb_font_destroy(font->font);
    free(font);
}

static int name_of(const ctext_font *font, hb_ot_name_id_t preferred, hb_ot_name_id_t other, char *buffer, int capacity) {
    if (capacity <= 0) return 0;
    hb_face_t *face = hb_font_get_face(font->font);
    hb_language_t english = hb_language_from_string("en", -1);
    unsigned int size = (unsigned int)capacity;
    hb_ot_name_get_utf8(face, preferred, english, &size, buffer);
    if (size == 0) {
        size = (unsigned int)capacity;
        hb_ot_name_get_utf8(face, other, english, &size, buffer);
    }
    return (int)size;
}

int ctext_font_family(const ctext_font *font, char *buffer, int capacity) {
    return name_of(font, HB_OT_NAME_ID_TYPOGRAPHIC_FAMILY, HB_OT_NAME_ID_FONT_FAMILY, buffer, capacity);
}

int ctext_font_style(const ctext_font *font, char *buffer, int capacity) {
    return name_of(font, HB_OT_NAME_ID_TYPOGRAPHIC_SUBFAMILY, HB_OT_NAME_ID_FONT_SUBFAMILY, buffer, capacity);
}

double ctext_font_weight(const ctext_font *font) { return hb_style_get_value(font->font, HB_STYLE_TAG_WEIGHT); }

bool ctext_font_is_italic(const ctext_font *font) {
    return hb_style_get_value(font->font, HB_STYLE_TAG_ITALIC) > 0
        || hb_style_get_value(font->font, HB_STYLE_TAG_SLANT_ANGLE) != 0;
}

int ctext_font_units(const ctext_font *font) { return (int)hb_face_get_upem(hb_font_get_face(font->font)); }

void ctext_font_pages(const ctext_font *font, uint8_t *pages) {
    hb_set_t *characters = hb_set_create();
    hb_face_collect_unicodes(hb_font_get_face(font->font), characters);
    hb_codepoint_t character = HB_SET_VALUE_INVALID;
    while (hb_set_next(characters, &character)) {
        uint32_t page = character >> 8;
        if (page >= CTEXT_PAGE_BYTES * 8) break;
        pages[page >> 3] |= (uint8_t)(1u << (page & 7));
        /* On to the next page. */
        character |= 255;
    }
    hb_set_destroy(characters);
}

uint32_t ctext_font_glyph(const ctext_font *font, uint32_t character) {
    hb_codepoint_t glyph = 0;
    return hb_font_get_nominal_glyph(font->font, character, &glyph) ? glyph : 0;
}

int ctext_shape(
    const ctext_font *font, const uint32_t *text, int count, int start, int end, bool is_rtl, uint32_t script,
    const char *language, ctext_glyph **glyphs) {
    *glyphs = NULL;
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES);
    hb_buffer_add_codepoints(buffer, text, count, (unsigned int)start, end - start);
    hb_buffer_set_direction(buffer, is_rtl ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, (hb_script_t)script);
    hb_buffer_set_language(buffer, hb_language_from_string(language, -1));
    hb_shape(font->font, buffer, NULL, 0);
    unsigned int length = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &length);
    const hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(buffer, NULL);
    ctext_glyph *out = malloc((length > 0 ? length : 1) * sizeof *out);
    bool whole = out && hb_buffer_allocation_successful(buffer);
    for (unsigned int i = 0; whole && i < length; i++) {
        out[i] = (ctext_glyph){infos[i].codepoint, infos[i].cluster, positions[i].x_advance, positions[i].x_offset,
            positions[i].y_offset};
    }
    hb_buffer_destroy(buffer);
    if (!whole) {
        free(out);
        return -1;
    }
    *glyphs = out;
    return (int)length;
}

enum { SEGMENT_LIMIT = 20000 };

typedef struct {
    ctext_segment *segments;
    int count, capacity;
    bool failed;
} outline;

static void add(outline *to, ctext_segment segment) {
    if (to->failed) return;
    if (to->count == to->capacity) {
        int capacity = to->capacity ? to->capacity * 2 : 64;
        ctext_segment *grown = capacity > SEGMENT_LIMIT * 2
            ? NULL : realloc(to->segments, (size_t)capacity * sizeof *grown);
        if (!grown) {
            to->failed = true;
            return;
        }
        to->segments = grown;
        to->capacity = capacity;
    }
    to->segments[to->count++] = segment;
}

static void move_to(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x, float y, void *u) {
    (void)f, (void)s, (void)u;
    add(to, (ctext_segment){0, 0, 0, 0, 0, x, y});
}

static void line_to(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x, float y, void *u) {
    (void)f, (void)s, (void)u;
    add(to, (ctext_segment){1, 0, 0, 0, 0, x, y});
}

static void quadratic_to(
    hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x1, float y1, float x, float y, void *u) {
    (void)f, (void)s, (void)u;
    add(to, (ctext_segment){2, x1, y1, 0, 0, x, y});
}

static void cubic_to(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x1, float y1, float x2, float y2, float x,
    float y, void *u) {
    (void)f, (void)s, (void)u;
    add(to, (ctext_segment){3, x1, y1, x2, y2, x, y});
}

int ctext_outline(const ctext_font *font, uint32_t glyph, ctext_segment **segments) {
    *segments = NULL;
    outline to = {0};
    hb_draw_funcs_t *funcs = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(funcs, move_to, NULL, NULL);
    hb_draw_funcs_set_line_to_func(funcs, line_to, NULL, NULL);
    hb_draw_funcs_set_quadratic_to_func(funcs, quadratic_to, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(funcs, cubic_to, NULL, NULL);
#if HB_VERSION_ATLEAST(7, 0, 0)
    hb_font_draw_glyph(font->font, glyph, funcs, &to);
#else
    hb_font_get_glyph_shape(font->font, glyph, funcs, &to);
#endif
    hb_draw_funcs_destroy(funcs);
    if (to.failed) {
        free(to.segments);
        return -1;
    }
    *segments = to.segments;
    return to.count;
}

void ctext_release(void *memory) { free(memory); }
