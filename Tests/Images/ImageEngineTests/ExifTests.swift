import Bytes
import SeededRandom
import Testing

@testable import ImageEngine

@Suite(.timeLimit(.minutes(5))) struct ExifTests {
    /// One entry: what it is about, its type, how many values, and their bytes.
    private struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        let value: [UInt8]
    }

    /// Writes a block of up to three directories.
    private struct Writer {
        var isBigEndian = true

        func number(_ value: Int, _ width: Int) -> [UInt8] { isBigEndian ? big(value, width) : little(value, width) }

        func text(_ tag: Int, _ text: String) -> Entry {
            Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
        }

        func short(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, type: 3, count: 1, value: number(value, 2)) }

        func ratio(_ tag: Int, _ above: Int, _ below: Int, isSigned: Bool = false) -> Entry {
            Entry(tag: tag, type: isSigned ? 10 : 5, count: 1, value: number(above, 4) + number(below, 4))
        }

        func block(_ picture: [Entry], exposure: [Entry] = [], place: [Entry] = []) -> [UInt8] {
            var bytes = (isBigEndian ? Array("MM".utf8) : Array("II".utf8)) + number(42, 2) + number(8, 4)
            let first = directory(picture, at: 8, also: 2)
            let second = directory(exposure, at: 8 + first.count, also: 0)
            let pointers = [
                Entry(tag: 0x8769, type: 4, count: 1, value: number(8 + first.count, 4)),
                Entry(tag: 0x8825, type: 4, count: 1, value: number(8 + first.count + second.count, 4)),
            ]
            bytes += directory(picture + pointers, at: 8, also: 0) + second
            return bytes + directory(place, at: bytes.count, also: 0)
        }

        /// `also` is how many entries of four bytes are counted in without being written.
        private func directory(_ entries: [Entry], at start: Int, also: Int) -> [UInt8] {
            var head = number(entries.count + also, 2)
            var away: [UInt8] = []
            let end = start + 2 + (entries.count + also) * 12 + 4
            for entry in entries {
                head += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
                if entry.value.count <= 4 {
                    head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                } else {
                    head += number(end + away.count, 4)
                    away += entry.value
                }
            }
            return head + [UInt8](repeating: 0, count: also * 12 + 4) + away
        }
    }

    private func summary(_ bytes: [UInt8]) -> ExifSummary? { ExifReader.summary(of: SharedBytes(bytes).span) }

    private func camera(_ writer: Writer) -> [UInt8] {
        writer.block(
            [writer.text(0x010f, "Maker "), writer.text(0x0110, "One"), writer.text(0x0132, "2020:01:02 03:04:05")],
            exposure: [
                writer.ratio(0x829a, 1, 250), writer.ratio(0x829d, 28, 10), writer.short(0x8827, 400),
                writer.text(0x9003, "2024:05:17 09:41:00"), writer.text(0x9011, "+02:00"),
                writer.ratio(0x9204, -2, 3, isSigned: true), writer.short(0x9209, 0x19), writer.ratio(0x920a, 50, 1),
                writer.short(0xa405, 75), writer.text(0xa433, "Glass"), writer.text(0xa434, "50 mm ƒ/2.8"),
            ], place: [writer.ratio(0x0002, 43, 1), writer.ratio(0x0004, 11, 1)])
    }

    @Test(arguments: [true, false], ["", "Exif\0\0"])
    func everyFieldIsReadInBothOrders(_ isBigEndian: Bool, _ mark: String) {
        let bytes = Array(mark.utf8) + camera(Writer(isBigEndian: isBigEndian))
        #expect(
            summary(bytes)
                == ExifSummary(
                    cameraMaker: "Maker", cameraModel: "One", lensMaker: "Glass", lensModel: "50 mm ƒ/2.8",
                    takenAt: "2024-05-17T09:41:00+02:00", exposureSeconds: 1.0 / 250, fNumber: 2.8, isoSpeed: 400,
                    exposureBiasEV: -2.0 / 3, focalLengthMm: 50, focalLength35Mm: 75, flashFired: true,
                    hasLocation: true))
    }

    @Test(arguments: [
        "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 00:00:00", "2024:01:32 00:00:00",
        "2024:01:01 24:00:00", "2024-01-01 00:00:00", "2024:01:01", "",
    ])
    func whatIsNoDateIsAbsent(_ text: String) {
        let writer = Writer()
        #expect(summary(writer.block([writer.text(0x0132, text), writer.text(0x0110, "One")]))?.takenAt == nil)
    }

    @Test func textLosesWhatCannotBeSeen() {
        let writer = Writer()
        #expect(summary(writer.block([writer.text(0x0110, " a\u{1b}[2J\nb\u{9b} ")]))?.cameraModel == "a[2Jb")
        #expect(
            summary(writer.block([writer.text(0x0110, String(repeating: "x", count: 5000))]))?.cameraModel?.count == 128
        )
    }

    @Test func valuesThatLieAreAbsent() {
        let writer = Writer()
        let far = Entry(tag: 0x0110, type: 2, count: 0xffff_ffff, value: writer.number(0xffff_fff0, 4) + [0])
        #expect(summary(writer.block([far])) == nil)
        #expect(summary(writer.block([], exposure: [writer.ratio(0x829a, 1, 0)])) == nil)
        #expect(summary(writer.block([writer.short(0x010f, 1)])) == nil)
        #expect(summary([]) == nil)
        #expect(summary(Array("Exif\0\0".utf8)) == nil)
    }

    /// libtiff gives pointers a type of their own (TIFF, Adobe PageMaker 6.0 note).
    @Test func pointersMayBeOfTheirOwnType() {
        let exposure: [UInt8] = [0, 1, 0x88, 0x27, 0, 3, 0, 0, 0, 1, 1, 0x90, 0, 0, 0, 0, 0, 0]
        let file: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 13, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
        #expect(summary(file + exposure)?.isoSpeed == 400)
    }

    @Test func directoriesThatPointAtThemselvesEnd() {
        let writer = Writer()
        let pointer = Entry(tag: 0x8769, type: 4, count: 1, value: writer.number(8, 4))
        #expect(summary(writer.block([pointer, writer.text(0x0110, "One")]))?.cameraModel == "One")
    }

    /// Damage may change what is read, never the fate of the process.
    @Test func hostileExif_neverTraps() {
        var random = SeededGenerator(state: 5)
        for isBigEndian in [true, false] {
            let whole = camera(Writer(isBigEndian: isBigEndian))
            for length in 0..<whole.count { _ = summary(Array(whole[..<length])) }
            for _ in 0..<3000 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let place = Int.random(in: 4..<bytes.count, using: &random)
                    bytes[place] = Bool.random(using: &random) ? 0xff : UInt8.random(in: 0...255, using: &random)
                }
                _ = summary(bytes)
            }
        }
    }
}
