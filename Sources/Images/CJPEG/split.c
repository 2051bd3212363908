#include "CJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

/* A JPEG is one stream of bits, in which a block can be found only by decoding all before it. Here the coefficients are
 * written again, by the same quantisation, so that each segment of a few blocks begins at a byte with predictions of zero. A
 * selection of segments with restart markers between them is then a sound JPEG of its own. */

enum {
    HEAD_SIZE = 2048,
    LARGEST_SEGMENT = 8, /* units */
    /* Ten blocks in a unit; no coefficient takes more than 26 bits, and stuffing doubles them. */
    SEGMENT_ROOM = LARGEST_SEGMENT * 10 * 64 * 8,
    DC_CATEGORIES = 11,
    AC_CATEGORIES = 10,
};

_Static_assert(SEGMENT_ROOM < 65536, "lengths have 16 bits");

static const uint8_t natural_order[DCTSIZE2] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

typedef struct {
    uint16_t code[256];
    uint8_t size[256];
} huffman_codes;

typedef struct {
    struct jpeg_decompress_struct state;
    struct jpeg_compress_struct tables; /* for the tables of ITU-T T.81 Annex K alone */
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    cjpeg_status status;
    char text[JMSG_LENGTH_MAX];
    int (*should_stop)(void *);
    void *context;
    huffman_codes dc[2], ac[2];
    cjpeg_segments out;
    size_t room;
    uint64_t bits;
    int bit_count;
} splitter;

static _Noreturn void leave(splitter *work, cjpeg_status status) {
    work->status = status;
    longjmp(work->escape, 1);
}

static void on_error(j_common_ptr state) {
    splitter *work = state->client_data;
    work->errors.format_message(state, work->text);
    leave(work, work->errors.msg_code == JERR_OUT_OF_MEMORY ? CJPEG_EXHAUSTED : CJPEG_UNUSUAL);
}

/* Decoders differ in what they make of faults. */
static void on_message(j_common_ptr state, int level) {
    if (level < 0) on_error(state);
}

static void drop_message(j_common_ptr state) { (void)state; }

static void check_stop(splitter *work) {
    if (work->should_stop && work->should_stop(work->context)) leave(work, CJPEG_STOPPED);
}

static void on_progress(j_common_ptr state) { check_stop(state->client_data); }

/* Annex C: codes of one length follow each other. */
static void make_codes(huffman_codes *codes, const JHUFF_TBL *table) {
    unsigned code = 0;
    int place = 0;
    for (int size = 1; size <= 16; size++, code <<= 1) {
        for (int i = 0; i < table->bits[size] && place < 256; i++, place++, code++) {
            codes->code[table->huffval[place]] = (uint16_t)code;
            codes->size[table->huffval[place]] = (uint8_t)size;
        }
    }
}

static void put_bits(splitter *work, unsigned value, int size) {
    cjpeg_segments *out = &work->out;
    work->bits = work->bits << size | value;
    work->bit_count += size;
    while (work->bit_count >= 8) {
        work->bit_count -= 8;
        uint8_t byte = (uint8_t)(work->bits >> work->bit_count);
        out->data[out->length++] = byte;
        if (byte == 0xff) out->data[out->length++] = 0;
    }
}

static int category(int value) {
    int count = 0;
    for (unsigned rest = (unsigned)abs(value); rest; rest >>= 1) count++;
    return count;
}

/* `run` zeros before it, and what it is. */
static void put_number(splitter *work, const huffman_codes *codes, int run, int value, int most) {
    int size = category(value), symbol = run << 4 | size;
    if (size > most || !codes->size[symbol]) leave(work, CJPEG_UNUSUAL);
    put_bits(work, codes->code[symbol], codes->size[symbol]);
    if (size) put_bits(work, (unsigned)(value < 0 ? value - 1 : value) & ((1u << size) - 1), size);
}

static void put_block(splitter *work, const JCOEF *block, int table, int *last) {
    put_number(work, &work->dc[table], 0, block[0] - *last, DC_CATEGORIES);
    *last = block[0];
    const huffman_codes *codes = &work->ac[table];
    int run = 0;
    for (int i = 1; i < DCTSIZE2; i++) {
        int value = block[natural_order[i]];
        if (!value) {
            run++;
            continue;
        }
        for (; run > 15; run -= 16) put_bits(work, codes->code[0xf0], codes->size[0xf0]);
        put_number(work, codes, run, value, AC_CATEGORIES);
        run = 0;
    }
    if (run) put_bits(work, codes->code[0], codes->size[0]);
}

/* Room for one more segment. */
static void make_room(splitter *work) {
    cjpeg_segments *out = &work->out;
    if (work->room - out->length >= SEGMENT_ROOM) return;
    size_t room = work->room + work->room / 2 + SEGMENT_ROOM;
    uint8_t *data = realloc(out->data, room);
    if (!data) leave(work, CJPEG_EXHAUSTED);
    out->data = data;
    work->room = room;
}

