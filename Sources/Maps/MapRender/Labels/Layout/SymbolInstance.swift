// A label or icon may be tried at several places of a feature, each an instance; what it would draw are its placed
// symbols. All lie in flat arrays of their tile and refer to each other by index, -1 for none.

import MapStyle

/// A place on a feature at which a symbol may stand, in units of the tile.
struct SymbolPosition: Equatable, Sendable {
    var x: Double, y: Double
    /// The direction of the line in radians; 0 for points.
    var angle = 0.0
    /// The index, in the line, of the vertex before the place; -1 without a line.
    var segment: Int32 = -1
}

/// A vector in a symbol, before scaling by its size: 1/24 em for texts, CSS pixels for icons. To the right and down.
struct SymbolVector: Equatable, Sendable {
    var x, y: Double

    static let zero = SymbolVector(x: 0, y: 0)

    static func * (vector: SymbolVector, factor: Double) -> SymbolVector {
        SymbolVector(x: vector.x * factor, y: vector.y * factor)
    }
}

enum SymbolOrientation: UInt8, Sendable {
    case none
    /// The instance has a vertical text too.
    case horizontal
    case vertical
    case horizontalOnly
}

struct SymbolQuad: Equatable, Sendable {
    /// The corners relative to the anchor, turned and moved by the layer's properties; for texts along lines relative
    /// to the place that ``glyphOffset`` leads to. Multiples of 1/32.
    var topLeft, topRight, bottomLeft, bottomRight: SymbolVector
    var texture: Int32
    /// In texels; may reach one texel over the sides, where all is transparent black.
    var u0, v0, u1, v1: Double
    var piece: SIMD4<Float> { SIMD4(Float(u0), Float(v0), Float(u1), Float(v1)) }
    var isSDF: Bool
    /// The index in ``SymbolTile/sectionColors`` of a color instead of the paint's; -1 for none.
    var sectionColor: Int32 = -1
    /// CSS pixels added whatever the size: the parts of icons that do not stretch.
    var pixelOffsetTopLeft = SymbolVector.zero
    var pixelOffsetBottomRight = SymbolVector.zero
    var minFontScaleX = 0.0
    var minFontScaleY = 0.0
    /// Along the line, 1/24 em from the anchor to the glyph's middle. The corners hold its distance from the line.
    var glyphOffset = 0.0
}

struct PlacedSymbol: Sendable {
    var anchor: SymbolPosition
    /// In ``SymbolTile/quads``.
    var quads: Range<Int32>
    /// The line to follow, in ``SymbolTile/lineVertices``; empty for points. ``SymbolPosition/segment`` counts from its start.
    var line: Range<Int32>
    /// At the level of the picture: CSS pixels of an em for texts, a factor for icons.
    var size: Double
    /// Along and across the line: `text-offset` (1/24 em) or `icon-offset` (CSS pixels).
    var lineOffset: SymbolVector
    var orientation: SymbolOrientation
    /// The placed icon that moves along with this text; -1 for none.
    var associatedIcon: Int32
    var paint: Int32
}

/// A place that `text-variable-anchor` or `text-variable-anchor-offset` moves a text to.
struct TextAnchorOffset: Equatable, Sendable {
    var anchor: SymbolAnchor
    /// In 1/24 em, with radial offsets and the height of the base line.
    var offset: SymbolVector
}

struct SymbolInstance: Sendable {
    var anchor: SymbolPosition
    var key: Int32
    var featureIndex: Int32
    var sortKey: Double
    /// By the side of the anchor; one symbol may stand for several of the three.
    var leftJustifiedText: Int32 = -1
    var centerJustifiedText: Int32 = -1
    var rightJustifiedText: Int32 = -1
    var verticalText: Int32 = -1
    var icon: Int32 = -1
    var verticalIcon: Int32 = -1
    /// What is covered; nil when absent, or for a text that follows a line.
    var textBox: Box?
    var verticalTextBox: Box?
    var iconBox: Box?
    var verticalIconBox: Box?
    /// The text follows a line and covers circles along it, found when it is placed.
    var usesCollisionCircles = false
    /// CSS pixels at the size that layout assumes, without padding; 0 for no circles.
    var collisionCircleDiameter = 0.0
    /// Units of the tile per 1/24 em, at the size that layout assumes.
    var textBoxScale: Double
    /// In ``SymbolTile/anchorOffsets``; empty for a text that does not move.
    var anchorOffsets: Range<Int32>

    var hasText: Bool {
        leftJustifiedText >= 0 || centerJustifiedText >= 0 || rightJustifiedText >= 0 || verticalText >= 0
    }

    var hasIcon: Bool { icon >= 0 }
}
