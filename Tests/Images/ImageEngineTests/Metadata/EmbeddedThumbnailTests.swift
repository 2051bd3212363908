import Testing

@testable import ImageEngine

/// EXIF, little-endian: an empty first directory, and a second whose small picture stands in strips or tiles; a third one
/// has a JPEG. `tags` are those of places and lengths, `type` is that of both: 3 for two bytes, 4 for four.
private func exifInPieces(_ tags: (places: Int, lengths: Int), type: Int, pieces: [String]) -> [UInt8] {
    let size = type == 3 ? 2 : 4
    let isInside = pieces.count * size <= 4
    let second = 8 + 2 + 12 + 4
    let arrays = second + 2 + 2 * 12 + 4
    let third = arrays + (isInside ? 0 : 2 * pieces.count * size)
    let first = third + 2 + 2 * 12 + 4
    var places: [Int] = []
    let lengths = pieces.map(\.utf8.count)
    var end = first
    for length in lengths {
        places.append(end)
        end += length
    }
    func entry(_ tag: Int, _ values: [Int], at place: Int) -> [UInt8] {
        let inside = values.flatMap { little($0, size) }
        let padding = [UInt8](repeating: 0, count: max(0, 4 - inside.count))
        return little(tag, 2) + little(type, 2) + little(values.count, 4)
            + (isInside ? inside + padding : little(place, 4))
    }
    var file = Array("II".utf8) + [42, 0] + little(8, 4)
    file += little(1, 2) + little(0x0112, 2) + little(3, 2) + little(1, 4) + little(6, 4) + little(second, 4)
    file += little(2, 2) + entry(tags.places, places, at: arrays)
    file += entry(tags.lengths, lengths, at: arrays + pieces.count * size) + little(third, 4)
    if !isInside { file += (places + lengths).flatMap { little($0, size) } }
    file += little(2, 2) + little(0x0201, 2) + little(4, 2) + little(1, 4) + little(end, 4)
    file += little(0x0202, 2) + little(4, 2) + little(1, 4) + little(5, 4) + little(0, 4)
    return file + pieces.flatMap { Array($0.utf8) } + Array("THIRDkept".utf8)
}

/// Cuts `whole` off after every byte and puts others in the place of each.
func damageEverywhere(_ whole: [UInt8]) {
    for count in 0..<whole.count {
        let block = EXIFBlock(Array(whole[..<count]))
        _ = block?.upright()
        _ = block?.credits()
    }
    for index in whole.indices {
        for value in [UInt8(0), 1, 127, 255] {
            var broken = whole
            broken[index] = value
            let block = EXIFBlock(broken)
            _ = block?.upright()
            _ = block?.credits()
        }
    }
}

extension EngineTests {
    /// Small pictures inside EXIF that are no JPEG.
    @Suite struct SmallPictureTests {
        /// The small picture shows what a crop has cut off, and what lay below a filter.
        @Test(arguments: [
            (0x0111, 0x0117, 4, ["PIXELS"]), (0x0111, 0x0117, 4, ["PIXELS", "MORE", "LAST"]),
            (0x0111, 0x0117, 3, ["PIXELS", "MORE", "LAST"]), (0x0111, 0x0117, 3, ["PIXELS"]),
            (0x0144, 0x0145, 4, ["PIXELS", "MORE"]),
        ])
        func smallPicturesInPiecesAreWiped(_ places: Int, _ lengths: Int, _ type: Int, _ pieces: [String]) throws {
            let block = exifInPieces((places, lengths), type: type, pieces: pieces)
            let text = String(decoding: block, as: UTF8.self)
            for word in pieces + ["THIRD"] { #expect(text.contains(word)) }
            let upright = try #require(EXIFBlock(block)?.upright())
            let left = String(decoding: upright, as: UTF8.self)
            for word in pieces + ["THIRD"] { #expect(!left.contains(word), "\(word)") }
            #expect(left.hasSuffix("kept"), "what no tag names is left alone")
            #expect(upright.count == block.count)
            #expect(Array(upright[18..<26]) == [1, 0, 0, 0, 0, 0, 0, 0], "upright, and nothing leads there")
        }

        @Test func piecesThatClaimTheSameBytesAreWipedOnce() throws {
            // 4096 strips, each of them all of the rest: not 4096 passes, and not past the end.
            let count = 4096
            var block = exifInPieces((0x0111, 0x0117), type: 4, pieces: Array(repeating: "x", count: count))
            let arrays = 8 + 2 + 12 + 4 + 2 + 2 * 12 + 4
            let start = arrays + 8 * count
            for index in 0..<count {
                let length = block.count - start
                for place in 0..<4 {
                    block[arrays + index * 4 + place] = UInt8(truncatingIfNeeded: start >> (place * 8))
                    block[arrays + (count + index) * 4 + place] = UInt8(truncatingIfNeeded: length >> (place * 8))
                }
            }
            #expect(EXIFBlock(block)?.upright().count == start)
        }

        @Test func lengthsThatSayTooMuch_orNothing_wipeAllThatIsThere() throws {
            let whole = exifInPieces((0x0111, 0x0117), type: 4, pieces: ["PIXELS"])
            // The second entry of the second directory: its tag, and its value.
            let entry = 8 + 2 + 12 + 4 + 2 + 12
            var tooLong = whole
            tooLong[entry + 10] = 1
            var absent = whole
            absent[entry] = 0x18
            for block in [tooLong, absent] {
                let upright = try #require(EXIFBlock(block)?.upright())
                #expect(!String(decoding: upright, as: UTF8.self).contains("PIXELS"))
                #expect(upright[..<26] == whole[..<18] + [1, 0, 0, 0, 0, 0, 0, 0])
            }
        }

        @Test func pixelsBeforeTheFirstDirectoryAreWiped() throws {
            func entry(_ tag: Int, _ value: Int) -> [UInt8] {
                var bytes = little(tag, 2)
                bytes += little(4, 2)
                bytes += little(1, 4)
                bytes += little(value, 4)
                return bytes
            }
            let second: [UInt8] = [little(2, 2), entry(0x0111, 8), entry(0x0117, 6), little(0, 4)].flatMap { $0 }
            let first: [UInt8] = [little(1, 2), entry(0x0112, 6), little(14, 4)].flatMap { $0 }
            let head: [UInt8] = Array("II".utf8) + [42, 0] + little(14 + second.count, 4)
            let file: [UInt8] = [head, Array("PIXELS".utf8), second, first].flatMap { $0 }
            let upright = try #require(EXIFBlock(file)?.upright())
            #expect(upright.count == file.count)
            #expect(upright[8..<14].allSatisfy { $0 == 0 })
            let after: [UInt8] = [little(1, 2), entry(0x0112, 1), little(0, 4)].flatMap { $0 }
            #expect(Array(upright[(14 + second.count)...]) == after)
        }

        @Test func brokenPiecesNeverEndTheProcess() {
            for tags in [(0x0111, 0x0117), (0x0144, 0x0145)] {
                damageEverywhere(exifInPieces(tags, type: 4, pieces: ["PIXELS", "MORE", "LAST"]))
            }
        }
    }
}
