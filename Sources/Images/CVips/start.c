#define _GNU_SOURCE
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* What libvips (vips_tracked_malloc) and the shim, libpng and libspng, libjpeg, OpenJPEG, libheif with libaom and x265, and
 * libwebp by way of libvips say when memory runs out. No locale is set, so they are never translated. */
static const char *const exhaustion[] = {
    "out of memory",           "insufficient memory",       "not enough memory",    "memory allocation error",
    "memory allocation failure", "cannot allocate memory", "cannot allocate image memory", "picture memory error",
    "bad_alloc",
};

int cvips_tells_exhaustion(const char *log) {
    /* libheif has the same words for pictures that claim more than it gives to any. */
    if (!log || strcasestr(log, "security limit")) return 0;
    for (size_t i = 0; i < sizeof exhaustion / sizeof *exhaustion; i++)
        if (strcasestr(log, exhaustion[i])) return 1;
    return 0;
}

/* One buffer serves the whole process, so what stands there may be another thread's words: take and clear at once. */
int cvips_fail(cvips_error *error) {
    char *log = vips_error_buffer_copy();
    if (error) {
        g_free(error->log);
        error->log = log;
        error->is_exhausted = cvips_tells_exhaustion(log);
    } else {
        g_free(log);
    }
    return -1;
}

void cvips_error_clear(cvips_error *error) {
    g_free(error->log);
    error->log = NULL;
    error->is_exhausted = 0;
}

static void drop_warning(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain, (void)level, (void)message, (void)data;
}

/* Under the lock of cvips_start. */
static int start(const char *program, cvips_error *error) {
    if (VIPS_INIT(program)) return cvips_fail(error);
    /* Warnings are about the contents of pictures: on stderr, who sends pictures could fill the log. */
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
                      drop_warning, NULL);
    vips_cache_set_max(0);
    vips_concurrency_set(1);
    vips_block_untrusted_set(TRUE);
    /* An allow-list: what a later libvips brings stays shut until it is named here. */
    vips_operation_block_set("VipsForeignLoad", TRUE);
    static const char *const allowed[] = {
        "VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer",
        "VipsForeignLoadTiffBuffer", "VipsForeignLoadTiffSource", "VipsForeignLoadNsgifBuffer", "VipsForeignLoadHeifBuffer",
    };
    /* JPEG XL, PDF and SVG are unlocked by cvips_enable_loader. */
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) vips_operation_block_set(allowed[i], FALSE);
    /* Taken for untrusted as a whole; its encoder only ever sees our own pixels. */
    vips_operation_block_set("VipsForeignSaveJxl", FALSE);
    return 0;
}

int cvips_start(const char *program, cvips_error *error) {
    /* libvips takes itself for started as soon as the first caller is in; a second must wait until it is. */
    static GMutex lock;
    static gboolean is_started;
    g_mutex_lock(&lock);
    int status = is_started ? 0 : start(program, error);
    is_started = status == 0;
    g_mutex_unlock(&lock);
    return status;
}

void cvips_thread_exit(void) { vips_thread_shutdown(); }
void cvips_shutdown(void) { vips_shutdown(); }
const char *cvips_version(void) { return vips_version_string(); }
size_t cvips_tracked_bytes(void) { return vips_tracked_get_mem(); }
int cvips_tracked_allocations(void) { return vips_tracked_get_allocs(); }
