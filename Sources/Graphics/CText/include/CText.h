#ifndef CTEXT_H
#define CTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* The face of FriBidi and HarfBuzz for Swift. Text is an array of Unicode scalars; sizes are `int`, and never negative. */

/* The embedding levels of one paragraph by the Unicode bidirectional algorithm; its direction is that of its first strong
 * character, left to right without one. False when memory is short. */
bool ctext_bidi_levels(const uint32_t *text, int count, int8_t *levels, bool *is_rtl);
/* The visual order of one line of a paragraph, whose levels are changed where the line's end asks for it: order[i] is the index
 * in the line of what stands at place i from the left. Only the paragraph knows its direction. */
bool ctext_bidi_order(const uint32_t *line, int count, bool is_rtl, int8_t *levels, int32_t *order);
/* The character that is drawn for one in a run from right to left. */
uint32_t ctext_mirror(uint32_t character);

/* Puts the presentation forms of Arabic letters in their places, as ICU's shaping does. What vanishes in a ligature becomes
 * CTEXT_VANISHED. */
bool ctext_shape_arabic(uint32_t *text, int count);
static const uint32_t CTEXT_VANISHED = 0xFEFF;

/* The script of a character as its ISO 15924 code, four letters from the highest byte. */
uint32_t ctext_script(uint32_t character);

/* A font that HarfBuzz has mapped into memory. Never changes; any thread may use it. */
typedef struct ctext_font ctext_font;

/* The paths of font files below a folder in alphabetical order, each ended by a line feed; released with ctext_release. At most
 * 4096 files, eight folders deep, links not followed into folders. NULL when there are none or memory is short. */
char *ctext_font_files(const char *folder);
/* How many faces there are in a file; 0 when it is none. */
int ctext_face_count(const char *path);
/* NULL when there is no such face or it has no outlines. */
ctext_font *ctext_font_open(const char *path, int face);
void ctext_font_close(ctext_font *font);
/* The family's name in UTF-8, cut to the capacity; its length. */
int ctext_font_family(const ctext_font *font, char *buffer, int capacity);
/* The name of the style in the family, such as Bold Italic. */
int ctext_font_style(const ctext_font *font, char *buffer, int capacity);
/* 400 is regular, 700 bold. */
double ctext_font_weight(const ctext_font *font);
bool ctext_font_is_italic(const ctext_font *font);
/* Units of an em. */
int ctext_font_units(const ctext_font *font);
/* Sets a bit for each 256 characters of which the font has one, the lowest in the lowest bit of the first byte. */
enum { CTEXT_PAGE_BYTES = 544 };
void ctext_font_pages(const ctext_font *font, uint8_t *pages);
/* The glyph of a character by itself; 0 for none. */
uint32_t ctext_font_glyph(const ctext_font *font, uint32_t character);

/* A glyph of a shaped run, in units of the font; y is up. */
typedef struct {
    uint32_t glyph, cluster;
    int32_t advance, x_offset, y_offset;
} ctext_glyph;

/* Shapes the run text[start..<end] of one font, script and direction, from left to right; what is around it is seen. The
 * clusters are indexes in `text`. How many glyphs there are, which are released with ctext_release; -1 when memory is short. */
int ctext_shape(
    const ctext_font *font, const uint32_t *text, int count, int start, int end, bool is_rtl, uint32_t script,
    const char *language, ctext_glyph **glyphs);

/* A part of an outline in units of the font: kind 0 moves to (x, y), 1 draws a line there, 2 a curve by (x1, y1), 3 one by
 * (x1, y1) and (x2, y2). */
typedef struct {
    int32_t kind;
    float x1, y1, x2, y2, x, y;
} ctext_segment;

/* The outline of a glyph; released with ctext_release. How many segments there are, 0 for a blank; -1 when memory is short
 * or there are too many. */
int ctext_outline(const ctext_font *font, uint32_t glyph, ctext_segment **segments);
void ctext_release(void *memory);

#endif
