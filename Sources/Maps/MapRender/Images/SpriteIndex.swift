import Bytes
import JSON

/// The JSON index of a sprite: where each image lies on its sheet. An invalid entry costs that image alone.
struct SpriteIndex: Sendable {
    static let imageLimit = 16384
    /// Stretches of an image in one direction; an image with more would be drawn in too many parts and is left out.
    static let stretchLimit = 16

    struct Entry: Sendable {
        var name: String
        var rectangle: Rectangle
        var pixelRatio: Double
        var isSDF: Bool
        var stretchX, stretchY: [StyleImage.Stretch]
        var content: StyleImage.Content?
        var textFitWidth, textFitHeight: StyleImage.TextFit
    }

    struct Rectangle: Hashable, Sendable { var x, y, width, height: Int }

    let entries: [Entry]

    init(_ bytes: SharedBytes, sheetWidthPx: Int, sheetHeightPx: Int) throws(JSONError) {
        let json = try JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) })
        let members = json.object?.members ?? []
        entries = members.prefix(Self.imageLimit).compactMap { member in
            Entry(
                name: member.name, member.value,
                within: Rectangle(x: 0, y: 0, width: sheetWidthPx, height: sheetHeightPx))
        }
    }
}

extension SpriteIndex.Entry {
    fileprivate init?(name: String, _ json: JSONValue, within sheet: SpriteIndex.Rectangle) {
        func pixels(_ member: String, upTo limit: Int) -> Int? {
            guard let number = json[member]?.number, let whole = Int(exactly: number), whole >= 0, whole <= limit
            else { return nil }
            return whole
        }
        guard let x = pixels("x", upTo: sheet.width), let y = pixels("y", upTo: sheet.height),
            let width = pixels("width", upTo: sheet.width - x), width > 0,
            let height = pixels("height", upTo: sheet.height - y), height > 0
        else { return nil }
        self.name = name
        rectangle = SpriteIndex.Rectangle(x: x, y: y, width: width, height: height)
        pixelRatio = json["pixelRatio"]?.number ?? 1
        isSDF = json["sdf"]?.boolean ?? false
        guard pixelRatio > 0, pixelRatio <= 64,
            let stretchX = Self.stretches(json["stretchX"], upTo: Double(width)),
            let stretchY = Self.stretches(json["stretchY"], upTo: Double(height))
        else { return nil }
        (self.stretchX, self.stretchY) = (stretchX, stretchY)
        textFitWidth = json["textFitWidth"]?.text.flatMap(StyleImage.TextFit.init) ?? .stretchOrShrink
        textFitHeight = json["textFitHeight"]?.text.flatMap(StyleImage.TextFit.init) ?? .stretchOrShrink
        guard let content = json["content"] else { return }
        let sides = content.elements?.compactMap(\.number) ?? []
        guard sides.count == 4, sides[0] >= 0, sides[0] < sides[2], sides[2] <= Double(width), sides[1] >= 0,
            sides[1] < sides[3], sides[3] <= Double(height)
        else { return nil }
        self.content = StyleImage.Content(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
    }

    /// Ranges that follow each other up to `end`; nil when they do not. None where nothing is said.
    private static func stretches(_ json: JSONValue?, upTo end: Double) -> [StyleImage.Stretch]? {
        guard let json else { return [] }
        guard let ranges = json.elements, ranges.count <= SpriteIndex.stretchLimit else { return nil }
        var result: [StyleImage.Stretch] = []
        for range in ranges {
            guard let ends = range.elements, ends.count == 2, let from = ends[0].number, let to = ends[1].number,
                from >= result.last?.upperBound ?? 0, from < to, to <= end
            else { return nil }
            result.append(from...to)
        }
        return result
    }
}
