import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// Hidden rectangles, padding, blurred backgrounds and palettes, as a client gets them.
@Suite(.timeLimit(.minutes(5))) struct AssetCompositionTests {
    private static func picture(_ veduta: CachingService, _ query: String) throws -> DecodedPicture {
        let answer = try veduta.client.get("/asset?" + query)
        #expect(answer.code == 200, "\(query): \(answer.text)")
        return try DecodedPicture(answer.content)
    }

    /// A face is hidden in what is sent, for every size, format and turn.
    @Test func hiddenRectangles_areHiddenInTheAnswer() throws {
        let veduta = try CachingService()
        let (noise, even) = (Self.drawing(200, 120, face: true), Self.drawing(200, 120, face: false))
        try veduta.pictures.add("face.png", PictureFolder.encoded(noise, 200, 120))
        try veduta.pictures.add("none.png", PictureFolder.encoded(even, 200, 120))
        for query in [
            "filter=pixelate:60:40p:25p:30p:50p&format=png", "width=100&filter=pixelate:64:40p:25p:30p:50p&format=png",
            "width=100&scale=2&filter=pixelate:60:40:15:30:30&format=png",
            "rotate=90&filter=pixelate:60:25p:40p:50p:30p&format=png",
        ] {
            let hidden = try Self.picture(veduta, "id=face.png&" + query)
            var colors: Set<[Int]> = []
            for y in 0..<hidden.heightPx {
                for x in 0..<hidden.widthPx {
                    // As shares of the unturned picture, in hundredths.
                    let (column, row) = (x * 100 / hidden.widthPx, y * 100 / hidden.heightPx)
                    let (across, down) = query.contains("rotate") ? (row, 99 - column) : (column, row)
                    if 41..<70 ~= across && 26..<74 ~= down { colors.insert(hidden[x, y]) }
                }
            }
            #expect(colors.count <= 2, "\(query): \(colors.count) colors")
        }
        let explained = try veduta.client.get("/asset?id=face.png&width=100&filter=blur:9:10:10:30p:30p&explain=1").text
        #expect(explained.contains("filter blur:9:10:10:30p:30p"))
        let refused = try veduta.client.get("/asset?id=face.png&filter=blur:9:10:10&widht=3")
        #expect(
            refused.code == 400 && refused.text.contains("x:y:width:height") && refused.text.contains("did you mean"))
    }

    /// Composed and decomposed letters are equal as texts.
    @Test func overlaysWhoseIDsLookTheSame_areTwo() throws {
        let veduta = try CachingService()
        let colors: [(name: String, rgba: [UInt8])] = [
            ("\u{e9}.png", [255, 0, 0, 255]), ("e\u{301}.png", [0, 0, 255, 255]),
        ]
        for (name, rgba) in colors {
            let pixels = [[UInt8]](repeating: rgba, count: 100).flatMap(\.self)
            try veduta.pictures.add(name, PictureFolder.encoded(pixels, 10, 10))
        }
        let overlays = "overlay=%C3%A9.png:top-left&overlay=e%CC%81.png:bottom-right"
        let picture = try Self.picture(veduta, "id=a.png&width=80&height=60&fit=cover&format=png&" + overlays)
        #expect(picture[0, 0] == [255, 0, 0, 255] && picture[79, 59] == [0, 0, 255, 255])
    }

    @Test func padding_isAddedAroundTheResult() throws {
        let veduta = try CachingService()
        let picture = try Self.picture(
            veduta, "id=a.png&width=80&height=60&fit=cover&pad=5,10,15,20&background=red&format=png")
        #expect(picture.widthPx == 110 && picture.heightPx == 80)
        #expect(picture[0, 0] == [255, 0, 0, 255] && picture[109, 79] == [255, 0, 0, 255])
        #expect(picture[19, 40] == [255, 0, 0, 255] && picture[20, 5] != [255, 0, 0, 255])
        #expect(try Self.picture(veduta, "id=a.png&width=80&pad=5&format=png")[0, 0][3] == 0)
        #expect(try Self.picture(veduta, "id=a.png&width=80&pad=5&format=jpeg")[0, 0].allSatisfy { $0 > 250 })
        let tag = try veduta.client.get("/asset?id=a.png&width=80&pad=5&format=png").field("ETag")
        #expect(try veduta.client.get("/asset?id=a.png&w=80&pad=5,5,5,5&format=png").field("ETag") == tag)
        let faults = try veduta.client.get("/asset?id=a.png&width=0&pad=1,2,3,4,5&backgrund=blur")
        #expect(faults.code == 400)
        for name in ["width", "pad", "backgrund"] { #expect(faults.text.contains("\"\(name)\""), "\(faults.text)") }
    }

    @Test func blurredBackground_fillsTheBars() throws {
        let veduta = try CachingService()
        for format in ["png", "jpeg", "webp"] {
            let query = "id=a.png&width=80&height=120&fit=contain&background=blur&format=\(format)"
            let picture = try Self.picture(veduta, query)
            #expect(picture.widthPx == 80 && picture.heightPx == 120)
            #expect(picture[5, 5][3] == 255 && picture[5, 5] != [255, 255, 255, 255])
        }
        let explained = try veduta.client.get(
            "/asset?id=a.png&width=80&height=120&fit=contain&background=blur&explain=1")
        #expect(explained.text.contains("blurred background of 80"))
        #expect(explained.text.contains("\"surround\""))
    }

    /// A drawing is sent without loss where that is smaller, also if WebP is named; a quality asks for loss.
    @Test func drawings_areLosslessWebP() throws {
        let veduta = try CachingService()
        let pixels = Self.drawing(320, 200, face: false)
        try veduta.pictures.add("drawing.png", PictureFolder.encoded(pixels, 320, 200))
        let named = try veduta.client.get("/asset?id=drawing.png&format=webp")
        let negotiated = try veduta.client.get("/asset?id=drawing.png", "Accept: image/webp")
        let lossy = try veduta.client.get("/asset?id=drawing.png&format=webp&quality=84")
        for answer in [named, negotiated] {
            #expect(answer.field("Content-Type") == "image/webp")
            #expect(try DecodedPicture(answer.content).samples == pixels)
            #expect(answer.content.count * 2 < lossy.content.count)
        }
        #expect(try DecodedPicture(lossy.content).samples != pixels)
        #expect(lossy.field("Veduta-Quality") == "84" && named.field("Veduta-Quality") == nil)
        // A photograph stays lossy.
        #expect(try veduta.client.get("/asset?id=a.png&format=webp").field("Veduta-Quality") == "84")
    }

    @Test func palettes_haveNoMoreColorsThanAsked() throws {
        let veduta = try CachingService()
        let whole = try veduta.client.get("/asset?id=a.png&width=200&filter=noise:12&format=png")
        for (query, count) in [("colors=16", 16), ("colors=2&format=png", 2)] {
            let answer = try veduta.client.get(
                "/asset?id=a.png&width=200&filter=noise:12&\(query)", "Accept: image/avif, image/webp, */*")
            #expect(answer.code == 200 && answer.field("Content-Type") == "image/png", "\(answer.text)")
            let picture = try DecodedPicture(answer.content)
            var colors: Set<[Int]> = []
            for y in 0..<picture.heightPx { for x in 0..<picture.widthPx { colors.insert(picture[x, y]) } }
            #expect(colors.count <= count && colors.count > 1, "\(query): \(colors.count)")
            #expect(answer.content.count * 2 < whole.content.count)
        }
        let gif = try veduta.client.get("/asset?id=a.png&width=40&colors=16&format=gif")
        #expect(gif.code == 200 && gif.field("Content-Type") == "image/gif")
        let explained = try veduta.client.get("/asset?id=a.png&width=40&colors=16&explain=1").text
        #expect(explained.contains("encode png, 16 colors"), "\(explained)")
        for query in ["colors=1", "colors=257", "colors=16&format=webp", "colors=16&quality=auto"] {
            let answer = try veduta.client.get("/asset?id=a.png&\(query)")
            #expect(answer.code == 400 && answer.text.contains("\"colors\""), "\(query): \(answer.text)")
        }
    }

    /// Bands and a disc in plain colors; a face is noise in the middle.
    private static func drawing(_ widthPx: Int, _ heightPx: Int, face: Bool) -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<heightPx {
            for x in 0..<widthPx {
                let (across, down) = (x - widthPx / 2, y - heightPx / 2)
                let isDisc = across * across + down * down < heightPx * heightPx / 16
                let color: [UInt8] =
                    face && isDisc
                    ? [UInt8((x * 37 + y * 101) % 256), UInt8((x * y) % 256), UInt8((x * 5) % 256), 255]
                    : isDisc ? [224, 159, 62, 255] : y / 20 % 2 == 0 ? [31, 78, 121, 255] : [238, 242, 246, 255]
                pixels += color
            }
        }
        return pixels
    }
}
