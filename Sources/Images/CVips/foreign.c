#include "internal.h"
#include <string.h>

#define RESULT(call) ((call) ? cvips_fail(error) : 0)

static const char *const loaders[] = {
    "VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer",  "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer", "VipsForeignLoadTiffBuffer", "VipsForeignLoadHeifBuffer",
    "VipsForeignLoadJxlBuffer",   "VipsForeignLoadPdfBuffer",  "VipsForeignLoadSvgBuffer",
};
static const char *const savers[] = {
    "VipsForeignSaveJpegBuffer", "VipsForeignSavePngBuffer",  "VipsForeignSaveWebpBuffer",
    "VipsForeignSaveCgifBuffer", "VipsForeignSaveTiffBuffer", "VipsForeignSaveHeifBuffer",
    "VipsForeignSaveJxlBuffer",  "none",                      "none",
};

void cvips_enable_loader(cvips_format format) { vips_operation_block_set(loaders[format], FALSE); }
int cvips_has_loader(cvips_format format) { return vips_type_find("VipsForeignLoad", loaders[format]) != 0; }
int cvips_has_saver(cvips_format format) { return vips_type_find("VipsForeignSave", savers[format]) != 0; }

/* A source that ends early is an error, not a picture with a grey half: the answer would be cached as if it were whole.
 * Rows are asked for once, top to bottom. */
#define READ_ONCE "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED
#define PAGES "page", options->page, "n", options->page_count

/* A TIFF that seems to have one directory. libtiff parses all of them to count the pages, whichever is wanted. */
typedef struct {
    const guint8 *bytes;
    gint64 length, position;
    struct {
        gint64 at;
        guint8 bytes[4];
    } changes[2];
} one_page;

static gint64 read_page(VipsSourceCustom *source, void *buffer, gint64 room, one_page *page) {
    (void)source;
    gint64 start = page->position, count = MIN(room, page->length - start);
    if (count <= 0) return 0;
    memcpy(buffer, page->bytes + start, count);
    for (size_t i = 0; i < G_N_ELEMENTS(page->changes); i++)
        for (gint64 j = 0; j < 4; j++) {
            gint64 at = page->changes[i].at + j - start;
            if (at >= 0 && at < count) ((guint8 *)buffer)[at] = page->changes[i].bytes[j];
        }
    page->position += count;
    return count;
}

static gint64 seek_page(VipsSourceCustom *source, gint64 offset, int whence, one_page *page) {
    (void)source;
    gint64 from = whence == SEEK_CUR ? page->position : whence == SEEK_END ? page->length : 0;
    if (offset < -from || offset > page->length - from) return -1;
    return page->position = from + offset;
}

static int load_page(const guint8 *bytes, size_t length, const cvips_load_options *options, VipsImage **out,
                     cvips_error *error) {
    one_page *page = g_new0(one_page, 1);
    page->bytes = bytes;
    page->length = length;
    page->changes[0].at = 4;
    for (int i = 0; i < 4; i++) page->changes[0].bytes[i] = options->directory >> 8 * (bytes[0] == 'M' ? 3 - i : i);
    page->changes[1].at = options->link;
    VipsSourceCustom *source = vips_source_custom_new();
    g_object_set_data_full(G_OBJECT(source), "page", page, g_free);
    g_signal_connect(source, "read", G_CALLBACK(read_page), page);
    g_signal_connect(source, "seek", G_CALLBACK(seek_page), page);
    int status = options->level < 0
        ? vips_tiffload_source(VIPS_SOURCE(source), out, READ_ONCE, NULL)
        : vips_tiffload_source(VIPS_SOURCE(source), out, READ_ONCE, "subifd", options->level, NULL);
    g_object_unref(source);
    return RESULT(status);
}

int cvips_load(cvips_format format, const void *bytes, size_t length, const cvips_load_options *options,
               VipsImage **out, cvips_error *error) {
    void *data = (void *)bytes;
    switch (format) {
    case CVIPS_JPEG:
        return RESULT(vips_jpegload_buffer(data, length, out, READ_ONCE, "shrink", options->shrink, NULL));
    case CVIPS_PNG:
        return RESULT(vips_pngload_buffer(data, length, out, READ_ONCE, NULL));
    case CVIPS_WEBP:
        return RESULT(vips_webpload_buffer(data, length, out, READ_ONCE, PAGES, NULL));
    case CVIPS_GIF:
        return RESULT(vips_gifload_buffer(data, length, out, READ_ONCE, PAGES, NULL));
    case CVIPS_TIFF:
        if (options->directory > 0) return load_page(data, length, options, out, error);
        if (options->level < 0) return RESULT(vips_tiffload_buffer(data, length, out, READ_ONCE, PAGES, NULL));
        return RESULT(vips_tiffload_buffer(data, length, out, READ_ONCE, PAGES, "subifd", options->level, NULL));
    case CVIPS_HEIF:
        return RESULT(vips_heifload_buffer(data, length, out, READ_ONCE, PAGES, NULL));
    case CVIPS_JXL:
        return RESULT(vips_jxlload_buffer(data, length, out, READ_ONCE, NULL));
    case CVIPS_PDF:
        return RESULT(vips_pdfload_buffer(data, length, out, READ_ONCE, PAGES, "scale", options->scale, NULL));
    case CVIPS_SVG:
        return RESULT(vips_svgload_buffer(data, length, out, READ_ONCE, "scale", options->scale, NULL));
    }
    return -1;
}

static int number(VipsImage *image, const char *name, int otherwise) {
    int value;
    if (!vips_image_get_typeof(image, name)) return otherwise;
    if (vips_image_get_int(image, name, &value)) {
        cvips_fail(NULL);
        return otherwise;
    }
    return value;
}

