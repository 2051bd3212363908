"""The colors of the built-in styles."""

LIGHT = {
    "earth": "#f5f2ec", "residential": "#efebe3", "farmland": "#f0f0dc", "glacier": "#fbfcfd",
    "sand": "#f2e9cf", "grass": "#dfebce", "wood": "#cfe2bd", "industrial": "#eae6e2", "institution": "#f2e9de",
    "airfield": "#e6e5eb", "park": "#d2e8c2", "cemetery": "#d5e2ca", "pitch": "#c2e1b7", "plaza": "#fbf9f5",
    "water": "#abd2e8", "ferry": "#6ea5cb", "building": "#e3dcd2", "building_line": "#d1c7b9",
    "runway": "#dcdbe3", "path": "#cbbba4", "path_bridge": "#f2eee7", "tunnel": "#f6f3ed",
    "rail": "#bcb7b1", "rail_gap": "#f3f1ee", "region": "#bdaec4", "country": "#8f7b9c", "country_halo": "#ece5ee",
    "country_far": "#ab9bb4", "disputed": "#a08dab", "dot": "#4a4a50", "dot_fill": "#ffffff",
    "roads": {"service": ("#ffffff", "#d0c8bb"), "minor": ("#ffffff", "#cbc3b5"), "medium": ("#fffdf4", "#cdbf9f"),
              "major": ("#fdeebb", "#dcc07a"), "highway": ("#fbd98a", "#d9a94f")},
    "text": {"country": "#534a5c", "region": "#83768c", "city": "#232327", "town": "#3d3d42", "village": "#55555b",
             "quarter": "#6b6670", "road": "#5a544b", "water": "#2c6a94", "park": "#46743a", "poi": "#775939",
             "peak": "#6b5340", "number": "#7d766c"},
    "halo": "#ffffff", "water_halo": "#c1deee",
}
DARK = {
    "earth": "#24272c", "residential": "#282b30", "farmland": "#272b2b", "glacier": "#343940",
    "sand": "#2f2d29", "grass": "#272f29", "wood": "#24322a", "industrial": "#2b2c31", "institution": "#2e2c2d",
    "airfield": "#2c2d34", "park": "#26352b", "cemetery": "#27302b", "pitch": "#2b3b30", "plaza": "#2f3237",
    "water": "#16293b", "ferry": "#41678a", "building": "#2d3137", "building_line": "#393e45",
    "runway": "#393b44", "path": "#5d5a51", "path_bridge": "#202327", "tunnel": "#2b2e33",
    "rail": "#4d5056", "rail_gap": "#2c2f34", "region": "#554d60", "country": "#80739a", "country_halo": "#2e2b36",
    "country_far": "#675e78", "disputed": "#736889", "dot": "#cdd0d6", "dot_fill": "#24272c",
    "roads": {"service": ("#4a4f57", "#202328"), "minor": ("#545a63", "#202328"), "medium": ("#636973", "#1f2226"),
              "major": ("#7d7559", "#1d1f22"), "highway": ("#97834f", "#1c1e21")},
    "text": {"country": "#b7adc4", "region": "#8f869d", "city": "#eff1f4", "town": "#d4d7dc", "village": "#b6babf",
             "quarter": "#9ea2ab", "road": "#b8b5ac", "water": "#78aad0", "park": "#8ab57d", "poi": "#bda17f",
             "peak": "#b59c82", "number": "#8f8b84"},
    "halo": "#16181c", "water_halo": "#132434",
}
