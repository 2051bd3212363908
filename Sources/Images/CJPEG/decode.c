#include "CJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

/* Files are read as raw planes: chroma stays at its own resolution, which for most photographs is a quarter of luma's, is
 * shrunk by its own factor, and is neither blown up nor turned into RGB at the size of the source. Both are done with the
 * few pixels that are left after resampling. */

struct cjpeg_reader {
    struct jpeg_decompress_struct state;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    cjpeg_status status;
    char text[JMSG_LENGTH_MAX];
    void (*realize)(j_common_ptr);
    int size[CJPEG_PLANE_LIMIT];
    int (*should_stop)(void *);
    void *context;
    uint8_t *samples[CJPEG_PLANE_LIMIT];
    size_t stride[CJPEG_PLANE_LIMIT];
    JSAMPROW *rows[CJPEG_PLANE_LIMIT];
};

static cjpeg_reader *reader_of(j_common_ptr state) { return state->client_data; }

static _Noreturn void leave(cjpeg_reader *reader, cjpeg_status status) {
    reader->status = status;
    longjmp(reader->escape, 1);
}

static void on_error(j_common_ptr state) {
    cjpeg_reader *reader = reader_of(state);
    reader->errors.format_message(state, reader->text);
    leave(reader, reader->errors.msg_code == JERR_OUT_OF_MEMORY ? CJPEG_EXHAUSTED : CJPEG_CORRUPT);
}

/* A file that ends early is an error, not a picture with a grey half. Other warnings are about a few blocks. */
static void on_message(j_common_ptr state, int level) {
    if (level < 0 && reader_of(state)->errors.msg_code == JWRN_JPEG_EOF) on_error(state);
}

static void drop_message(j_common_ptr state) { (void)state; }

static void on_progress(j_common_ptr state) {
    cjpeg_reader *reader = reader_of(state);
    if (reader->should_stop && reader->should_stop(reader->context)) leave(reader, CJPEG_STOPPED);
}

