#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

/* Files that are part of the program; the memory lives as long as the process. */
const unsigned char *cresources_world_archive(size_t *count);
const unsigned char *cresources_city_archive(size_t *count);
const unsigned char *cresources_openapi(size_t *count);
const unsigned char *cresources_light_style(size_t *count);
const unsigned char *cresources_dark_style(size_t *count);
const unsigned char *cresources_script(size_t *count);
const unsigned char *cresources_card_article(size_t *count);
const unsigned char *cresources_card_place(size_t *count);
const unsigned char *cresources_card_quote(size_t *count);

/* Files of web pages: NULL where there is no name at `index`. */
const char *cresources_page_name(size_t index);
/* Of an `index` that has a name. */
const unsigned char *cresources_page(size_t index, size_t *count);

#endif
