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

static const unsigned char script[] = {
#embed "veduta.js"
};

static const unsigned char card_article[] = {
#embed "cards/article.json"
};

static const unsigned char card_place[] = {
#embed "cards/place.json"
};

static const unsigned char card_quote[] = {
#embed "cards/quote.json"
};

static const unsigned char common_css[] = {
#embed "pages/common.css"
};

static const unsigned char viewer_css[] = {
#embed "pages/viewer.css"
};

static const unsigned char viewer_js[] = {
#embed "pages/viewer.js"
};

static const unsigned char viewer_geometry_js[] = {
#embed "pages/viewer-geometry.js"
};

static const unsigned char viewer_input_js[] = {
#embed "pages/viewer-input.js"
};

static const unsigned char viewer_hash_js[] = {
#embed "pages/viewer-hash.js"
};

static const unsigned char viewer_pictures_js[] = {
#embed "pages/viewer-pictures.js"
};

static const unsigned char viewer_strips_js[] = {
#embed "pages/viewer-strips.js"
};

static const unsigned char viewer_zoom_js[] = {
#embed "pages/viewer-zoom.js"
};

static const unsigned char viewer_model_js[] = {
#embed "pages/viewer-model.js"
};

static const unsigned char viewer_bar_js[] = {
#embed "pages/viewer-bar.js"
};

static const unsigned char common_js[] = {
#embed "pages/common.js"
};

static const unsigned char gestures_js[] = {
#embed "pages/gestures.js"
};

static const unsigned char descriptions_json[] = {
#embed "pages/descriptions.json"
};

static const unsigned char parameters_json[] = {
#embed "pages/parameters.json"
};

static const unsigned char parameters_more_json[] = {
#embed "pages/parameters-more.json"
};

static const unsigned char playground_code_js[] = {
#embed "pages/playground-code.js"
};

static const unsigned char playground_controls_js[] = {
#embed "pages/playground-controls.js"
};

static const unsigned char playground_details_js[] = {
#embed "pages/playground-details.js"
};

static const unsigned char playground_export_js[] = {
#embed "pages/playground-export.js"
};

static const unsigned char playground_library_js[] = {
#embed "pages/playground-library.js"
};

static const unsigned char playground_line_js[] = {
#embed "pages/playground-line.js"
};

static const unsigned char playground_looks_js[] = {
#embed "pages/playground-looks.js"
};

static const unsigned char playground_map_js[] = {
#embed "pages/playground-map.js"
};

static const unsigned char playground_query_js[] = {
#embed "pages/playground-query.js"
};

static const unsigned char playground_stage_js[] = {
#embed "pages/playground-stage.js"
};

static const unsigned char playground_token_js[] = {
#embed "pages/playground-token.js"
};

static const unsigned char playground_css[] = {
#embed "pages/playground.css"
};

static const unsigned char playground_js[] = {
#embed "pages/playground.js"
};

static const unsigned char maps_token_js[] = {
#embed "pages/maps-token.js"
};

static const unsigned char maps_css[] = {
#embed "pages/maps.css"
};

static const unsigned char maps_js[] = {
#embed "pages/maps.js"
};

static const unsigned char slippy_css[] = {
#embed "pages/slippy.css"
};

static const unsigned char slippy_js[] = {
#embed "pages/slippy.js"
};

/* A line for each file of the folder `pages`. */
static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} pages[] = {
    {"common.css", common_css, sizeof common_css},
    {"common.js", common_js, sizeof common_js},
    {"descriptions.json", descriptions_json, sizeof descriptions_json},
    {"gestures.js", gestures_js, sizeof gestures_js},
    {"parameters.json", parameters_json, sizeof parameters_json},
    {"parameters-more.json", parameters_more_json, sizeof parameters_more_json},
    {"playground-code.js", playground_code_js, sizeof playground_code_js},
    {"playground-controls.js", playground_controls_js, sizeof playground_controls_js},
    {"playground-details.js", playground_details_js, sizeof playground_details_js},
    {"playground-export.js", playground_export_js, sizeof playground_export_js},
    {"playground-library.js", playground_library_js, sizeof playground_library_js},
    {"playground-line.js", playground_line_js, sizeof playground_line_js},
    {"playground-looks.js", playground_looks_js, sizeof playground_looks_js},
    {"playground-map.js", playground_map_js, sizeof playground_map_js},
    {"playground-query.js", playground_query_js, sizeof playground_query_js},
    {"playground-stage.js", playground_stage_js, sizeof playground_stage_js},
    {"playground-token.js", playground_token_js, sizeof playground_token_js},
    {"playground.css", playground_css, sizeof playground_css},
    {"playground.js", playground_js, sizeof playground_js},
    {"maps-token.js", maps_token_js, sizeof maps_token_js},
    {"maps.css", maps_css, sizeof maps_css},
    {"maps.js", maps_js, sizeof maps_js},
    {"slippy.css", slippy_css, sizeof slippy_css},
    {"slippy.js", slippy_js, sizeof slippy_js},
    {"viewer-model.js", viewer_model_js, sizeof viewer_model_js},
    {"viewer-bar.js", viewer_bar_js, sizeof viewer_bar_js},
    {"viewer.css", viewer_css, sizeof viewer_css},
    {"viewer.js", viewer_js, sizeof viewer_js},
    {"viewer-geometry.js", viewer_geometry_js, sizeof viewer_geometry_js},
    {"viewer-input.js", viewer_input_js, sizeof viewer_input_js},
    {"viewer-hash.js", viewer_hash_js, sizeof viewer_hash_js},
    {"viewer-pictures.js", viewer_pictures_js, sizeof viewer_pictures_js},
    {"viewer-strips.js", viewer_strips_js, sizeof viewer_strips_js},
    {"viewer-zoom.js", viewer_zoom_js, sizeof viewer_zoom_js},
};

const char *cresources_page_name(size_t index) {
    return index < sizeof pages / sizeof pages[0] ? pages[index].name : NULL;
}

const unsigned char *cresources_page(size_t index, size_t *count) {
    *count = pages[index].count;
    return pages[index].bytes;
}

#define EMBEDDED(name) \
    const unsigned char *cresources_##name(size_t *count) { \
        *count = sizeof name; \
        return name; \
    }

EMBEDDED(world_archive)
EMBEDDED(city_archive)
EMBEDDED(openapi)
EMBEDDED(light_style)
EMBEDDED(dark_style)
EMBEDDED(script)
EMBEDDED(card_article)
EMBEDDED(card_place)
EMBEDDED(card_quote)