static int samples_per_block(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

/* Called while the decoder is being built, after libjpeg has chosen how far each plane is shrunk (it would rather have
 * chroma as large as luma) and before anything depends on it. What comes out is read back by `describe`. */
static void choose_sizes(j_common_ptr common) {
    cjpeg_reader *reader = reader_of(common);
    j_decompress_ptr state = &reader->state;
#if JPEG_LIB_VERSION < 70
    for (int i = 0; i < state->num_components; i++) state->comp_info[i].DCT_scaled_size = reader->size[i];
#endif
    reader->realize(common);
}

static int divided_up(long dividend, long divisor) { return (int)((dividend + divisor - 1) / divisor); }

static void describe(cjpeg_reader *reader, cjpeg_frame *frame) {
    j_decompress_ptr state = &reader->state;
    frame->width = (int)state->image_width;
    frame->height = (int)state->image_height;
    frame->planes = state->num_components;
    for (int i = 0; i < state->num_components; i++) {
        const jpeg_component_info *component = &state->comp_info[i];
        cjpeg_plane *plane = &frame->plane[i];
        int across = component->h_samp_factor * reader->size[i], down = component->v_samp_factor * reader->size[i];
        plane->width = divided_up((long)state->image_width * across, state->max_h_samp_factor * DCTSIZE);
        plane->height = divided_up((long)state->image_height * down, state->max_v_samp_factor * DCTSIZE);
        plane->per_column = (double)across / (state->max_h_samp_factor * DCTSIZE);
        plane->per_row = (double)down / (state->max_v_samp_factor * DCTSIZE);
        plane->strip_rows = down;
    }
}

/* Grey, and YCbCr whose planes fit into each other a whole number of times. */
static int is_usual(const struct jpeg_decompress_struct *state) {
    if (state->data_precision != 8) return 0;
    if (state->num_components == 1) return state->jpeg_color_space == JCS_GRAYSCALE;
    if (state->num_components != 3 || state->jpeg_color_space != JCS_YCbCr) return 0;
    for (int i = 0; i < 3; i++) {
        const jpeg_component_info *component = &state->comp_info[i];
        if (state->max_h_samp_factor % component->h_samp_factor) return 0;
        if (state->max_v_samp_factor % component->v_samp_factor) return 0;
    }
    return 1;
}

static cjpeg_status failed(cjpeg_reader *reader, char *log) {
    memcpy(log, reader->text, CJPEG_LOG_SIZE);
    log[CJPEG_LOG_SIZE - 1] = 0;
    return reader->status;
}

cjpeg_status cjpeg_open(const uint8_t *data, size_t length, cjpeg_reader **out, cjpeg_frame *frame, char *log) {
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return CJPEG_EXHAUSTED;
    reader->state.err = jpeg_std_error(&reader->errors);
    reader->state.client_data = reader;
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    reader->errors.output_message = drop_message;
    if (setjmp(reader->escape)) {
        cjpeg_status status = failed(reader, log);
        cjpeg_reader_free(reader);
        return status;
    }
    jpeg_create_decompress(&reader->state);
    jpeg_mem_src(&reader->state, data, length);
    jpeg_read_header(&reader->state, TRUE);
    if (!is_usual(&reader->state)) {
        cjpeg_reader_free(reader);
        return CJPEG_UNUSUAL;
    }
    for (int i = 0; i < CJPEG_PLANE_LIMIT; i++) reader->size[i] = DCTSIZE;
    describe(reader, frame);
    *out = reader;
    return CJPEG_DONE;
}

/* One strip of every plane: as many rows as an interleaved row of blocks makes, as wide as its blocks are. */
static int make_room(cjpeg_reader *reader) {
    j_decompress_ptr state = &reader->state;
    for (int i = 0; i < state->num_components; i++) {
        const jpeg_component_info *component = &state->comp_info[i];
        size_t rows = (size_t)(component->v_samp_factor * reader->size[i]);
        size_t blocks = component->width_in_blocks + (size_t)component->h_samp_factor;
        reader->stride[i] = blocks * (size_t)reader->size[i];
        reader->samples[i] = calloc(rows, reader->stride[i]);
        reader->rows[i] = calloc(rows, sizeof *reader->rows[i]);
        if (!reader->samples[i] || !reader->rows[i]) return 0;
        for (size_t row = 0; row < rows; row++) reader->rows[i][row] = reader->samples[i] + row * reader->stride[i];
    }
    return 1;
}

cjpeg_status cjpeg_start(cjpeg_reader *reader, const int *size, cjpeg_frame *frame, int (*should_stop)(void *),
                         void *context, char *log) {
    j_decompress_ptr state = &reader->state;
    if (setjmp(reader->escape)) {
        reader->should_stop = NULL;
        return failed(reader, log);
    }
    memcpy(reader->size, size, sizeof reader->size);
    reader->should_stop = should_stop;
    reader->context = context;
    reader->progress.progress_monitor = on_progress;
    state->progress = &reader->progress;
    reader->realize = state->mem->realize_virt_arrays;
    state->mem->realize_virt_arrays = choose_sizes;
    state->raw_data_out = TRUE;
    state->scale_num = (unsigned)size[0];
    state->scale_denom = DCTSIZE;
    jpeg_start_decompress(state);
    reader->should_stop = NULL;
    for (int i = 0; i < state->num_components; i++) reader->size[i] = samples_per_block(&state->comp_info[i]);
    describe(reader, frame);
    return make_room(reader) ? CJPEG_DONE : CJPEG_EXHAUSTED;
}

cjpeg_status cjpeg_read(cjpeg_reader *reader, cjpeg_rows *rows, char *log) {
    j_decompress_ptr state = &reader->state;
    if (setjmp(reader->escape)) return failed(reader, log);
    JDIMENSION most = (JDIMENSION)(state->max_v_samp_factor * DCTSIZE);
    if (state->output_scanline >= state->output_height || !jpeg_read_raw_data(state, reader->rows, most)) {
        strcpy(log, "no more rows");
        return CJPEG_CORRUPT;
    }
    for (int i = 0; i < state->num_components; i++)
        rows[i] = (cjpeg_rows){.first = reader->samples[i], .stride = reader->stride[i]};
    return CJPEG_DONE;
}

void cjpeg_reader_free(cjpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->state);
    for (int i = 0; i < CJPEG_PLANE_LIMIT; i++) {
        free(reader->samples[i]);
        free(reader->rows[i]);
    }
    free(reader);
}
