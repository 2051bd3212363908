import Foundation
import ImagePlan
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning
import WrittenDocuments

/// `/iiif/…` over a socket. The validators of the standard are in `scripts/conformance iiif`.
@Suite(.timeLimit(.minutes(5))) struct IIIFWireTests {
    /// The size in the head of a PNG.
    private static func size(ofPNG response: WireResponse) -> [Int] {
        guard response.content.count > 24 else { return [] }
        return [16, 20].map { start in response.content[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    private static func service(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> CachingService {
        let veduta = try CachingService(adjust)
        try veduta.pictures.add("scans/b.png", PictureFolder.picture(400, 300))
        return veduta
    }

    private static let image = "/iiif/3/scans%2Fb.png"

    @Test(arguments: [
        ("full/max/0", [400, 300]), ("square/max/0", [300, 300]), ("100,50,200,100/max/0", [200, 100]),
        ("350,250,200,100/max/0", [50, 50]), ("pct:10,10,50,20/max/0", [200, 60]), ("full/100,/0", [100, 75]),
        ("full/,30/0", [40, 30]), ("full/50,60/0", [50, 60]), ("full/!100,30/0", [40, 30]),
        ("full/pct:50/0", [200, 150]),
        ("full/^800,/0", [800, 600]), ("full/^!1000,900/0", [1000, 750]), ("full/^pct:200/0", [800, 600]),
        ("full/100,/90", [75, 100]), ("0,0,100,50/50,/270", [25, 50]), ("full/100,/!180", [100, 75]),
        ("full/^max/0", [5000, 3750]), ("full/^!9000,100/0", [133, 100]),
    ])
    func sizes_areThoseOfTheStandard(_ part: String, _ size: [Int]) throws {
        let veduta = try Self.service()
        let answer = try veduta.client.get("\(Self.image)/\(part)/default.png")
        #expect(answer.code == 200, "\(answer.text.prefix(500))")
        #expect(Self.size(ofPNG: answer) == size)
        #expect(answer.field("Link") == "<http://iiif.io/api/image/3/level2.json>;rel=\"profile\"")
        #expect(answer.field("Access-Control-Allow-Origin") == "*")
    }

    /// The frame header and the lengths of the Huffman tables (ITU-T T.81, tables B.2 and B.5).
    private static func coding(of jpeg: [UInt8]) -> (frame: UInt8?, tables: [Int]) {
        var (frame, tables, offset) = (UInt8?.none, [Int](), 2)
        while offset + 4 < jpeg.count, jpeg[offset] == 0xff, jpeg[offset + 1] != 0xda {
            let (marker, length) = (jpeg[offset + 1], Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3]))
            if marker == 0xc4 { tables.append(length) } else if marker & 0xf0 == 0xc0 { frame = marker }
            offset += 2 + length
        }
        return (frame, tables)
    }

    /// Those of Annex K. Everything else has tables of its own, and with them the bytes that it had.
    @Test func tiles_areBaselineWithTheTablesOfTheStandard_andNothingElse() throws {
        let veduta = try Self.service()
        let photo = try veduta.client.get("/asset?id=scans/b.png&format=jpeg&quality=95").content
        try veduta.pictures.add("b.jpg", photo)
        let standard = [31, 181, 31, 181]
        for (tile, twin) in [
            ("0,0,256,256/256,256/0", "crop=0,0,256,256&width=256"),
            ("144,44,256,256/128,/90", "crop=0,144,256,256&rotate=90&width=128"),
        ] {
            let made = try veduta.client.get("/iiif/3/b.jpg/\(tile)/default.jpg")
            let other = try veduta.client.get("/asset?id=b.jpg&format=jpeg&\(twin)")
            #expect(made.code == 200 && other.code == 200, "\(made.text.prefix(300)) \(other.text.prefix(300))")
            let (quick, own) = (Self.coding(of: made.content), Self.coding(of: other.content))
            #expect(quick.frame == 0xc0 && quick.tables == standard, "\(tile)")
            #expect(own.frame == 0xc0 && own.tables != standard, "\(twin)")
            #expect(made.field("ETag") != other.field("ETag") && made.content.count > other.content.count)
        }
        // Of the same coefficients.
        let tile = try veduta.client.get("/iiif/3/b.jpg/0,0,256,256/256,256/0/default.jpg")
        let twin = try veduta.client.get("/asset?id=b.jpg&format=jpeg&crop=0,0,256,256&width=256")
        #expect(try DecodedPicture(tile.content).samples == DecodedPicture(twin.content).samples)
        for part in ["full/256,/0/default.jpg", "square/256,/0/default.jpg", "0,0,256,256/256,/0/gray.jpg"] {
            let made = try veduta.client.get("/iiif/3/b.jpg/\(part)")
            #expect(made.code == 200 && Self.coding(of: made.content).tables != standard, "\(part)")
        }
    }

    /// The region is cut before the image is mirrored and turned: all ways to the same corner give the same image.
    @Test func regions_areThoseOfTheImageBeforeItIsTurned() throws {
        let veduta = try Self.service()
        for (rotation, turned) in [
            ("0", ""), ("!0", "&flip=h"), ("90", "&rotate=90"), ("180", "&rotate=180"), ("!270", "&flip=h&rotate=270"),
        ] {
            let cut = try veduta.client.get("\(Self.image)/10,20,60,40/max/\(rotation)/default.png")
            try veduta.pictures.add(
                "cut.png", veduta.client.get("/asset?id=scans/b.png&crop=10,20,60,40&format=png").content)
            let expected = try veduta.client.get("/asset?id=cut.png&format=png" + turned)
            let (got, wanted) = (try DecodedPicture(cut.content), try DecodedPicture(expected.content))
            #expect(got.widthPx == wanted.widthPx)
            #expect(got.samples == wanted.samples, "\(rotation)")
        }
    }

    /// The longest side that `info.json` tells holds for every form of a size, and for the tiles.
    @Test func sides_areThoseThatTheDescriptionTells() throws {
        let veduta = try Self.service { $0.imageSide = 200 }
        for (part, size) in [
            ("full/max/0", [200, 150]), ("full/pct:50/0", [200, 150]), ("full/!9000,9000/0", [200, 150]),
            ("full/^max/90", [150, 200]), ("350,250,50,50/^pct:400/0", [200, 200]),
        ] {
            let answer = try veduta.client.get("\(Self.image)/\(part)/default.png")
            #expect(answer.code == 200, "\(part): \(answer.text.prefix(500))")
            #expect(Self.size(ofPNG: answer) == size, "\(part)")
        }
        for size in ["201,", ",160", "pct:51", "^pct:100"] {
            let refused = try veduta.client.get("\(Self.image)/full/\(size)/0/default.png")
            #expect(refused.code == 400, "\(size): \(refused.code)")
            #expect(refused.text.contains("\"size\"") && refused.text.contains("200"), "\(size): \(refused.text)")
        }
        #expect(try veduta.client.get("\(Self.image)/0,0,100,300/90,/0/default.png").code == 400)
        let info = try veduta.client.get("\(Self.image)/info.json").json()
        #expect(info["maxWidth"] as? Int == 200 && info["maxHeight"] as? Int == 200)
        let tiles = try #require((info["tiles"] as? [[String: Any]])?.first)
        #expect(tiles["width"] as? Int == 200 && tiles["scaleFactors"] as? [Int] == [1, 2])
    }

    @Test func sidesOfLongImages_end() throws {
        let veduta = try Self.service()
        try veduta.pictures.add("long.png", PictureFolder.picture(6000, 12))
        for (size, code) in [("max", 200), ("pct:80", 200), ("pct:100", 400), ("^pct:84", 400), (",11", 400)] {
            let answer = try veduta.client.get("/iiif/3/long.png/full/\(size)/0/default.png")
            #expect(answer.code == code, "\(size): \(answer.code) \(answer.text.prefix(300))")
            if size == "max" { #expect(Self.size(ofPNG: answer) == [5000, 10]) }
        }
    }

    /// `max` is never larger than the image (Image API 3.0, §4.2); other sizes of drawings are.
    @Test func wholeDrawings_haveTheSizeThatTheDescriptionTells() throws {
        let veduta = try Self.service { $0.formats = [.svg] }
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='80'><circle r='30'/></svg>"
        try veduta.pictures.add("a.svg", Array(drawing.utf8))
        for version in [2, 3] {
            let info = try veduta.client.get("/iiif/\(version)/a.svg/info.json").json()
            let sides = [try #require(info["width"] as? Int), try #require(info["height"] as? Int)]
            let whole = try veduta.client.get("/iiif/\(version)/a.svg/full/max/0/default.png")
            #expect(Self.size(ofPNG: whole) == sides, "\(whole.text.prefix(300))")
            let grown = try veduta.client.get("/iiif/\(version)/a.svg/full/\(2 * sides[0]),/0/default.png")
            #expect(Self.size(ofPNG: grown) == sides.map { 2 * $0 }, "\(grown.text.prefix(300))")
        }
    }

    /// At 300 pixels to the inch, as `dpi=300` draws them, and each part as it is in the whole.
    @Test func pagesOfPDFs_areDrawnAsFineAsTheyAreDescribed() throws {
        let veduta = try Self.service { $0.formats = [.pdf] }
        let lines = (0..<70).map { "\(2 * $0) 0 0.7 216 re f 0 \(3 * $0) 144 0.4 re f" }.joined(separator: " ")
        try veduta.pictures.add("a.pdf", WrittenPDF.document([(144, 216, lines), (72, 36, "0 0 9 9 re f")]))
        for version in [2, 3] {
            let info = try veduta.client.get("/iiif/\(version)/a.pdf/info.json").json()
            #expect(info["width"] as? Int == 600 && info["height"] as? Int == 900)
            let tiles = try #require((info["tiles"] as? [[String: Any]])?.first)
            #expect(tiles["scaleFactors"] as? [Int] == [1, 2])
            #expect((info["sizes"] as? [[String: Int]])?.map { $0["width"] } == [300, 600])
        }
        let manifest = try veduta.client.get("/iiif/manifest/a.pdf").json()
        #expect((manifest["items"] as? [[String: Any]])?.map { $0["width"] as? Int } == [600, 300])
        let whole = try DecodedPicture(veduta.client.get("/iiif/3/a.pdf/full/max/0/default.png").content)
        #expect(whole.widthPx == 600 && whole.heightPx == 900)
        let drawn = try DecodedPicture(veduta.client.get("/asset?id=a.pdf&page=1&dpi=300&format=png").content)
        #expect(whole.samples == drawn.samples)
        let tile = try DecodedPicture(veduta.client.get("/iiif/3/a.pdf/344,500,256,400/max/0/default.png").content)
        #expect(tile.widthPx == 256 && tile.heightPx == 400)
        let rows = (0..<400).flatMap { row in
            let start = ((500 + row) * 600 + 344) * 4
            return whole.samples[start..<(start + 4 * 256)]
        }
        #expect(tile.samples == rows)
        #expect(tile.share { red, _, _ in red == 0 || red == 255 } > 0.3, "shapes, not an enlarged image")
        for (part, size) in [
            ("a.pdf/0,0,512,512/256,/0", [256, 256]), ("a.pdf;page=2/full/max/0", [300, 150]),
            ("a.pdf/pct:50,50,50,50/max/90", [450, 300]), ("a.pdf/full/^1200,/0", [1200, 1800]),
        ] {
            let made = try veduta.client.get("/iiif/3/\(part)/default.png")
            #expect(made.code == 200 && Self.size(ofPNG: made) == size, "\(part): \(made.text.prefix(300))")
        }
        #expect(try veduta.client.get("/iiif/3/a.pdf/600,0,9,9/max/0/default.png").code == 400)
    }

    /// No finer than a page is drawn at once.
    @Test func largePagesOfPDFs_haveAsManyPixelsAsAreDrawn() throws {
        let veduta = try Self.service { $0.formats = [.pdf] }
        try veduta.pictures.add("a.pdf", WrittenPDF.document([(3600, 1800, "0 0 900 900 re f")]))
        let info = try veduta.client.get("/iiif/3/a.pdf/info.json").json()
        #expect(info["width"] as? Int == 10_000 && info["height"] as? Int == 5000)
        let tile = try veduta.client.get("/iiif/3/a.pdf/0,4488,512,512/max/0/default.png")
        #expect(Self.size(ofPNG: tile) == [512, 512], "\(tile.text.prefix(300))")
    }

    /// A list of widths makes another request, which still cuts before it turns.
    @Test func listedWidths_leaveRegionsWhereTheyAre() throws {
        let veduta = try Self.service { $0.sizes = [60, 200] }
        let cut = try veduta.client.get("\(Self.image)/0,0,400,20/200,/90/default.png")
        #expect(cut.code == 200 && Self.size(ofPNG: cut) == [10, 200], "\(cut.text.prefix(300))")
    }

    @Test func listedWidths_shareOneKey() throws {
        let veduta = try Self.service { $0.sizes = [60, 200] }
        let first = try veduta.client.get("\(Self.image)/full/10,/0/default.png")
        #expect(first.code == 200 && Self.size(ofPNG: first) == [60, 45], "\(first.text.prefix(300))")
        let tag = try #require(first.field("ETag"))
        for part in ["full/11,/0/default", "full/^60,/360/color"] {
            let again = try veduta.client.get("\(Self.image)/\(part).png")
            #expect(again.code == 200 && again.field("ETag") == tag, "\(part)")
            #expect(again.field("Cache-Status")?.contains("hit") == true, "\(part)")
            #expect(again.content == first.content && again.field("Veduta-Region") == nil, "\(part)")
        }
        var tags = [tag]
        for path in [
            "3/scans%2Fb.png/full/61,/0/default.png", "3/scans%2Fb.png/full/,10/0/default.png",
            "3/scans%2Fb.png/full/10,10/0/default.png", "3/scans%2Fb.png/full/!10,10/0/default.png",
            "3/scans%2Fb.png/full/10,/90/default.png", "3/scans%2Fb.png/full/10,/!0/default.png",
            "3/scans%2Fb.png/full/10,/0/gray.png", "3/scans%2Fb.png/full/10,/0/default.jpg",
            "3/scans%2Fb.png/0,0,200,200/10,/0/default.png", "3/scans%2Fb.png/square/10,/0/default.png",
            "3/scans%2Fb.png/full/max/0/default.png", "2/scans%2Fb.png/full/10,/0/default.png",
        ] {
            let other = try veduta.client.get("/iiif/" + path)
            #expect(other.code == 200, "\(path): \(other.text.prefix(300))")
            tags.append(other.field("ETag") ?? "")
        }
        #expect(Set(tags).count == tags.count, "another image has another key")
    }

    /// As without a list (Image API 3.0, §4.2), whoever asked for the same image before.
    @Test(arguments: [[], [200, 640]])
    func enlarging_isJudgedByTheSizeThatIsAsked(_ sizes: [Int]) throws {
        let veduta = try Self.service { $0.sizes = sizes }
        try veduta.pictures.add("small.png", PictureFolder.picture(100, 80))
        try veduta.pictures.add("large.png", PictureFolder.picture(1500, 700))
        for (path, code) in [
            ("3/small.png/full/150,/0", 400), ("3/small.png/full/100,/0", 200), ("3/small.png/full/150,/0", 400),
            ("3/small.png/full/^150,/0", 200), ("3/small.png/full/101,/0", 400), ("2/small.png/full/150,/0", 200),
            ("3/small.png/full/,81/0", 400), ("3/small.png/full/,80/0", 200), ("3/small.png/full/100,81/0", 400),
            ("3/small.png/full/!101,101/0", 400), ("3/small.png/full/!300,80/0", 200),
            ("3/small.png/full/100,/90", 200), ("3/small.png/full/101,/90", 400), ("3/small.png/full/,81/90", 400),
            ("3/small.png/0,0,50,50/51,/0", 400), ("3/small.png/0,0,50,50/50,/0", 200),
            ("3/large.png/0,0,512,512/512,/0", 200),
        ] {
            let answer = try veduta.client.get("/iiif/\(path)/default.png")
            #expect(answer.code == code, "\(path): \(answer.code) \(answer.text.prefix(300))")
            if code == 400 { #expect(answer.text.contains("have ^ before it"), "\(path)") }
        }
        let tile = try veduta.client.get("/iiif/3/large.png/0,0,512,512/512,/0/default.png")
        #expect(Self.size(ofPNG: tile) == (sizes.isEmpty ? [512, 512] : [640, 640]))
    }

    /// Nothing is a way around a list without a length that IIIF allows.
    @Test func sizes_areRefusedWhereEveryListedOneIsTooLong() throws {
        let veduta = try Self.service { $0.sizes = [6000] }
        #expect(try veduta.client.get("\(Self.image)/full/max/0/default.png").code == 200)
        for part in ["full/100,", "full/!100,100", "0,0,200,200/100,"] {
            let refused = try veduta.client.get("\(Self.image)/\(part)/0/default.png")
            #expect(refused.code == 400, "\(part): \(refused.code)")
        }
    }

    @Test func faults_areToldAtOnce() throws {
        let veduta = try Self.service()
        let all = try veduta.client.get("\(Self.image)/0,0,0,9/^^9,/361/grey.bmp")
        #expect(all.code == 400)
        for word in ["region", "size", "rotation", "quality", "format"] {
            #expect(all.text.contains("\"\(word)\""), "\(all.text)")
        }
        for part in [
            "400,0,9,9/max/0/default.png", "full/401,/0/default.png", "full/5001,/0/default.png",
            "full/!500,500/0/default.png", "full/pct:101/0/default.png", "full/full/0/default.jpg",
            "full/0,/0/default.jpg", "pct:0,0,0,9/max/0/default.jpg", "full/max/-1/default.jpg",
            "full/max/0/default.jpg?width=9", "full/max/!/default.jpg", "full/,/0/default.jpg",
        ] {
            let refused = try veduta.client.get("\(Self.image)/\(part)")
            #expect(refused.code == 400, "\(part): \(refused.code) \(refused.text)")
        }
        for path in [
            "/iiif/3/absent.png/full/max/0/default.jpg", "/iiif/3/absent.png/info.json", "/iiif/4/a/info.json",
            "/iiif/3/", "/iiif/",
        ] {
            #expect(try veduta.client.get(path).code == 404, "\(path)")
        }
        for path in [
            "/iiif/2/" + String(repeating: "0", count: 2000), "/iiif/2/..", "/iiif/2/a/full/full/0/default.0.5",
            "/iiif/2/a/full/full/0/0.5.jpg",
        ] {
            #expect(try veduta.client.get(path).code == 400, "\(path)")
        }
        #expect(try veduta.client.get("/iiif/3/scans%2Fb.png;page=0/info.json").code == 400)
        #expect(try veduta.client.get("/iiif/3/scans%2Fb.png;page=2/full/max/0/default.jpg").code == 400)
        #expect(try veduta.client.get("/iiif/2/scans%2Fb.png/full/full/0/default.jpg").code == 200)
    }

    /// What only the source shows to be wrong has the name and the value that the client wrote.
    @Test(arguments: [
        ("/iiif/3/scans%2Fb.png/full/,1500/0/default.jpg", "size", ",1500"),
        ("/iiif/3/scans%2Fb.png/400,0,9,9/max/0/default.png", "region", "400,0,9,9"),
        ("/iiif/3/scans%2Fb.png;page=2/full/max/0/default.jpg", "page", "2"),
        ("/asset?id=scans/b.png&crop=400,0,9,9", "crop", "400,0,9,9"), ("/asset?id=scans/b.png&page=7", "page", "7"),
    ])
    func faultsOfTheSource_quoteTheRequest(_ target: String, _ parameter: String, _ value: String) throws {
        let veduta = try Self.service()
        let refused = try veduta.client.get(target)
        #expect(refused.code == 400)
        let problem = try refused.json()
        let faults = try #require(problem["parameters"] as? [[String: Any]])
        #expect(faults.count == 1 && faults[0]["parameter"] as? String == parameter, "\(refused.text)")
        #expect(faults[0]["value"] as? String == value)
        #expect((problem["detail"] as? String)?.hasPrefix("`\(parameter)` ") == true)
        withExtendedLifetime(veduta) {}
    }

    @Test func descriptions_tellSizeTilesAndLevel() throws {
        let veduta = try Self.service()
        try veduta.pictures.add("large.png", PictureFolder.picture(1500, 700))
        let answer = try veduta.client.get("/iiif/3/large.png/info.json")
        let info = try answer.json()
        #expect(info["type"] as? String == "ImageService3" && info["profile"] as? String == "level2")
        #expect((info["id"] as? String)?.hasSuffix("/iiif/3/large.png") == true)
        #expect(info["width"] as? Int == 1500 && info["height"] as? Int == 700)
        let tiles = try #require((info["tiles"] as? [[String: Any]])?.first)
        #expect(tiles["width"] as? Int == 512 && tiles["scaleFactors"] as? [Int] == [1, 2, 4])
        let sizes = try #require(info["sizes"] as? [[String: Int]])
        #expect(sizes.map { $0["width"] } == [375, 750, 1500] && sizes.map { $0["height"] } == [175, 350, 700])
        let former = try veduta.client.get("/iiif/2/large.png/info.json").json()
        #expect((former["profile"] as? [Any])?.first as? String == "http://iiif.io/api/image/2/level2.json")
        #expect((former["@id"] as? String)?.hasSuffix("/iiif/2/large.png") == true)
        let base = try veduta.client.get("/iiif/3/large.png")
        #expect(base.code == 303 && base.field("Location")?.hasSuffix("/iiif/3/large.png/info.json") == true)
        let kept = try veduta.client.get(
            "/iiif/3/large.png/info.json", "If-None-Match: \(answer.field("ETag") ?? "")")
        #expect(kept.code == 304)
    }

    /// Version 3 is linked data to those who say nothing (Image API 3.0, §5.1; Presentation API 3.0, §6.3), version 2 is not (§5).
    @Test func documents_areOfTheTypeThatIsAsked() throws {
        let veduta = try Self.service()
        func type(_ path: String, _ accept: String? = nil) throws -> String? {
            let target = "/iiif/\(path)"
            guard let accept else { return try veduta.client.get(target).field("Content-Type") }
            return try veduta.client.get(target, "Accept: \(accept)").field("Content-Type")
        }
        for (path, profile, isSilentlyLinked) in [
            ("2/scans%2Fb.png/info.json", "image/2", false), ("3/scans%2Fb.png/info.json", "image/3", true),
            ("manifest/scans%2Fb.png", "presentation/3", true),
        ] {
            let linked = "application/ld+json;profile=\"http://iiif.io/api/\(profile)/context.json\""
            #expect(try type(path) == (isSilentlyLinked ? linked : "application/json"), "\(path)")
            for accept in ["application/ld+json", linked] {
                #expect(try type(path, accept) == linked, "\(path): \(accept)")
            }
            for accept in ["application/json", "*/*", "text/html, */*;q=0.8"] {
                #expect(try type(path, accept) == "application/json", "\(path): \(accept)")
            }
        }
    }

    @Test func everyAnswer_mayBeReadByEveryPage() throws {
        let veduta = try Self.service()
        for (path, code) in [
            ("3/scans%2Fb.png", 303), ("3/scans%2Fb.png/info.json", 200), ("manifest/scans%2Fb.png", 200),
            ("3/scans%2Fb.png/full/max/0/grey.jpg", 400), ("3/absent.png/info.json", 404), ("4/a/info.json", 404),
        ] {
            let answer = try veduta.client.get("/iiif/\(path)", "Origin: https://a.org")
            #expect(answer.code == code && answer.field("Access-Control-Allow-Origin") == "*", "\(answer.head)")
        }
    }

    @Test func manifests_haveACanvasForEachPage() throws {
        let veduta = try Self.service()
        let manifest = try veduta.client.get("/iiif/manifest/scans%2Fb.png").json()
        #expect(manifest["type"] as? String == "Manifest")
        let canvases = try #require(manifest["items"] as? [[String: Any]])
        #expect(canvases.count == 1 && canvases[0]["width"] as? Int == 400)
        let page = try #require((canvases[0]["items"] as? [[String: Any]])?.first)
        let annotation = try #require((page["items"] as? [[String: Any]])?.first)
        let body = try #require(annotation["body"] as? [String: Any])
        let address = try #require(body["id"] as? String)
        let path = try #require(address.firstRange(of: "/iiif/")).lowerBound
        #expect(try veduta.client.get(String(address[path...])).code == 200)
    }

    @Test func images_areKeptAndPurgedWithTheirAsset() throws {
        let veduta = try Self.service { $0.token = AccessToken("secret") }
        let target = "\(Self.image)/0,0,200,200/100,/0/default.jpg"
        #expect(try veduta.client.get(target).field("Cache-Status")?.contains("fwd=uri-miss") == true)
        #expect(try veduta.client.get(target).field("Cache-Status")?.contains("hit") == true)
        let purged = try veduta.client.get("/cache?id=scans/b.png", method: "DELETE", "Authorization: Bearer secret")
        #expect(purged.code == 200)
        #expect(try veduta.client.get(target).field("Cache-Status")?.contains("hit") == false)
    }

    /// Here is no way around `--metadata` and `--presets-only`.
    @Test func whatIsNotForEverybody_isNotForViewers() throws {
        let veduta = try Self.service {
            $0.token = AccessToken("secret")
            $0.metadata = .token
            $0.presetsOnly = true
        }
        let facts = ["\(Self.image)/info.json", "/iiif/manifest/scans%2Fb.png"]
        for target in facts {
            #expect(try veduta.client.get(target).code == 401, "\(target)")
            let told = try veduta.client.get(target, "Authorization: Bearer secret")
            #expect(told.code == 200 && told.field("Cache-Control") == "private, no-cache")
            #expect(try veduta.client.get(target).code == 401, "\(target)")
        }
        let image = try veduta.client.get("\(Self.image)/full/100,/0/default.jpg")
        #expect(image.code == 400 && image.text.contains("this server takes only `id` and `preset`"))
    }

    /// As documents of maps do; images have no addresses in them.
    @Test func documentsWithAddressesOfAProxy_areInNoSharedCache() throws {
        let veduta = try Self.service { $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none }
        let documents = [Self.image, "\(Self.image)/info.json", "/iiif/manifest/scans%2Fb.png"]
        let host = "X-Forwarded-Host: images.example.org"
        for document in documents {
            let forwarded = try veduta.client.get(document, host)
            #expect(forwarded.field("Cache-Control") == "private, no-cache", "\(document)")
            #expect(forwarded.field("Vary")?.contains("X-Forwarded-Host") == true)
            #expect(try veduta.client.get(document).field("Cache-Control")?.hasPrefix("max-age=") == true)
        }
        let image = try veduta.client.get("\(Self.image)/full/100,/0/default.jpg", host)
        #expect(image.code == 200 && image.field("Cache-Control")?.hasPrefix("max-age=") == true)
    }

    @Test func serversWithKeys_wantSignatures_alsoOfSets() throws {
        let key = try #require(SigningKey(text: "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
        let veduta = try Self.service { $0.keys = SigningKeys([key]) }
        let target = "\(Self.image)/full/100,/0/default.jpg"
        #expect(try veduta.client.get(target).code == 403)
        let set = "path=\(Self.image)|\(Self.image)/*"
        let text = URLSignature.message(forSet: set, expires: nil)
        let allow = set.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let credentials = "?allow=\(allow)&sig=\(URLSignature.sign(text, with: key))"
        #expect(try veduta.client.get(target + credentials).code == 200)
        #expect(try veduta.client.get("\(Self.image)/info.json" + credentials).code == 200)
        let base = try veduta.client.get(Self.image + credentials)
        let location = try #require(base.field("Location"))
        #expect(base.code == 303)
        let path = try #require(location.firstRange(of: "/iiif/")).lowerBound
        #expect(try veduta.client.get(String(location[path...])).code == 200)
        #expect(try veduta.client.get("/iiif/3/a.png/full/100,/0/default.jpg" + credentials).code == 403)
    }
}
