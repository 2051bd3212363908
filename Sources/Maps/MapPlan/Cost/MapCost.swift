/// The costs of the parts of a map, in nanoseconds of one core unless the name says bytes.
///
/// From `scripts/bench map` of 2026-11-22 (streets of Florence with labels, 512×512 as PNG, a new centre each): level
/// 15 takes 44 ms, at scale 2 84 ms; level 17 takes 17 and 38 ms. Such a view touches 4 tiles of level 14 and 1.6,
/// which gives about 7 ms per tile and 40 ns per pixel, half of it encoding. Streets are within a factor of two.
enum MapCost {
    static let tile = 4_500_000.0  // reading a vector tile and writing its shapes
    static let tileBytes = 1_500_000.0  // of a decoded tile with its layout
    static let labels = 2_500_000.0  // laying out and placing the labels of a tile
    // Decoding a PNG tile in another process, and showing it.
    static let pictureTile = 300_000.0
    static let picturePixel = 25.0
    static let heightPixel = 45.0  // with a grid of heights and its slopes
    static let picturePixelBytes = 4.0
    static let heightPixelBytes = 16.0  // the image, a grid, a bordered one and slopes
    /// The longest side of the image of a tile, in pixels.
    static let pictureSide = 2048.0
    static let pixel = 22.0  // drawing a pixel through all layers
    static let variant = 6_000_000.0  // compiling a style for a look
    static let variantEntry = 300_000.0  // each of the look's languages and classes of points of interest
    static let variantBytes = 1_500_000.0
    static let variantEntryBytes = 60_000.0

    static let overlay = 50_000.0  // preparing an overlay
    static let place = 3_000.0  // projecting and clipping a vertex, and stroking it with a narrow line
    static let copiedPlace = 60.0  // projecting a vertex on a further copy of the world that does not show it
    static let placeBytes = 64.0  // of a visible vertex, in all lists that it passes through
    static let marker = 30_000.0  // drawing one pin or icon
    static let markerPixel = 20.0
    static let sprite = 2_000.0  // copying one of many equal markers
    static let spritePixel = 15.0  // of its box
    static let titleCharacter = 3_000.0  // drawing a character of a marker's name, and its halo
    static let titlePlate = 40_000.0  // drawing the box behind a marker's name
    static let cornerSide = 40.0  // CSS pixels of a side of what stands in a corner
    static let fillPixel = 2.0
    // Per device pixel, from 50,000 dashes and 5,000 bends of lines 2 to 400 pixels wide, 512² and 4096², 2026-11-22.
    static let bendPixel = 70.0  // rounding a visible bend, times the line's width
    static let edgePixel = 30.0  // stroking or filling along an edge
    static let dash = 2_500.0  // a dash with round ends; with straight ends a third of that
    static let dashPixel = 150.0  // times the dash's width

    /// Degrees between the vertices of a great circle on a map of the world.
    static let arcDegrees = 3.0
    /// The usual last level of sources; closer views draw its tiles larger.
    static let lastTileLevel = 14
    /// The last level of archives that cost the same: tiles of level 15 hold a quarter of those above.
    static let lastUsualLevel = 15
    /// The last level of the built-in world.
    static let lastWorldLevel = 6
    /// The most tiles of one view.
    static let tileLimit = 4096.0
    /// The most tiles of one map, of all sources together: 4096 × 4096 pixels of two sources with 256-pixel tiles.
    static let mapTileLimit = 2048
}
