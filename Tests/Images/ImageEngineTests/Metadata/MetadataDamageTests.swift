import Bytes
import ImagePlan
import SeededRandom
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Metadata that lies: never a trap, and never more than there was.
    @Suite struct MetadataDamageTests {
        private func everyUse(of exif: [UInt8]) {
            let directory = TIFFDirectory(exif: exif)
            let written = directory.written(at: 8, isBigEndian: false)
            #expect(written.count <= 2 * exif.count + 100)
            let block = EXIFBlock(describing: SharedBytes(exif).span)
            _ = block?.upright()
            #expect(block?.credits()?.count ?? 0 < 2200)
        }

        @Test(arguments: [true, false]) func directoriesOfEXIF(_ isBigEndian: Bool) {
            let whole = wholeEXIF(isBigEndian: isBigEndian)
            for count in 0..<whole.count { everyUse(of: Array(whole[..<count])) }
            for index in whole.indices {
                for value in [UInt8(0), 1, 127, 255] {
                    var broken = whole
                    broken[index] = value
                    everyUse(of: broken)
                }
            }
            var random = SeededGenerator(state: 3)
            for _ in 0..<3000 { everyUse(of: damaged(whole, &random)) }
        }

        /// Clearing the place of the thumbnail would change the place of the directory.
        @Test func directoryInTheHead_isNone() {
            for start in UInt8(0)..<8 {
                let file = Array("MM".utf8) + [0, 42, 0, 0, 0, start] + [UInt8](repeating: 0, count: 40)
                #expect(EXIFBlock(file) == nil)
            }
        }

        /// Every entry claims all of the file: they are copied until there is as much as the file has.
        @Test func entriesThatClaimTheSameBytes_areCopiedOnce() {
            let (count, length) = (500, 100_000)
            var file = Array("II".utf8) + [42, 0] + little(8, 4) + little(1, 2)
            file += little(0x8769, 2) + little(4, 2) + little(1, 4) + little(26, 4) + little(0, 4)
            file += little(count, 2)
            for tag in 0..<count { file += little(0x9000 + tag, 2) + little(7, 2) + little(length, 4) + little(0, 4) }
            file += [UInt8](repeating: 7, count: length)
            let written = TIFFDirectory(exif: file).written(at: 8, isBigEndian: true)
            #expect(written.count > length && written.count < file.count + 100)
        }

        /// A directory that leads to itself is read once as each kind.
        @Test func directoriesThatLeadToThemselvesEnd() {
            let start: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 3]
            let pointers: [[UInt8]] = [[0x87, 0x69], [0x88, 0x25], [0xa0, 0x05]]
            let file = start + pointers.flatMap { $0 + [0, 4, 0, 0, 0, 1, 0, 0, 0, 8] } + [0, 0, 0, 0]
            #expect(TIFFDirectory(exif: file).written(at: 8, isBigEndian: true).count < 500)
        }

        @Test func filesThatLibrariesWrote() throws {
            try engineStart.get()
            let metadata = ImageMetadata(exif: wholeEXIF(isBigEndian: true), xmp: everyCredit, iptc: everyRecord)
            let added = everyCredit.count + everyRecord.count + 2 * (metadata.exif?.count ?? 0) + 70_000
            var random = SeededGenerator(state: 4)
            for format in [OutputFormat.tiff, .jxl] where ImageEngine.canWrite(format) {
                let plain = try texture(24, 16, format)
                let whole = MetadataWriter.adding(plain, format, metadata, profile: nil, widthPx: 24, heightPx: 16)
                for _ in 0..<1500 {
                    let file = SharedBytes(damaged((Bool.random(using: &random) ? plain : whole).array, &random))
                    let dressed = MetadataWriter.adding(file, format, metadata, profile: nil, widthPx: 24, heightPx: 16)
                    #expect(dressed.count <= file.count + added)
                    for name in ["Exif", "xml "] {
                        let box = JXLContainer.content(of: name, in: file.span, byteLimit: 1 << 20)
                        #expect(box?.count ?? 0 <= file.count)
                    }
                }
            }
        }

        /// Whole pictures with broken metadata are still pictures.
        @Test(arguments: [OutputFormat.jpeg, .tiff, .jxl]) func brokenMetadataIsNoBrokenPicture(
            _ format: OutputFormat
        ) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            let plain = try texture(24, 16, .jpeg)
            var random = SeededGenerator(state: 5)
            for _ in 0..<40 {
                let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + damaged(everyCredit, &random)
                let exif =
                    Array("Exif\0\0".utf8) + damaged(wholeEXIF(isBigEndian: Bool.random(using: &random)), &random)
                var jpeg = inserting(0xed, damaged(resources(everyRecord), &random), into: plain)
                jpeg = inserting(0xe1, xmp, into: jpeg)
                jpeg = inserting(0xe1, exif, into: jpeg)
                for policy in ["copyright", "keep"] {
                    let content = try render(jpeg, "rotate=none&metadata=\(policy)", format).content
                    #expect(try Decoded(content).widthPx == 24)
                    #expect(content.count < 30_000)
                }
            }
        }

        @Test func boxesOfJPEGXLThatLie() {
            let head: [UInt8] = [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]
            func content(_ boxes: [UInt8]) -> [UInt8]? {
                JXLContainer.content(of: "xml ", in: SharedBytes(head + boxes).span, byteLimit: 100)
            }
            let name = Array("xml ".utf8)
            #expect(content([0, 0, 0, 9] + name + [7]) == [7])
            #expect(content([0, 0, 0, 0] + name + [7, 8]) == [7, 8])
            #expect(content([0, 0, 0, 1] + name + [0, 0, 0, 0, 0, 0, 0, 17, 7]) == [7])
            #expect(content([0, 0, 0, 1] + name + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 7]) == nil)
            #expect(content([0, 0, 0, 10] + name + [7]) == nil)
            #expect(content([0, 0, 0, 7] + name) == nil)
            #expect(content([0, 0, 0, 8] + name) == nil)
            #expect(content([0, 0, 0, 0] + name + [UInt8](repeating: 1, count: 101)) == nil)
            #expect(content(Array(repeating: [0, 0, 0, 8, 1, 1, 1, 1], count: 20_000).flatMap { $0 }) == nil)
        }
    }
}
