#include "CJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

/* Steps of quality 50. They grow more slowly with frequency than those of Annex K of ITU-T T.81, so that for as many bytes
 * fine detail keeps more of its shape; chroma has larger ones, because it is seen less sharply. */
static const unsigned int luma_steps[DCTSIZE2] = {
    16, 16, 16, 17, 22, 30, 42, 59,
    16, 16, 19, 24, 28, 32, 40, 53,
    16, 19, 21, 26, 34, 46, 62, 85,
    17, 24, 26, 32, 40, 53, 70, 96,
    22, 28, 34, 40, 50, 64, 83, 112,
    30, 32, 46, 53, 64, 80, 102, 135,
    42, 40, 62, 70, 83, 102, 129, 167,
    59, 53, 85, 96, 112, 135, 167, 211,
};
static const unsigned int chroma_steps[DCTSIZE2] = {
    22, 22, 22, 24, 31, 42, 59, 83,
    22, 23, 26, 33, 40, 45, 57, 75,
    22, 26, 30, 37, 48, 64, 87, 120,
    24, 33, 37, 45, 57, 74, 99, 134,
    31, 40, 48, 57, 70, 90, 117, 157,
    42, 45, 64, 74, 90, 112, 143, 188,
    59, 57, 87, 99, 117, 143, 181, 233,
    83, 75, 120, 134, 157, 188, 233, 296,
};

struct cjpeg_writer {
    struct jpeg_compress_struct state;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr target;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    cjpeg_status status;
    char text[JMSG_LENGTH_MAX];
    uint8_t *data;
    size_t room;
    int (*should_stop)(void *);
    void *context;
};

static cjpeg_writer *writer_of(j_common_ptr state) { return state->client_data; }

static _Noreturn void leave(cjpeg_writer *writer, cjpeg_status status) {
    writer->status = status;
    longjmp(writer->escape, 1);
}

static void on_error(j_common_ptr state) {
    cjpeg_writer *writer = writer_of(state);
    writer->errors.format_message(state, writer->text);
    leave(writer, writer->errors.msg_code == JERR_OUT_OF_MEMORY ? CJPEG_EXHAUSTED : CJPEG_CORRUPT);
}

/* Called for every row of blocks of every pass. */
static void on_progress(j_common_ptr state) {
    cjpeg_writer *writer = writer_of(state);
    if (writer->should_stop && writer->should_stop(writer->context)) leave(writer, CJPEG_STOPPED);
}

static void drop_message(j_common_ptr state) { (void)state; }
static void drop_warning(j_common_ptr state, int level) { (void)state, (void)level; }

static void make_room(cjpeg_writer *writer, size_t room) {
    size_t used = writer->data ? writer->room : 0;
    uint8_t *data = realloc(writer->data, room);
    if (!data) leave(writer, CJPEG_EXHAUSTED);
    writer->data = data;
    writer->room = room;
    writer->target.next_output_byte = data + used;
    writer->target.free_in_buffer = room - used;
}

static void begin(j_compress_ptr state) {
    cjpeg_writer *writer = writer_of((j_common_ptr)state);
    /* About what a photograph takes. */
    make_room(writer, (size_t)state->image_width * state->image_height / 5 + 4096);
}

/* Called when all of it is used. */
static boolean grow(j_compress_ptr state) {
    cjpeg_writer *writer = writer_of((j_common_ptr)state);
    make_room(writer, writer->room * 2);
    return TRUE;
}

static void end(j_compress_ptr state) { (void)state; }

static cjpeg_status failed(cjpeg_writer *writer, char *log) {
    snprintf(log, CJPEG_LOG_SIZE, "%.*s", CJPEG_LOG_SIZE - 1, writer->text);
    return writer->status;
}

static void set_up(cjpeg_writer *writer, const cjpeg_settings *settings) {
    j_compress_ptr state = &writer->state;
    jpeg_create_compress(state);
    writer->target = (struct jpeg_destination_mgr){.init_destination = begin, .empty_output_buffer = grow,
                                                   .term_destination = end};
    state->dest = &writer->target;
    state->image_width = (JDIMENSION)settings->width;
    state->image_height = (JDIMENSION)settings->height;
    state->input_components = settings->bands;
    state->in_color_space = settings->bands == 1 ? JCS_GRAYSCALE : settings->bands == 3 ? JCS_RGB : JCS_EXT_RGBX;
    jpeg_set_defaults(state);
    int scale = jpeg_quality_scaling(settings->quality);
    jpeg_add_quant_table(state, 0, luma_steps, scale, TRUE);
    if (settings->bands != 1) {
        jpeg_add_quant_table(state, 1, chroma_steps, scale, TRUE);
        int factor = settings->has_full_chroma ? 1 : 2;
        state->comp_info[0].h_samp_factor = state->comp_info[0].v_samp_factor = factor;
    }
    state->optimize_coding = settings->is_optimised ? TRUE : FALSE;
    if (settings->is_progressive) jpeg_simple_progression(state);
    writer->progress.progress_monitor = on_progress;
    state->progress = &writer->progress;
    jpeg_start_compress(state, TRUE);
}

cjpeg_status cjpeg_writer_open(const cjpeg_settings *settings, cjpeg_writer **out, char *log) {
    *out = NULL;
    if (settings->bands != 1 && settings->bands != 3 && settings->bands != 4) return CJPEG_UNUSUAL;
    cjpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return CJPEG_EXHAUSTED;
    writer->state.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.output_message = drop_message;
    writer->errors.emit_message = drop_warning;
    writer->state.client_data = writer;
    if (setjmp(writer->escape)) {
        cjpeg_status status = failed(writer, log);
        cjpeg_writer_free(writer);
        return status;
    }
    set_up(writer, settings);
    *out = writer;
    return CJPEG_DONE;
}

cjpeg_status cjpeg_write(cjpeg_writer *writer, const uint8_t *rows, size_t stride, int count, char *log) {
    if (setjmp(writer->escape)) return failed(writer, log);
    for (int i = 0; i < count; i++) {
        JSAMPROW row = (JSAMPROW)(rows + (size_t)i * stride);
        jpeg_write_scanlines(&writer->state, &row, 1);
    }
    return CJPEG_DONE;
}

cjpeg_status cjpeg_finish(cjpeg_writer *writer, int (*should_stop)(void *), void *context, uint8_t **data,
                          size_t *length, char *log) {
    if (setjmp(writer->escape)) return failed(writer, log);
    writer->should_stop = should_stop;
    writer->context = context;
    jpeg_finish_compress(&writer->state);
    *length = writer->room - writer->target.free_in_buffer;
    uint8_t *fitting = realloc(writer->data, *length ? *length : 1);
    *data = fitting ? fitting : writer->data;
    writer->data = NULL;
    return CJPEG_DONE;
}

void cjpeg_writer_free(cjpeg_writer *writer) {
    if (!writer) return;
    jpeg_destroy_compress(&writer->state);
    free(writer->data);
    free(writer);
}
