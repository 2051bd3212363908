#define _GNU_SOURCE
#include "internal.h"
#include <link.h>
#include <string.h>

/* Codecs, color management and mathematics, by the beginnings of their file names, so that versions with another number
 * or in several files are found. What is not here has no part in what a picture looks like, and may come and go. */
static const char *const decisive[] = {
    "libvips.",    "vips-heif", "libheif",   "libaom.",     "libSvtAv1Enc", "librav1e.", "libdav1d.", "libde265.",
    "libsharpyuv", "libwebp",   "libjpeg.",  "libturbojpeg", "libpng",      "libspng.",  "libtiff.",  "libLerc.",
    "libjbig.",    "libopenjp2", "liblzma.", "libzstd.",    "libdeflate.",  "libz.",     "libz-ng.",  "liblcms2.",
    "libexif.",    "liborc-",   "libnsgif.", "libm.",       "libjxl",      "vips-jxl",  "libhwy.",   "libbrotli",
    "libcgif.",    "libimagequant.", "libquantizr.", "librsvg-", "vips-poppler", "libpoppler", "libcairo.", "libpixman-",
    "libfreetype.", "libharfbuzz.", "libfribidi.", "libpango", "libfontconfig.",
};

static gboolean is_decisive(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(decisive); i++)
        if (g_str_has_prefix(name, decisive[i])) return TRUE;
    return FALSE;
}

/* The bytes of the note that the linker left, or NULL: PT_NOTE holds notes of two lengths, owner, bytes, each padded. */
static const uint8_t *build_id(const struct dl_phdr_info *library, size_t *length) {
    for (size_t i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        const uint8_t *notes = (const uint8_t *)library->dlpi_addr + segment->p_vaddr;
        size_t left = segment->p_memsz;
        size_t padding = segment->p_align == 8 ? 7 : 3;
        while (left >= sizeof(ElfW(Nhdr))) {
            ElfW(Nhdr) note;
            memcpy(&note, notes, sizeof note);
            size_t owner = sizeof note, bytes = owner + (((size_t)note.n_namesz + 3) & ~(size_t)3);
            size_t end = (bytes + note.n_descsz + padding) & ~padding;
            if (bytes + note.n_descsz > left) break;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + owner, "GNU", 4)) {
                *length = note.n_descsz;
                return notes + bytes;
            }
            if (end >= left) break;
            notes += end;
            left -= end;
        }
    }
    return NULL;
}

/* FNV-1a over the code, which is the same wherever it is loaded: for a library without a build id. */
static uint64_t hash_of_code(const struct dl_phdr_info *library) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_R | PF_W | PF_X)) != (PF_R | PF_X)) continue;
        const uint8_t *code = (const uint8_t *)library->dlpi_addr + segment->p_vaddr;
        for (size_t k = 0; k < segment->p_filesz; k++) hash = (hash ^ code[k]) * 0x100000001b3;
    }
    return hash;
}

static int note_library(struct dl_phdr_info *library, size_t size, void *lines) {
    (void)size;
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *name = slash ? slash + 1 : library->dlpi_name;
    if (!is_decisive(name)) return 0;
    GString *line = g_string_new(name);
    size_t length = 0;
    const uint8_t *id = build_id(library, &length);
    if (id) {
        g_string_append_c(line, ' ');
        for (size_t i = 0; i < length; i++) g_string_append_printf(line, "%02x", id[i]);
    } else {
        g_string_append_printf(line, " code %016" G_GINT64_MODIFIER "x", (guint64)hash_of_code(library));
    }
    g_ptr_array_add(lines, g_string_free(line, FALSE));
    return 0;
}

static gint by_bytes(gconstpointer left, gconstpointer right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

char *cvips_libraries(void) {
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    dl_iterate_phdr(note_library, lines);
    g_ptr_array_sort(lines, by_bytes);
    g_ptr_array_add(lines, NULL);
    char *text = g_strjoinv("\n", (char **)lines->pdata);
    g_ptr_array_free(lines, TRUE);
    return text;
}