int cvips_page_height(VipsImage *image) { return vips_image_get_page_height(image); }
int cvips_loop_count(VipsImage *image) { return number(image, "loop", 0); }
int cvips_is_16bit(VipsImage *image) {
    return image->BandFmt == VIPS_FORMAT_USHORT && image->Coding == VIPS_CODING_NONE;
}
int cvips_sample_bits(VipsImage *image) {
    return number(image, "bits-per-sample", (int)vips_format_sizeof(image->BandFmt) * 8);
}

int cvips_delays(VipsImage *image, int *delays, int room) {
    int *found, count;
    if (!vips_image_get_typeof(image, "delay")) return 0;
    if (vips_image_get_array_int(image, "delay", &found, &count)) {
        cvips_fail(NULL);
        return 0;
    }
    for (int i = 0; i < count && i < room; i++) delays[i] = found[i];
    return count;
}

int cvips_metadata(VipsImage *image, const char *name, const void **data, size_t *length) {
    if (!vips_image_get_typeof(image, name)) return -1;
    return vips_image_get_blob(image, name, data, length) ? cvips_fail(NULL) : 0;
}

static const char *const held[] = {
    VIPS_META_ICC_NAME, VIPS_META_EXIF_NAME, VIPS_META_XMP_NAME, VIPS_META_IPTC_NAME, VIPS_META_PHOTOSHOP_NAME,
};

/* What the source held is left out, as some savers write it in spite of "strip": whoever adds it later would add it twice. */
static VipsImage *dressed(VipsImage *in, const cvips_save_options *options) {
    VipsImage *image = NULL;
    if (vips_copy(in, &image, NULL)) return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(held); i++) vips_image_remove(image, held[i]);
    if (options->page_height > 0 && options->page_height < in->Ysize)
        vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, options->page_height);
    if (options->delay_count > 0) {
        vips_image_set_array_int(image, "delay", options->delays, options->delay_count);
        vips_image_set_int(image, "loop", options->loop_count);
    }
    if (options->profile)
        vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, options->profile, options->profile_length);
    if (options->exif) vips_image_set_blob_copy(image, VIPS_META_EXIF_NAME, options->exif, options->exif_length);
    if (options->xmp) vips_image_set_blob_copy(image, VIPS_META_XMP_NAME, options->xmp, options->xmp_length);
    return image;
}

#define BARE "strip", bare
#define EFFORT(otherwise) "effort", options->effort < 0 ? (otherwise) : options->effort

static int save(cvips_format format, VipsImage *image, const cvips_save_options *options, void **data, size_t *length) {
    gboolean bare = !options->profile && !options->exif && !options->xmp;
    int quality = options->quality, lossless = options->is_lossless;
    switch (format) {
    case CVIPS_JPEG: {
        /* Huffman tables of its own make a picture a few per cent smaller, but it is held as coefficients until they are
         * known. */
        gboolean is_small = VIPS_IMAGE_N_PELS(image) <= 4 << 20;
        return vips_jpegsave_buffer(image, data, length, BARE, "Q", quality, "interlace", options->is_progressive,
                                    "optimize_coding", is_small, NULL);
    }
    case CVIPS_PNG:
        return vips_pngsave_buffer(image, data, length, BARE, "compression", options->effort < 0 ? 6 : options->effort,
                                   "interlace", options->is_progressive, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, NULL);
    case CVIPS_WEBP:
        return vips_webpsave_buffer(image, data, length, BARE, "Q", quality, "lossless", lossless, EFFORT(4), NULL);
    case CVIPS_GIF:
        /* 4 takes a third of 7's time for the same bytes and 0.3 dB less. */
        return vips_gifsave_buffer(image, data, length, BARE, EFFORT(4), "dither", options->is_quantized ? 0.0 : 1.0, NULL);
    case CVIPS_TIFF:
        return vips_tiffsave_buffer(image, data, length, BARE, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE,
                                    "predictor", VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL, NULL);
    case CVIPS_HEIF:
        return vips_heifsave_buffer(image, data, length, BARE, "Q", quality, "lossless", lossless, "compression",
                                    VIPS_FOREIGN_HEIF_COMPRESSION_AV1, EFFORT(1), "subsample_mode",
                                    options->has_full_chroma ? VIPS_FOREIGN_SUBSAMPLE_OFF : VIPS_FOREIGN_SUBSAMPLE_ON,
                                    NULL);
    case CVIPS_JXL:
        if (lossless) return vips_jxlsave_buffer(image, data, length, BARE, "lossless", TRUE, EFFORT(4), NULL);
        return vips_jxlsave_buffer(image, data, length, BARE, "Q", quality, EFFORT(5), NULL);
    default:
        return -1;
    }
}

int cvips_save(cvips_format format, VipsImage *in, const cvips_save_options *options, void **data, size_t *length,
               cvips_error *error) {
    VipsImage *image = dressed(in, options);
    if (!image) return cvips_fail(error);
    int status = save(format, image, options, data, length);
    g_object_unref(image);
    return RESULT(status);
}

int cvips_save_pyramid(VipsImage *in, int is_inside, void **data, size_t *length, cvips_error *error) {
    return RESULT(vips_tiffsave_buffer(in, data, length, "pyramid", TRUE, "tile", TRUE, "tile_width", 64, "tile_height",
                                       64, "subifd", is_inside, "depth", VIPS_FOREIGN_DZ_DEPTH_ONETILE, NULL));
}

void cvips_free(void *data) { g_free(data); }

void *cvips_shrink(void *data, size_t length) { return g_realloc(data, length); }
