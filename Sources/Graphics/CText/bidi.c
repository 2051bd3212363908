#include "CText.h"

#include <fribidi.h>
#include <stdlib.h>

static bool isHaraka(uint32_t c) { return c >= 0x064B && c <= 0x0652; }

static FriBidiCharType *types_of(const uint32_t *text, int count) {
    FriBidiCharType *types = malloc((size_t)(count > 0 ? count : 1) * sizeof *types);
    if (types) fribidi_get_bidi_types(text, count, types);
    return types;
}

bool ctext_bidi_levels(const uint32_t *text, int count, int8_t *levels, bool *is_rtl) {
    *is_rtl = false;
    if (count <= 0) return true;
    FriBidiCharType *types = types_of(text, count);
    FriBidiBracketType *brackets = malloc((size_t)count * sizeof *brackets);
    bool done = false;
    if (types && brackets) {
        fribidi_get_bracket_types(text, count, types, brackets);
        FriBidiParType direction = FRIBIDI_PAR_WLTR;
        done = fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, levels) != 0;
        *is_rtl = FRIBIDI_IS_RTL(direction);
    }
    free(types);
    free(brackets);
    return done;
}

bool ctext_bidi_order(const uint32_t *line, int count, bool is_rtl, int8_t *levels, int32_t *order) {
    if (count <= 0) return true;
    FriBidiCharType *types = types_of(line, count);
    FriBidiStrIndex *map = malloc((size_t)count * sizeof *map);
    bool done = false;
    if (types && map) {
        for (int i = 0; i < count; i++) map[i] = i;
        done = fribidi_reorder_line(
                   0, types, count, 0, is_rtl ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR, levels, NULL, map)
            != 0;
        for (int i = 0; i < count; i++) order[i] = map[i];
    }
    free(types);
    free(map);
    return done;
}

uint32_t ctext_mirror(uint32_t character) {
    FriBidiChar mirrored = character;
    return fribidi_get_mirror_char(character, &mirrored) ? mirrored : character;
}

/* Vowel signs have forms on a stroke for between two joined letters, which ICU uses and FriBidi does not. */
static uint32_t haraka_form(uint32_t c, bool between) {
    uint32_t form = 0xFE70 + 2 * (c - 0x064B);
    /* There are no such forms of these two. */
    return between && c != 0x064C && c != 0x064D ? form + 1 : form;
}

/* Whether the signs from `start` to before `end` stand between two joined letters. */
static bool is_between(const FriBidiArabicProp *joins, int count, int start, int end) {
    return start > 0 && end < count && (joins[start - 1] & FRIBIDI_MASK_JOINS_LEFT)
        && (joins[end] & FRIBIDI_MASK_JOINS_RIGHT);
}

bool ctext_shape_arabic(uint32_t *text, int count) {
    if (count <= 0) return true;
    FriBidiCharType *types = types_of(text, count);
    FriBidiArabicProp *joins = malloc((size_t)count * sizeof *joins);
    FriBidiLevel *levels = malloc((size_t)count * sizeof *levels);
    uint32_t *before = malloc((size_t)count * sizeof *before);
    bool done = types && joins && levels && before;
    if (done) {
        fribidi_get_joining_types(text, count, joins);
        for (int i = 0; i < count; i++) {
            before[i] = text[i];
            levels[i] = 1;
            /* Alef maksura and noon ghunna have no forms that join on both sides in the ranges that fonts cover. */
            if (text[i] == 0x0649 || text[i] == 0x06BA) joins[i] = FRIBIDI_JOINING_TYPE_R;
        }
        fribidi_join_arabic(types, count, levels, joins);
        fribidi_shape_arabic(FRIBIDI_FLAGS_ARABIC, levels, count, joins, text);
        /* Where the last signs in a row end. */
        int end = 0;
        bool between = false;
        for (int i = 0; i < count; i++) {
            if (isHaraka(before[i])) {
                if (i >= end) {
                    end = i + 1;
                    while (end < count && isHaraka(before[end])) end++;
                    between = is_between(joins, count, i, end);
                }
                text[i] = haraka_form(before[i], between);
            }
            /* ICU leaves these as they are, and so do the fonts that are made for its forms. */
            if (before[i] == 0x0671 || before[i] == 0x06AD) text[i] = before[i];
        }
    }
    free(types);
    free(joins);
    free(levels);
    free(before);
    return done;
}
