import Bytes
import JSON
import MapStyle
import Raster
import Testing

@testable import MapRender

/// Files by address.
private struct Files: MapResources {
    var files: [String: [UInt8]] = [:]

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        if address.hasPrefix("gone") { throw .failed("gone") }
        return files[address].map { SharedBytes($0) }
    }

    /// A picture here is its width and its texels' red.
    func picture(_ bytes: SharedBytes) -> Texture? {
        let data = bytes.withUnsafeBytes { [UInt8]($0) }
        guard let width = data.first, width > 0 else { return nil }
        let texels: [UInt8] = data.dropFirst().flatMap { [$0, 0, 0, 255] }
        return Texture(
            widthPx: Int(width), heightPx: texels.count / 4 / Int(width), format: .rgba, texels: SharedBytes(texels))
    }
}

@Suite(.timeLimit(.minutes(5))) struct SpriteTests {
    private static let sheet: [UInt8] = [3, 1, 2, 3, 4, 5, 6]

    private func index(_ json: String) throws -> SpriteIndex {
        try SpriteIndex(SharedBytes(Array(json.utf8)), sheetWidthPx: 40, sheetHeightPx: 20)
    }

    private func style(_ sprite: String) throws -> Style {
        try Style.read(Array(#"{"version": 8, "sources": {}, "layers": [], "sprite": \#(sprite)}"#.utf8))
    }

    @Test func imagesAreCutOutOfTheirSheet() throws {
        var files = Files()
        files.files["a.png?k=1"] = Self.sheet
        files.files["a.json?k=1"] = Array(#"{"i": {"x": 1, "y": 0, "width": 2, "height": 2}}"#.utf8)
        let loader = SpriteLoader(resources: files, caches: MapCaches())
        let images = try loader.images(of: style(#""a?k=1""#), pixelRatio: 1)
        let texture = try #require(images["i"]?.texture)
        #expect(texture.widthPx == 2 && texture.heightPx == 2)
        let red = texture.texels.withUnsafeBytes { data in stride(from: 0, to: 16, by: 4).map { data[$0] } }
        #expect(red == [2, 3, 5, 6])
    }

    @Test func finerSpritesAreForFinerPicturesAndNamesHavePrefixes() throws {
        var files = Files()
        let one = Array(#"{"i": {"x": 0, "y": 0, "width": 1, "height": 1}}"#.utf8)
        let two = Array(#"{"i": {"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 2}}"#.utf8)
        for name in ["a", "a@2x", "b"] { files.files[name + ".png"] = Self.sheet }
        files.files["a.json"] = one
        files.files["a@2x.json"] = two
        files.files["b.json"] = one
        let both = try style(#"[{"id": "default", "url": "a"}, {"id": "x", "url": "b"}, {"id": "y", "url": "gone"}]"#)
        let loader = SpriteLoader(resources: files, caches: MapCaches())
        #expect(try loader.images(of: both, pixelRatio: 1).names == ["i", "x:i"])
        #expect(try loader.images(of: both, pixelRatio: 1)["i"]?.pixelRatio == 1)
        #expect(try loader.images(of: both, pixelRatio: 1.5)["i"]?.pixelRatio == 2)
        #expect(try loader.images(of: both, pixelRatio: 2)["x:i"]?.pixelRatio == 1)
    }

    @Test func whatAnEntrySaysOfItsImage() throws {
        let entry = try #require(
            try index(
                #"""
                {"i": {"x": 0, "y": 0, "width": 40, "height": 20, "pixelRatio": 2, "sdf": true,
                "stretchX": [[1, 3], [4, 40]], "stretchY": [[2, 18]], "content": [1, 2, 39, 18],
                "textFitWidth": "stretchOnly", "textFitHeight": "proportional"}}
                """#
            ).entries.first)
        #expect(entry.pixelRatio == 2 && entry.isSDF)
        #expect(entry.stretchX == [1...3, 4...40] && entry.stretchY == [2...18])
        #expect(entry.content == StyleImage.Content(left: 1, top: 2, right: 39, bottom: 18))
        #expect(entry.textFitWidth == .stretchOnly && entry.textFitHeight == .proportional)
    }

    @Test(arguments: [
        #"{"x": 0, "y": 0, "width": 41, "height": 1}"#, #"{"x": 39, "y": 0, "width": 2, "height": 1}"#,
        #"{"x": -1, "y": 0, "width": 2, "height": 1}"#, #"{"x": 0, "y": 0, "width": 0, "height": 1}"#,
        #"{"x": 0, "y": 0.5, "width": 1, "height": 1}"#, #"{"x": 0, "y": 0, "height": 1}"#,
        #"{"x": 1e300, "y": 0, "width": 1, "height": 1}"#, "7", "null",
        #"{"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 0}"#,
        #"{"x": 0, "y": 0, "width": 9, "height": 9, "stretchX": [[5, 4]]}"#,
        #"{"x": 0, "y": 0, "width": 9, "height": 9, "stretchY": [[1, 2], [1, 3]]}"#,
        #"{"x": 0, "y": 0, "width": 9, "height": 9, "content": [0, 0, 10, 9]}"#,
    ])
    func whatIsNotOnTheSheetIsLeftOut(_ entry: String) throws {
        let good = #"{"x": 0, "y": 0, "width": 40, "height": 20}"#
        #expect(try index(#"{"bad": \#(entry), "good": \#(good)}"#).entries.map(\.name) == ["good"])
    }

    @Test func malformedIndexesHaveNoImages() throws {
        #expect(throws: JSONError.self) { try index("{") }
        #expect(try index("[1]").entries.isEmpty)
        var files = Files()
        files.files["a.png"] = [0]
        files.files["a.json"] = Array("{}".utf8)
        let loader = SpriteLoader(resources: files, caches: MapCaches())
        #expect(try loader.images(of: style(#""a""#), pixelRatio: 1).names.isEmpty)
    }

    @Test func manyLargeImagesOfOneSheetAreBounded() throws {
        let entries = (0..<20).map { #""\#($0)": {"x": 0, "y": 0, "width": \#(40 - $0), "height": 20}"# }
        let texels = SharedBytes([UInt8](repeating: 9, count: 40 * 20 * 4))
        let sheet = try #require(Texture(widthPx: 40, heightPx: 20, format: .rgba, texels: texels))
        let images = SpriteSheet(try index("{" + entries.joined(separator: ",") + "}"), sheet: sheet).images
        let pixels = images.values.reduce(0) { $0 + $1.texture.widthPx * $1.texture.heightPx }
        #expect(images.count > 3 && pixels <= 4 * 40 * 20)
    }
}
