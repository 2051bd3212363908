import Bytes
import CVips
import ImagePlan

@testable import ImageEngine

/// A photograph with a gain map, put together by hand from two JPEGs.
struct HDRPhotograph {
    var size = PixelSize(widthPx: 800, heightPx: 600)
    var mapSize = PixelSize(widthPx: 200, heightPx: 150)
    var isColor = false
    var hasXMP = true
    var hasISO = true
    var hasDirectory = true
    /// Added to the place of the map in the directory.
    var shift = 0

    static let numbers =
        "hdrgm:Version=\"1.0\" hdrgm:GainMapMin=\"-0.25\" hdrgm:GainMapMax=\"2.321928\" hdrgm:Gamma=\"1.2\" "
        + "hdrgm:OffsetSDR=\"0.015625\" hdrgm:OffsetHDR=\"0.015625\" hdrgm:HDRCapacityMin=\"0\" hdrgm:HDRCapacityMax=\"2.5\""

    static let iso: [UInt8] =
        [0, 0, 0, 0, 0x40] + numbers(0, 1, 5, 2, -1, 4, 232_193, 100_000, 12, 10, 1, 64, 1, 64)

    private static func numbers(_ values: Int...) -> [UInt8] { values.flatMap { bigEndian($0, 4) } }

    /// Green and dark, with a red, bright block at the top left, a quarter of the sides.
    func file() throws -> SharedBytes {
        let first = try picture(size.widthPx, size.heightPx, .jpeg) { x, y in
            x < size.widthPx / 4 && y < size.heightPx / 4 ? red : green
        }
        return try file(first)
    }

    func file(_ first: SharedBytes) throws -> SharedBytes {
        let map = try map()
        var added: [UInt8] = []
        if hasXMP { added += xmp(directory(map.count)) }
        if hasISO { added += segment(0xe2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0]) }
        if hasDirectory { added += multiPicture(first.count + added.count + 90, map.count, at: 2 + added.count) }
        let bytes = first.array
        return SharedBytes(bytes[..<2] + added + bytes[2...] + map)
    }

    func map() throws -> [UInt8] {
        let colors = try picture(mapSize.widthPx, mapSize.heightPx, .jpeg) { x, y in
            x < mapSize.widthPx / 4 && y < mapSize.heightPx / 4 ? [255, 255, 255, 255] : [20, 20, 20, 255]
        }
        var plain = colors
        if !isColor {
            let grey = try Source.load(colors, .jpeg).inGrey()
            plain = try grey.encodedAsJPEG(quality: 95, isProgressive: false, in: RenderContext()) ?? colors
        }
        var added: [UInt8] = []
        if hasXMP {
            let secret = "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" dc:source=\"the cellar\""
            added += xmp(
                "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" \(secret) "
                    + Self.numbers + "/>")
        }
        if hasISO { added += segment(0xe2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + Self.iso) }
        return plain.array[..<2] + added + plain.array[2...]
    }

    private func directory(_ count: Int) -> String {
        "<rdf:Description xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
            + "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" "
            + "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\"><Container:Directory><rdf:Seq>"
            + "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"Primary\" Item:Mime=\"image/jpeg\"/></rdf:li>"
            + "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" "
            + "Item:Length=\"\(count)\"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>"
    }

    private func xmp(_ description: String) -> [UInt8] {
        segment(
            0xe1,
            Array(
                ("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
                    + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\(description)</rdf:RDF></x:xmpmeta>")
                    .utf8))
    }

    /// In Intel's byte order, which ours is not.
    private func multiPicture(_ first: Int, _ second: Int, at place: Int) -> [UInt8] {
        var content = Array("MPF\0II*\0".utf8) + littleEndian(8, 4) + littleEndian(3, 2)
        content += littleEndian(0xb000, 2) + littleEndian(7, 2) + littleEndian(4, 4) + Array("0100".utf8)
        content += littleEndian(0xb001, 2) + littleEndian(4, 2) + littleEndian(1, 4) + littleEndian(2, 4)
        content += littleEndian(0xb002, 2) + littleEndian(7, 2) + littleEndian(32, 4) + littleEndian(50, 4)
        content += littleEndian(0, 4)
        content += littleEndian(0x03_0000, 4) + littleEndian(first, 4) + littleEndian(0, 8)
        content += littleEndian(0, 4) + littleEndian(second, 4) + littleEndian(first - place - 8 + shift, 4)
        content += littleEndian(0, 4)
        return segment(0xe2, content)
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xff, marker] + bigEndian(content.count + 2, 2) + content
    }
}
