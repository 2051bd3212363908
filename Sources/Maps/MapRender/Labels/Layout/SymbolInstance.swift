// What layout hands to placement. A label or an icon may be tried at several places of a feature; each is an instance, and
// what it would draw (one text for each justification and writing mode, an icon) are its placed symbols. All lie in flat
// arrays of their tile and refer to each other by index, -1 where there is none.

import MapStyle

/// A place on a feature at which a symbol may stand.
struct SymbolPosition: Equatable, Sendable {
    /// Units of the tile.
    var x: Double, y: Double
    /// The direction of the line there in radians; 0 for points.
    var angle = 0.0
    /// The index, in the line, of the vertex before the place; -1 where there is no line to follow.
    var segment: Int32 = -1
}

/// A vector of a symbol, before it is scaled by its size: 1/24 em for texts, CSS pixels for icons. To the right and down.
struct SymbolVector: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = SymbolVector(x: 0, y: 0)

    static func * (vector: SymbolVector, factor: Double) -> SymbolVector {
        SymbolVector(x: vector.x * factor, y: vector.y * factor)
    }
}

/// How a symbol runs, and whether there is another way.
enum SymbolOrientation: UInt8, Sendable {
    /// An icon, which does not run.
    case none
    /// Horizontally, and the instance has a vertical text beside it.
    case horizontal
    case vertical
    /// Horizontally, and there is no other.
    case horizontalOnly
}

/// A piece of a texture on a quadrilateral: a glyph, an icon or a part of one.
struct SymbolQuad: Equatable, Sendable {
    /// The corners relative to the anchor, turned by `text-rotate` or `icon-rotate` and moved by the offset; for texts along
    /// lines relative to the place on the line that ``glyphOffset`` leads to.
    var topLeft: SymbolVector
    var topRight: SymbolVector
    var bottomLeft: SymbolVector
    var bottomRight: SymbolVector
    /// The index in ``SymbolTile/textures``.
    var texture: Int32
    /// The part of the texture in texels, which may reach one texel over its sides: beyond them is transparent black.
    var u0: Double
    var v0: Double
    var u1: Double
    var v1: Double
    var piece: SIMD4<Float> { SIMD4(Float(u0), Float(v0), Float(u1), Float(v1)) }
    /// Whether the texture's alpha is a signed distance.
    var isSDF: Bool
    /// The index in ``SymbolTile/sectionColors`` of a color that stands in for the paint's; -1 for none.
    var sectionColor: Int32 = -1
    /// What is added to the two left and top sides in CSS pixels, whatever the size: the parts of icons that do not stretch.
    var pixelOffsetTopLeft = SymbolVector.zero
    /// What is added to the right and bottom sides.
    var pixelOffsetBottomRight = SymbolVector.zero
    /// The least size that the stretching parts are drawn at: below it they would overlap.
    var minFontScaleX = 0.0
    var minFontScaleY = 0.0
    /// Where on the line the glyph's middle is, for texts along lines: 1/24 em from the anchor. How far from the line it is
    /// lies in the corners.
    var glyphOffset = 0.0
}

/// A text or an icon that may be drawn at an anchor.
struct PlacedSymbol: Sendable {
    var anchor: SymbolPosition
    /// Its quads in ``SymbolTile/quads``.
    var quads: Range<Int32>
    /// The line that it may follow, in ``SymbolTile/lineVertices``; empty for points.
    /// ``SymbolPosition/segment`` counts from its start.
    var line: Range<Int32>
    /// The size at the level of the picture: CSS pixels of an em for texts, a factor for icons.
    var size: Double
    /// The offset along and across the line: `text-offset` (1/24 em) or `icon-offset` (CSS pixels).
    var lineOffset: SymbolVector
    var orientation: SymbolOrientation
    /// The placed symbol of the icon that moves along with this text; -1 for none.
    var associatedIcon: Int32
    /// The index in ``SymbolTile/paints``.
    var paint: Int32
}

/// A place for a text moved by `text-variable-anchor` or `text-variable-anchor-offset`.
struct TextAnchorOffset: Equatable, Sendable {
    /// The part of the text that is placed at the anchor.
    var anchor: SymbolAnchor
    /// How far it is moved, in 1/24 em; radial offsets and the height of the base line are worked in.
    var offset: SymbolVector
}

/// One place of a feature at which its text and its icon may be shown.
struct SymbolInstance: Sendable {
    var anchor: SymbolPosition
    /// The number of its text in ``SymbolTile/keys``.
    var key: Int32
    /// The index of the feature in the layer of the tile.
    var featureIndex: Int32
    /// The feature's `symbol-sort-key`; 0 without one.
    var sortKey: Double
    /// The text justified to the left, for anchors there; one symbol may stand for several of the three.
    var leftJustifiedText: Int32 = -1
    var centerJustifiedText: Int32 = -1
    var rightJustifiedText: Int32 = -1
    var verticalText: Int32 = -1
    var icon: Int32 = -1
    var verticalIcon: Int32 = -1
    /// What the text covers; nil without a text or when it follows a line.
    var textBox: Box?
    var verticalTextBox: Box?
    var iconBox: Box?
    var verticalIconBox: Box?
    /// Whether the text follows a line and covers circles along it, found when it is placed.
    var usesCollisionCircles = false
    /// The diameter of such circles in CSS pixels at the size that layout assumes, without padding; 0 where there are none.
    var collisionCircleDiameter = 0.0
    /// Units of the tile in 1/24 em, at the size that layout assumes.
    var textBoxScale: Double
    /// The places to try, in ``SymbolTile/anchorOffsets``; empty for a text that stands where its anchor says.
    var anchorOffsets: Range<Int32>

    var hasText: Bool {
        leftJustifiedText >= 0 || centerJustifiedText >= 0 || rightJustifiedText >= 0 || verticalText >= 0
    }

    var hasIcon: Bool { icon >= 0 }
}
