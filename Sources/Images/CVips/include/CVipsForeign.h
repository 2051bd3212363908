#ifndef CVIPS_FOREIGN_H
#define CVIPS_FOREIGN_H

/* Loaders and savers. CVIPS_HEIF stands for AVIF and HEIC; it is written as AVIF. PDF and SVG are only read. */
typedef enum {
    CVIPS_JPEG = 0,
    CVIPS_PNG = 1,
    CVIPS_WEBP = 2,
    CVIPS_GIF = 3,
    CVIPS_TIFF = 4,
    CVIPS_HEIF = 5,
    CVIPS_JXL = 6,
    CVIPS_PDF = 7,
    CVIPS_SVG = 8,
} cvips_format;

/* Unlocks the loader of JPEG XL, PDF or SVG, which cvips_start leaves blocked. After cvips_start. */
void cvips_enable_loader(cvips_format format);
/* Whether this libvips has a loader (or saver) of the format. */
int cvips_has_loader(cvips_format format);
int cvips_has_saver(cvips_format format);

typedef struct {
    int page;       /* first page, from 0 */
    int page_count; /* pages one below the other, all of one size; 1 or more */
    int shrink;     /* JPEG: 1, 2, 4, 8 */
    double scale;   /* PDF, SVG: times the size that the drawing gives itself */
    int level;      /* TIFF: which reduction inside the page, from 0; -1 is the page itself */
    size_t directory; /* TIFF: where the only directory that is read begins; 0: all are, and `page` counts them */
    size_t link;      /* TIFF: where that directory names the next one */
} cvips_load_options;

/* Lazy. `data` must outlive `*out` and all that is derived from it. */
int cvips_load(cvips_format format, const void *data, size_t length, const cvips_load_options *options,
               VipsImage **out, cvips_error *error);

/* An image like `plain` whose pixels come from `decode`: called once, when the first of them is asked for, on whatever
 * thread asks; returns packed rows from malloc, or NULL, upon which they come from `plain` after all; it may say that memory
 * ran out. `release` is called with the context when the image is gone, and also on failure. */
int cvips_defer(VipsImage *plain, void *(*decode)(void *context, int *is_exhausted), void (*release)(void *context),
                void *context, VipsImage **out, cvips_error *error);

/* As cvips_defer, of 8 bits and three or four bands; without pixels from `decode` there are none. */
int cvips_defer_alone(int width, int height, int bands, void *(*decode)(void *context, int *is_exhausted),
                      void (*release)(void *context), void *context, VipsImage **out, cvips_error *error);

/* What the loader said about the file. */
int cvips_page_height(VipsImage *image);
int cvips_loop_count(VipsImage *image);  /* 0 is for ever */
int cvips_sample_bits(VipsImage *image); /* of the file where the loader says so, else of the pixels */
int cvips_is_16bit(VipsImage *image);    /* unsigned */
/* Copies up to `room` delays in milliseconds; returns how many there are, 0 without any. */
int cvips_delays(VipsImage *image, int *delays, int room);
/* 0 and the bytes, which live as long as the image, where it has metadata of this name: "exif-data", "xmp-data". */
int cvips_metadata(VipsImage *image, const char *name, const void **data, size_t *length);

typedef struct {
    int quality;
    int effort; /* in the encoder's own measure; -1 is its default */
    int is_lossless;
    int is_progressive;
    int is_quantized; /* GIF: at most 256 colors, which stay */
    int has_full_chroma; /* AVIF: 4:4:4, else 4:2:0 */
    int page_height; /* 0: one page */
    int loop_count;
    const int *delays; /* milliseconds; one per frame or none */
    int delay_count;
    const void *profile; /* NULL: none */
    size_t profile_length;
    const void *exif;
    size_t exif_length;
    const void *xmp;
    size_t xmp_length;
} cvips_save_options;

/* `*data` is released with cvips_free. Metadata of `in` itself is not written. */
int cvips_save(cvips_format format, VipsImage *in, const cvips_save_options *options, void **data, size_t *length,
               cvips_error *error);
/* A tiled TIFF with reductions inside its page or as pages behind it: for tests. */
int cvips_save_pyramid(VipsImage *in, int is_inside, void **data, size_t *length, cvips_error *error);
void cvips_free(void *data);
/* Gives back the memory of a saver's buffer behind `length` bytes, at least 1; returns where the buffer is now. */
void *cvips_shrink(void *data, size_t length);

#endif