/* A file of one plane has units of one block, whatever factors it names. */
static int across(const splitter *work, int plane) {
    return work->state.num_components == 1 ? 1 : work->state.comp_info[plane].h_samp_factor;
}

static int down(const splitter *work, int plane) {
    return work->state.num_components == 1 ? 1 : work->state.comp_info[plane].v_samp_factor;
}

static void write_rows(splitter *work, jvirt_barray_ptr *planes, int units) {
    cjpeg_segments *out = &work->out;
    j_decompress_ptr state = &work->state;
    uint16_t *length = out->lengths;
    for (int row = 0; row < out->rows; row++) {
        check_stop(work);
        JBLOCKARRAY blocks[CJPEG_PLANE_LIMIT];
        for (int i = 0; i < state->num_components; i++)
            blocks[i] = state->mem->access_virt_barray((j_common_ptr)state, planes[i], (JDIMENSION)(row * down(work, i)),
                                                       (JDIMENSION)down(work, i), FALSE);
        for (int column = 0; column < out->columns; column++) {
            make_room(work);
            size_t start = out->length;
            int last[CJPEG_PLANE_LIMIT] = {0};
            for (int unit = column * units; unit < (column + 1) * units; unit++) {
                for (int i = 0; i < state->num_components; i++) {
                    for (int y = 0; y < down(work, i); y++) {
                        for (int x = 0; x < across(work, i); x++)
                            put_block(work, blocks[i][y][unit * across(work, i) + x], i > 0, &last[i]);
                    }
                }
            }
            /* Ones up to the byte. */
            if (work->bit_count) put_bits(work, (1u << (8 - work->bit_count)) - 1, 8 - work->bit_count);
            *length++ = (uint16_t)(out->length - start);
        }
    }
}

static void put_byte(cjpeg_segments *out, int byte) { out->head[out->head_length++] = (uint8_t)byte; }

static void put_word(cjpeg_segments *out, int word) {
    put_byte(out, word >> 8 & 0xff);
    put_byte(out, word & 0xff);
}

static void put_marker(cjpeg_segments *out, int marker, int length) {
    put_byte(out, 0xff);
    put_byte(out, marker);
    put_word(out, length);
}

static void write_tables(splitter *work, const JHUFF_TBL *table, int number) {
    int count = 0;
    for (int size = 1; size <= 16; size++) count += table->bits[size];
    put_marker(&work->out, 0xc4, 2 + 1 + 16 + count);
    put_byte(&work->out, number);
    for (int size = 1; size <= 16; size++) put_byte(&work->out, table->bits[size]);
    for (int i = 0; i < count; i++) put_byte(&work->out, table->huffval[i]);
}

/* ITU-T T.81 Annex B. At most 1,000 bytes. */
static void write_head(splitter *work, int units) {
    cjpeg_segments *out = &work->out;
    j_decompress_ptr state = &work->state;
    int is_long = 0;
    for (int i = 0; i < state->num_components; i++) {
        for (int k = 0; k < DCTSIZE2; k++) is_long |= state->comp_info[i].quant_table->quantval[k] > 255;
    }
    for (int i = 0; i < state->num_components; i++) {
        put_marker(out, 0xdb, 2 + 1 + DCTSIZE2 * (is_long ? 2 : 1));
        put_byte(out, (is_long ? 0x10 : 0) | i);
        for (int k = 0; k < DCTSIZE2; k++) {
            int step = state->comp_info[i].quant_table->quantval[natural_order[k]];
            if (is_long) put_word(out, step); else put_byte(out, step);
        }
    }
    /* The baseline process has steps of 8 bits. */
    put_marker(out, is_long ? 0xc1 : 0xc0, 8 + 3 * state->num_components);
    put_byte(out, 8);
    out->size_offset = out->head_length;
    put_word(out, 0);
    put_word(out, 0);
    put_byte(out, state->num_components);
    for (int i = 0; i < state->num_components; i++) {
        put_byte(out, state->comp_info[i].component_id);
        put_byte(out, across(work, i) << 4 | down(work, i));
        put_byte(out, i);
    }
    for (int i = 0; i < (state->num_components > 1 ? 2 : 1); i++) {
        write_tables(work, work->tables.dc_huff_tbl_ptrs[i], i);
        write_tables(work, work->tables.ac_huff_tbl_ptrs[i], 0x10 | i);
    }
    put_marker(out, 0xdd, 4);
    put_word(out, units);
    put_marker(out, 0xda, 6 + 2 * state->num_components);
    put_byte(out, state->num_components);
    for (int i = 0; i < state->num_components; i++) {
        put_byte(out, state->comp_info[i].component_id);
        put_byte(out, i > 0 ? 0x11 : 0);
    }
    put_byte(out, 0);
    put_byte(out, DCTSIZE2 - 1);
    put_byte(out, 0);
}

