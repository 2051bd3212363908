// What parts of a map cost, in nanoseconds of one core. From `scripts/bench map` of 2026-11-22 (streets of Florence with labels,
// 512×512 as PNG, a new centre each): level 15 takes 44 ms, at scale 2 84 ms; level 17 takes 17 and 38 ms. A view of that size
// touches 4 tiles of level 14 and 1.6, which leaves about 7 ms for a tile and 40 ns for a pixel, half of which is encoding.
// They hold within a factor of two for maps of streets; maps of the world are quicker.

enum MapCost {
    /// Reading a vector tile and writing its shapes.
    static let tile = 4_500_000.0
    /// Laying out and placing its labels.
    static let labels = 2_500_000.0
    /// Drawing a pixel through all layers.
    static let pixel = 22.0
    /// Compiling a style for a look, and for each language or class of points of interest in its lists.
    static let variant = 6_000_000.0
    static let variantEntry = 300_000.0
    /// Bytes of a style that is compiled.
    static let variantBytes = 1_500_000.0
    static let variantEntryBytes = 60_000.0
    /// Making an overlay ready.
    static let overlay = 50_000.0
    /// Projecting and clipping a vertex of an overlay, and stroking it with a narrow line.
    static let place = 3_000.0
    // From 50,000 dashes and 5,000 bends of lines 2 to 400 pixels wide, on 512² and 4096², 2026-11-22.
    /// Rounding a bend that is seen, for each device pixel of the line's width.
    static let bendPixel = 70.0
    /// Stroking or filling along one device pixel of an edge.
    static let edgePixel = 30.0
    /// Making a dash with round ends, and each device pixel of its width; with straight ends it is a third of that.
    static let dash = 2_500.0
    static let dashPixel = 150.0
    /// Bytes of a vertex of an overlay that is seen, on all lists that it passes.
    static let placeBytes = 64.0
    /// Degrees of a side along a great circle for which it has a vertex: about so many where a picture shows the world.
    static let arcDegrees = 3.0
    /// Drawing one pin or icon, and each of its pixels.
    static let marker = 30_000.0
    static let markerPixel = 20.0
    /// Drawing one character of a marker's name, and its halo.
    static let titleCharacter = 3_000.0
    /// Filling one pixel with an area.
    static let fillPixel = 2.0

    /// The deepest level that sources have, as a rule: deeper views draw these tiles larger.
    static let lastTileLevel = 14
    /// The deepest level of the built-in world.
    static let lastWorldLevel = 6
    /// Bytes of a tile that is decoded and laid out.
    static let tileBytes = 1_500_000.0
    /// The most tiles that one view is drawn from.
    static let tileLimit = 4096.0
}
