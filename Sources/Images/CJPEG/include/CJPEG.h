#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/* The face of libjpeg for Swift: JPEG files as planes of samples, as they are stored. What libjpeg does on an error, which
 * is a jump out of its frames, never leaves this target. */

typedef struct cjpeg_reader cjpeg_reader;

enum { CJPEG_PLANE_LIMIT = 3, CJPEG_LOG_SIZE = 200 };

typedef enum {
    CJPEG_DONE = 0,
    CJPEG_CORRUPT = 1,   /* the file breaks off or makes no sense */
    CJPEG_UNUSUAL = 2,   /* sound or not, it is not of a kind that is read here */
    CJPEG_STOPPED = 3,   /* should_stop said so */
    CJPEG_EXHAUSTED = 4, /* no memory */
} cjpeg_status;

/* One plane: luma, or one of the two of chroma. Its samples cover the picture evenly, the first sample from its corner. */
typedef struct {
    int width, height;             /* samples */
    double per_column, per_row;    /* samples per pixel of the picture */
    int strip_rows;                /* rows that one strip brings */
} cjpeg_plane;

typedef struct {
    int width, height; /* of the picture, in pixels */
    int planes;        /* 1: grey; 3: YCbCr of JFIF */
    cjpeg_plane plane[CJPEG_PLANE_LIMIT];
} cjpeg_frame;

typedef struct {
    const uint8_t *first;
    size_t stride;
} cjpeg_rows;

/* Reads the header of `data`, which must outlive the reader. On CJPEG_DONE `*out` is released with cjpeg_reader_free. The
 * planes of `frame` are those of full size. Only what has one plane, or three of YCbCr, is read here. */
cjpeg_status cjpeg_open(const uint8_t *data, size_t length, cjpeg_reader **out, cjpeg_frame *frame, char *log);
/* Begins to decode: of 8 samples along either axis of a plane `size[plane]` are made, 1, 2, 4 or 8. `frame` says what
 * comes, which may be larger. A file of several scans is read as a whole here; `should_stop` is asked meanwhile. */
cjpeg_status cjpeg_start(cjpeg_reader *reader, const int *size, cjpeg_frame *frame, int (*should_stop)(void *),
                         void *context, char *log);
/* The next strip of every plane, from top to bottom, valid until the next call. */
cjpeg_status cjpeg_read(cjpeg_reader *reader, cjpeg_rows *rows, char *log);
void cjpeg_reader_free(cjpeg_reader *reader);

typedef struct cjpeg_writer cjpeg_writer;

typedef struct {
    int width, height;
    int bands;           /* 1: grey; 3: RGB; 4: RGB and a byte that is not looked at */
    int quality;         /* 1–100 */
    int is_progressive;
    int is_optimised;    /* Huffman tables for this picture: memory for all of it */
    int has_full_chroma; /* no samples of color are shared by neighbours */
} cjpeg_settings;

/* Begins a file, without metadata. On CJPEG_DONE `*out` is released with cjpeg_writer_free. */
cjpeg_status cjpeg_writer_open(const cjpeg_settings *settings, cjpeg_writer **out, char *log);
/* The next rows, from top to bottom. */
cjpeg_status cjpeg_write(cjpeg_writer *writer, const uint8_t *rows, size_t stride, int count, char *log);
/* Ends the file after its last row: where it is progressive or has tables of its own, all passes but the first are made
 * here, and `should_stop` is asked meanwhile; after CJPEG_STOPPED the writer can only be freed. `*data` is from malloc. */
cjpeg_status cjpeg_finish(cjpeg_writer *writer, int (*should_stop)(void *), void *context, uint8_t **data,
                          size_t *length, char *log);
void cjpeg_writer_free(cjpeg_writer *writer);

/* A JPEG, coded once more in segments that need nothing before them. No coefficient differs. */
typedef struct {
    int width, height;                 /* of the picture, in pixels */
    int segment_width, segment_height; /* what each segment covers, in pixels; the last ones reach beyond the picture */
    int columns, rows;                 /* segments; each row has the same number of units (MCU) in each of them */
    uint8_t *head;                     /* from DQT to SOS, of a file that is restarted after each segment */
    size_t head_length, size_offset;   /* there it has the height and then the width, two bytes each */
    uint16_t *lengths;                 /* of all segments, row by row */
    uint8_t *data;
    size_t length;
} cjpeg_segments;

/* Holds all coefficients: 2 bytes for each sample. CJPEG_UNUSUAL also for what has any fault, or lacks scans. After CJPEG_DONE
 * `segments` is released with cjpeg_segments_free. */
cjpeg_status cjpeg_split(const uint8_t *data, size_t length, int (*should_stop)(void *), void *context,
                         cjpeg_segments *segments, char *log);
void cjpeg_segments_free(cjpeg_segments *segments);

#endif
