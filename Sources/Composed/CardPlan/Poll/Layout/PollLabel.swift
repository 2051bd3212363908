/// What an option is called, with a sign before the words, and the faces of those who chose it after or below them.
struct PollLabel {
    static let gap = 10.0
    private static let rowGap = 6.0

    let index: Int
    var words: TextBlock
    /// 0: there is none.
    var iconSide = 0.0
    var faceSide = 0.0
    var facesWidth = 0.0
    /// Where there is little room beside the words.
    var hasFacesBelow = false

    var wordsX: Double { iconSide > 0 ? iconSide + Self.gap : 0 }
    /// Of the words and what stands beside them.
    private var topHeight: Double { max(words.height, iconSide, hasFacesBelow ? 0 : faceSide) }
    var height: Double { topHeight + (hasFacesBelow ? Self.rowGap + faceSide : 0) }
    var wordsY: Double { (topHeight - words.height) / 2 }
    var iconY: Double { (topHeight - iconSide) / 2 }
    var facesY: Double { hasFacesBelow ? topHeight + Self.rowGap : (topHeight - faceSide) / 2 }
    /// Of the first line.
    var markY: Double { wordsY + words.lineHeight / 2 }
}

/// Where a poll shows pictures of an option: its sign, or a row of faces.
struct PollSpot {
    let index: Int
    var rect: CardRect
}
