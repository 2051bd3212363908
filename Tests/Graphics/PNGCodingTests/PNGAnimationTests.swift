import Bytes
import Glibc
import SeededRandom
import Testing

@testable import PNGCoding

/// Animations are read as the standard has it: parts laid over what was there, what is transparent left out.
@Suite(.timeLimit(.minutes(5))) struct PNGAnimationTests {
    private struct Chunk {
        var name: String
        var content: [UInt8]
    }

    private func chunks(_ file: [UInt8]) -> [Chunk] {
        var (chunks, place): ([Chunk], Int) = ([], 8)
        while place + 12 <= file.count {
            let count = word(file, place)
            let name = String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self)
            chunks.append(Chunk(name: name, content: Array(file[(place + 8)..<(place + 8 + count)])))
            place += 12 + count
        }
        return chunks
    }

    private func word(_ bytes: [UInt8], _ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }

    private func pixels(_ stream: [UInt8], _ widthPx: Int, _ heightPx: Int) -> [UInt8]? {
        let header = PNGCoding.bigEndian(UInt32(widthPx)) + PNGCoding.bigEndian(UInt32(heightPx)) + [8, 6, 0, 0, 0]
        let file =
            PNGCoding.signature + PNGCoding.chunk("IHDR", header) + PNGCoding.chunk("IDAT", stream)
            + PNGCoding.chunk("IEND", [])
        guard let decoder = PNGDecoder(SharedBytes(file)), let memory = decoder.decode() else { return nil }
        defer { free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: widthPx * heightPx * 4))
    }

    @Test(arguments: [(1, 1, 2), (7, 5, 4), (40, 3, 6)])
    func frames_areThoseThatWereGiven(_ widthPx: Int, _ heightPx: Int, _ count: Int) throws {
        var random = SeededGenerator(state: UInt64(widthPx))
        var frame = (0..<(widthPx * heightPx)).flatMap { _ in [UInt8.random(in: 0...9, using: &random), 80, 90, 255] }
        var frames: [[UInt8]] = []
        for number in 0..<count {
            // The second is the same as the first.
            for _ in 0..<(number == 1 ? 0 : 3) {
                frame[Int.random(in: 0..<(widthPx * heightPx), using: &random) * 4] &+= 100
            }
            frames.append(frame)
        }
        var animation = try #require(
            PNGAnimation(widthPx: widthPx, heightPx: heightPx, frameCount: count, still: frame))
        let added = frames.enumerated().map { number, frame in animation.append(frame, delayMs: 40 + number) }
        let isShortAdded = animation.append([1, 2, 3], delayMs: 1)
        #expect(added.allSatisfy { $0 } && !isShortAdded)
        let file = animation.finish().withUnsafeBytes { Array($0) }
        let parts = chunks(file)
        #expect(parts.prefix(3).map(\.name) == ["IHDR", "acTL", "IDAT"] && parts.last?.name == "IEND")
        #expect(parts[1].content == PNGCoding.bigEndian(UInt32(count)) + PNGCoding.bigEndian(1))
        #expect(pixels(parts[2].content, widthPx, heightPx) == frame)
        var canvas = [UInt8](repeating: 0, count: widthPx * heightPx * 4)
        for number in 0..<count {
            let (control, data) = (parts[3 + 2 * number], parts[4 + 2 * number])
            #expect(control.name == "fcTL" && data.name == "fdAT")
            #expect(word(control.content, 0) == 2 * number && word(data.content, 0) == 2 * number + 1)
            #expect(Array(control.content[20...]) == [0, UInt8(40 + number), 3, 0xe8, 0, 1])
            let (width, height) = (word(control.content, 4), word(control.content, 8))
            let (left, top) = (word(control.content, 12), word(control.content, 16))
            #expect(left + width <= widthPx && top + height <= heightPx)
            let part = try #require(pixels(Array(data.content[4...]), width, height))
            for y in 0..<height {
                for x in 0..<width {
                    let (from, to) = ((y * width + x) * 4, ((top + y) * widthPx + left + x) * 4)
                    if part[from + 3] == 255 { canvas.replaceSubrange(to..<(to + 4), with: part[from..<(from + 4)]) }
                }
            }
            #expect(canvas == frames[number], "\(number)")
        }
    }

    @Test func picturesOfAnotherSize_areRefused() {
        #expect(PNGAnimation(widthPx: 2, heightPx: 2, frameCount: 1, still: [1, 2, 3, 255]) == nil)
        #expect(PNGAnimation(widthPx: 0, heightPx: 2, frameCount: 1, still: []) == nil)
    }
}
