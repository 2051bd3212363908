#include "CResources.h"

/* C's #embed keeps the program one file: no resource folder to find at run time, and no Foundation to find it with. */
static const unsigned char world_archive[] = {
#embed "world.pmtiles"
};

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

const unsigned char *cresources_world_archive(size_t *count) {
    *count = sizeof world_archive;
    return world_archive;
}

const unsigned char *cresources_openapi(size_t *count) {
    *count = sizeof openapi;
    return openapi;
}
