/* The JPEGs of mozjpeg, which the libvips of PyPI's pyvips-binary has. Run by scripts/bench quality mozjpeg.
 *
 *   mozjpeg_peer FOLDER QUALITIES PHOTO...
 *
 * Writes the pixels of each photograph in three sizes, FOLDER/N-WIDTH.png, and a JPEG of these for each of the qualities,
 * which commas part, FOLDER/N-WIDTH.png.QUALITY.jpg. Prints a line of JSON for each JPEG; the time is that of encoding alone.
 * The settings are mozjpeg's own: progressive, scans chosen by size, trellis quantisation, deringing and its third table. */
#include <vips/vips.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    int width, height;
} sizes[] = { { 300, 300 }, { 800, 0 }, { 1600, 0 } };

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* The photograph in one size, in memory and on disk as PNG; NULL when that fails. */
static VipsImage *pixels(const char *photo, int size, const char *path) {
    VipsImage *lazy = NULL, *image = NULL;
    int height = sizes[size].height;
    if (vips_thumbnail(photo, &lazy, sizes[size].width, "height", height ? height : VIPS_MAX_COORD, "crop",
                       height ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, NULL))
        return NULL;
    image = vips_image_copy_memory(lazy);
    g_object_unref(lazy);
    return image && !vips_pngsave(image, path, "strip", TRUE, NULL) ? image : NULL;
}

static int encode(VipsImage *image, const char *path, int quality) {
    void *data = NULL;
    size_t length = 0;
    double before = milliseconds();
    if (vips_jpegsave_buffer(image, &data, &length, "Q", quality, "strip", TRUE, "interlace", TRUE, "optimize_coding", TRUE,
                             "optimize_scans", TRUE, "trellis_quant", TRUE, "overshoot_deringing", TRUE, "quant_table", 3,
                             NULL))
        return -1;
    double spent = milliseconds() - before;
    char *name = g_strdup_printf("%s.%d.jpg", path, quality);
    gboolean is_written = g_file_set_contents(name, data, length, NULL);
    g_free(name);
    g_free(data);
    printf("{\"picture\": \"%s\", \"quality\": %d, \"cpu_ms\": %.4f, \"version\": \"%s\"}\n", path, quality, spent,
           vips_version_string());
    return is_written ? 0 : -1;
}

int main(int argc, char **argv) {
    if (argc < 4 || VIPS_INIT(argv[0])) return 2;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    for (int photo = 3; photo < argc; photo++)
        for (size_t size = 0; size < G_N_ELEMENTS(sizes); size++) {
            char *path = g_strdup_printf("%s/%d-%d.png", argv[1], photo - 3, sizes[size].width);
            VipsImage *image = pixels(argv[photo], size, path);
            for (const char *quality = argv[2]; image && quality; quality = strchr(quality, ',')) {
                if (*quality == ',') quality++;
                if (encode(image, path, atoi(quality))) vips_error_exit(NULL);
            }
            if (!image) vips_error_exit(NULL);
            g_object_unref(image);
            g_free(path);
        }
    return 0;
}