static int is_power(int factor) { return factor == 1 || factor == 2 || factor == 4; }

/* Grey, and YCbCr whose planes fit into each other, all of whose scans are there. */
static int is_usual(const struct jpeg_decompress_struct *state) {
    if (state->data_precision != 8) return 0;
    if (state->num_components == 1) return state->jpeg_color_space == JCS_GRAYSCALE;
    if (state->num_components != 3 || state->jpeg_color_space != JCS_YCbCr) return 0;
    if (!is_power(state->max_h_samp_factor) || !is_power(state->max_v_samp_factor)) return 0;
    int blocks = 0;
    for (int i = 0; i < 3; i++) {
        const jpeg_component_info *component = &state->comp_info[i];
        if (!is_power(component->h_samp_factor) || !is_power(component->v_samp_factor)) return 0;
        blocks += component->h_samp_factor * component->v_samp_factor;
    }
    /* The most of an interleaved unit (B.2.3). */
    return blocks <= 10;
}

static int is_whole(const struct jpeg_decompress_struct *state) {
    for (int i = 0; i < state->num_components; i++) {
        if (!state->comp_info[i].quant_table) return 0;
        if (!state->progressive_mode || !state->coef_bits) continue;
        for (int k = 0; k < DCTSIZE2; k++) {
            if (state->coef_bits[i][k]) return 0;
        }
    }
    return 1;
}

static void take_tables(splitter *work) {
    jpeg_create_compress(&work->tables);
    work->tables.input_components = 3;
    work->tables.in_color_space = JCS_RGB;
    jpeg_set_defaults(&work->tables);
    for (int i = 0; i < 2; i++) {
        make_codes(&work->dc[i], work->tables.dc_huff_tbl_ptrs[i]);
        make_codes(&work->ac[i], work->tables.ac_huff_tbl_ptrs[i]);
    }
}

static void split(splitter *work, const uint8_t *data, size_t length) {
    cjpeg_segments *out = &work->out;
    j_decompress_ptr state = &work->state;
    take_tables(work);
    jpeg_create_decompress(state);
    work->progress.progress_monitor = on_progress;
    state->progress = &work->progress;
    jpeg_mem_src(state, data, length);
    jpeg_read_header(state, TRUE);
    if (!is_usual(state)) leave(work, CJPEG_UNUSUAL);
    jvirt_barray_ptr *planes = jpeg_read_coefficients(state);
    if (!planes || !is_whole(state)) leave(work, CJPEG_UNUSUAL);

    int is_grey = state->num_components == 1;
    int unit_width = DCTSIZE * (is_grey ? 1 : state->max_h_samp_factor);
    int unit_height = DCTSIZE * (is_grey ? 1 : state->max_v_samp_factor);
    out->width = (int)state->image_width;
    out->height = (int)state->image_height;
    int across_units = (out->width + unit_width - 1) / unit_width;
    /* All segments of a file have the same number of units, so that they can stand in any selection. */
    int units = LARGEST_SEGMENT;
    while (across_units % units) units--;
    out->segment_width = unit_width * units;
    out->segment_height = unit_height;
    out->columns = across_units / units;
    out->rows = (out->height + unit_height - 1) / unit_height;
    out->head = malloc(HEAD_SIZE);
    out->lengths = calloc((size_t)out->columns * (size_t)out->rows, sizeof *out->lengths);
    work->room = length + length / 8 + SEGMENT_ROOM;
    out->data = malloc(work->room);
    if (!out->head || !out->lengths || !out->data) leave(work, CJPEG_EXHAUSTED);
    write_head(work, units);
    write_rows(work, planes, units);
}

cjpeg_status cjpeg_split(const uint8_t *data, size_t length, int (*should_stop)(void *), void *context,
                         cjpeg_segments *segments, char *log) {
    memset(segments, 0, sizeof *segments);
    splitter *work = calloc(1, sizeof *work);
    if (!work) return CJPEG_EXHAUSTED;
    work->status = CJPEG_DONE;
    work->should_stop = should_stop;
    work->context = context;
    work->state.err = work->tables.err = jpeg_std_error(&work->errors);
    work->state.client_data = work->tables.client_data = work;
    work->errors.error_exit = on_error;
    work->errors.emit_message = on_message;
    work->errors.output_message = drop_message;
    if (!setjmp(work->escape)) split(work, data, length);
    cjpeg_status status = work->status;
    snprintf(log, CJPEG_LOG_SIZE, "%.*s", CJPEG_LOG_SIZE - 1, work->text);
    if (status == CJPEG_DONE) *segments = work->out; else cjpeg_segments_free(&work->out);
    jpeg_destroy_decompress(&work->state);
    jpeg_destroy_compress(&work->tables);
    free(work);
    return status;
}

void cjpeg_segments_free(cjpeg_segments *segments) {
    free(segments->head);
    free(segments->lengths);
    free(segments->data);
    memset(segments, 0, sizeof *segments);
}
