#include "CResources.h"

/* C's #embed keeps the program one file: no resource folder to find at run time, and no Foundation to find it with. */
static const unsigned char world_archive[] = {
#embed "world.pmtiles"
};

static const unsigned char city_archive[] = {
#embed "city.pmtiles"
};

static const unsigned char openapi[] = {
#embed "../../../openapi.yaml"
};

static const unsigned char light_style[] = {
#embed "light.json"
};

static const unsigned char dark_style[] = {
#embed "dark.json"
};

const unsigned char *cresources_world_archive(size_t *count) {
    *count = sizeof world_archive;
    return world_archive;
}

const unsigned char *cresources_city_archive(size_t *count) {
    *count = sizeof city_archive;
    return city_archive;
}

const unsigned char *cresources_openapi(size_t *count) {
    *count = sizeof openapi;
    return openapi;
}

const unsigned char *cresources_light_style(size_t *count) {
    *count = sizeof light_style;
    return light_style;
}

const unsigned char *cresources_dark_style(size_t *count) {
    *count = sizeof dark_style;
    return dark_style;
}
