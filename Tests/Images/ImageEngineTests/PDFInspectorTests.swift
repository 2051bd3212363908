import Bytes
import ImagePlan
import Testing
import WrittenDocuments

@testable import ImageEngine

/// #15.6: the commands of a PDF are counted however they are packed and however often they are drawn.
@Suite(.timeLimit(.minutes(5))) struct DocumentSurveyTests {
    private static let commands = Array(String(repeating: "0 0 m 600 600 l S\n", count: 20_000).utf8)
    private static let count = 20_000 * 18 / PDFInspector.bytesPerElement

    private func inspector(_ bytes: [UInt8]) throws -> DrawingComplexity {
        try PDFInspector.complexity(of: SharedBytes(bytes))
    }

    /// A page whose content is a stream with this dictionary; `more` adds objects from number 5 on.
    private func page(
        _ dictionary: String, _ content: [UInt8], resources: String = "", more: (inout WrittenPDF) -> Void = { _ in }
    ) -> [UInt8] {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Resources << \(resources) >> /Contents 4 0 R >>")
        file.add(dictionary, stream: content)
        more(&file)
        return file.bytes(root: 1)
    }

    private static func ascii85(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let part = bytes[start..<min(start + 4, bytes.count)]
            var group = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (4 - part.count))
            var digits: [UInt8] = []
            for _ in 0..<5 {
                digits.append(33 + UInt8(group % 85))
                group /= 85
            }
            text += digits.reversed().prefix(part.count + 1)
        }
        return text + Array("~>".utf8)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) }
            + Array(">".utf8)
    }

    /// LZW without a table: it is cleared before it grows.
    private static func lzw(_ bytes: [UInt8]) -> [UInt8] {
        var (packed, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        func put(_ code: UInt32) {
            bits = bits << 9 | code
            count += 9
            while count >= 8 {
                packed.append(UInt8(truncatingIfNeeded: bits >> UInt32(count - 8)))
                count -= 8
                bits &= (1 << UInt32(count)) - 1
            }
        }
        for (index, byte) in bytes.enumerated() {
            if index % 200 == 0 { put(256) }
            put(UInt32(byte))
        }
        put(257)
        put(0)
        return packed
    }

    @Test(arguments: [
        "", "/Filter /FlateDecode", "/Filter/#46lateDecode", "/Filter 5 0 R", "/Filter [/A85 /Fl]", "/F /Fl",
        "/Filter [/ASCIIHexDecode/FlateDecode]", "/Filter %c\n/FlateDecode", "/X (1 0 obj <<) /Filter /FlateDecode",
        "/Subtype /Image /Width 1 /Height 1 /Filter /FlateDecode", "/Filter /LZWDecode", "/Filter /RunLengthDecode",
        "/Filter 5%c\n0 %c\nR", "/Filter 5%\(String(repeating: "c", count: 100))\n0 R",
        "/Filter 5\(String(repeating: " ", count: 100))0 R",
    ])
    func commandsAreCounted_howeverTheyArePacked(_ dictionary: String) throws {
        let packed = Packing.zlib(Self.commands)
        let content: [UInt8] =
            switch true {
            case dictionary.isEmpty: Self.commands
            case dictionary.contains("A85"): Self.ascii85(packed)
            case dictionary.contains("Hex"): Self.hexadecimal(packed)
            case dictionary.contains("LZW"): Self.lzw(Self.commands)
            case dictionary.contains("Run"):
                stride(from: 0, to: Self.commands.count, by: 100).flatMap { [99] + Self.commands[$0..<($0 + 100)] }
                    + [128]
            default: packed
            }
        let file = page(dictionary, content) { $0.add("/FlateDecode") }
        #expect(try inspector(file).elementCount == Self.count)
    }

    /// Those who draw take what comes before the fault.
    @Test func damagedStreamsCount_asFarAsTheyGo() throws {
        let packed = Packing.zlib(Self.commands)
        var wrong = packed
        wrong[wrong.count - 1] ^= 1
        #expect(try inspector(page("/Filter /FlateDecode", wrong)).elementCount == Self.count)
        let half = try inspector(page("/Filter /FlateDecode", Array(packed[..<(packed.count / 2)]))).elementCount
        #expect(half > Self.count / 4 && half < Self.count)
    }

    @Test func picturesThatAreNoContent_doNotCount() throws {
        let pixels = Packing.zlib([UInt8](repeating: 7, count: 17 << 20))
        let few = page("", Array("0 0 m 9 9 l S".utf8), resources: "/XObject << /I 5 0 R >>") { file in
            file.add("/Subtype /Image /Width 4352 /Height 4096 /Filter /FlateDecode", stream: pixels)
        }
        #expect(try inspector(few).elementCount == 0)
    }

    /// #15: a picture is decoded at its own size, however small it is drawn and however little it is packed in.
    @Test(arguments: ["/Width 9000 /Height 8000", "/W 9000 /H 8000", "/Width +9000.0 /Height 6 0 R"])
    func picturesHaveTheirMemory(_ size: String) throws {
        let few = page("", Array("/I Do".utf8), resources: "/XObject << /I 5 0 R >>") { file in
            file.add("/Subtype /Image \(size) /Filter /FlateDecode", stream: Packing.zlib([0]))
            file.add("8000")
        }
        let header = try inspector(few)
        #expect(header.picturePixelCount == 72_000_000)
        let plan = ImagePlan(
            source: PixelSize(widthPx: 600, heightPx: 600), steps: [], output: PixelSize(widthPx: 600, heightPx: 600),
            encoding: Encoding(formats: [.png]))
        var source = ImageHeader(format: .pdf, widthPx: 600, heightPx: 600)
        source.drawing = header
        #expect(plan.predictedCost(source).byteCount > 4 * 72_000_000)
    }

    /// As above: one that stands among the commands.
    @Test func picturesAmongCommands_haveTheirMemory() throws {
        let command = "q BI /W 9000 /H 8000/BPC 8 /CS /G /F /Fl ID xx EI Q (BIG) Tj"
        #expect(try inspector(page("", Array(command.utf8))).picturePixelCount == 72_000_000)
        #expect(try inspector(page("", Array("(a BI b) Tj".utf8))).picturePixelCount == 0)
    }

    /// #15: keys of a picture that do not end are not read to the end of the stream for each picture.
    @Test(arguments: ["BI/A(", "BI/A[", "BI/A<", "BI % "])
    func picturesWithoutEnd_areReadInBoundedSteps(_ word: String) {
        let content = Array(repeatElement(Array(word.utf8), count: 1_000_000).joined())
        #expect(throws: ImageError.tooComplex(.expansion)) {
            try inspector(page("/Filter /FlateDecode", Packing.zlib(content)))
        }
    }

    @Test func manyPicturesAmongCommands_areLetIn() throws {
        let command = "q BI /W 9 /H 8 /BPC 8 /CS /G /F /Fl ID xx EI Q\n"
        let content = Array(String(repeating: command, count: 5000).utf8)
        #expect(try inspector(page("/Filter /FlateDecode", Packing.zlib(content))).picturePixelCount == 72)
    }

    /// #15: one path may be as long as the stream, and is held as a whole.
    @Test func longStreamsHaveTheirMemory() throws {
        let header = try inspector(page("", Self.commands))
        #expect(header.heldByteCount > 60 * Self.commands.count)
    }

    @Test(arguments: ["/ShadingType 4", "/FunctionType 0"])
    func streamsOfNumbers_areNoPaths(_ type: String) throws {
        let file = page("", Array("0 0 m 9 9 l S".utf8)) { $0.add(type, stream: Self.commands) }
        #expect(try inspector(file).heldByteCount < 3 * file.count)
        // What is drawn as a page is, whatever it calls itself.
        #expect(try inspector(page(type, Self.commands)).heldByteCount > 60 * Self.commands.count)
    }

    private func form(_ content: String, _ resources: String = "") -> (dictionary: String, content: [UInt8]) {
        ("/Type /XObject /Subtype /Form /BBox [0 0 600 600] /Resources << \(resources) >>", Array(content.utf8))
    }

    /// `levels` forms, each of which draws the next `times` times; all are called the same by those that draw them.
    private func nestedForms(_ levels: Int, _ times: Int) -> [UInt8] {
        let drawing = String(repeating: "/F Do\n", count: times)
        return page("", Array(drawing.utf8), resources: "/XObject << /F 5 0 R >>") { file in
            for level in 0..<levels {
                let isLast = level == levels - 1
                let next = form(
                    isLast ? String(repeating: "0 0 m 9 9 l S\n", count: 100) : drawing,
                    isLast ? "" : "/XObject << /F \(file.nextNumber + 1) 0 R >>")
                file.add(next.dictionary, stream: next.content)
            }
        }
    }

    @Test func formsCountEachTime() throws {
        let once = try inspector(nestedForms(1, 1)).elementCount
        #expect((30...40).contains(once))
        #expect(try inspector(nestedForms(1, 100)).elementCount / once >= 98)
        #expect(try inspector(nestedForms(3, 10)).elementCount / once >= 980)
        #expect(throws: ImageError.tooComplex(.elements(limit: DrawingLimits.elements))) {
            try inspector(nestedForms(9, 10))
        }
        // A form that draws itself ends.
        let loop = page("", Array("/F Do".utf8), resources: "/XObject << /F 5 0 R >>") { file in
            let own = form("/F Do /F Do", "/XObject << /F 5 0 R >>")
            file.add(own.dictionary, stream: own.content)
        }
        #expect(try inspector(loop).elementCount < 10)
    }

    /// Objects inside a packed stream, as most documents have them (ISO 32000-1 §7.5.7).
    @Test func packedObjects_areRead() throws {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        let objects = [
            (2, "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"),
            (3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [6 0 R] /Resources 4 0 R >>"),
            (4, "<< /XObject 7 0 R >>"), (7, "<< /F 5 0 R >>"),
        ]
        var (head, body) = ("", "")
        for (number, text) in objects {
            head += "\(number) \(body.utf8.count) "
            body += text + " "
        }
        let packed = Packing.zlib(Array((head + body).utf8))
        file.add("/Type /ObjStm /N 4 /First \(head.utf8.count) /Filter /FlateDecode", stream: packed)
        file.add("null")
        file.add("null")
        let drawn = form(String(repeating: "0 0 m 9 9 l S\n", count: 1000))
        file.add(drawn.dictionary, stream: drawn.content)
        file.add("/Subtype /Image /Width 9 /Height 9", stream: Array(String(repeating: "/F Do ", count: 50).utf8))
        #expect(try inspector(file.bytes(root: 1)).elementCount > 50 * 14_000 / 40 - 10)
    }

    // MARK: The worst

    private func isReadOrRefused(_ bytes: [UInt8]) -> Bool {
        do throws(ImageError) {
            _ = try PDFInspector.complexity(of: SharedBytes(bytes))
            return true
        } catch {
            if case .tooComplex = error { return true }
            return false
        }
    }

    /// Whatever is made to be read again and again costs no more than a few times the file, or is refused.
    @Test(arguments: ["1 0 obj<<", "1 0 obj[", "obj(", "1 0 obj<</A", "[", "stream\nx\u{9c}", "/Do Do Do "])
    func wordsWithoutEnd_areReadInTime(_ word: String) {
        let file = Array("%PDF-1.5\n".utf8) + Array(repeatElement(Array(word.utf8), count: 200_000).joined())
        #expect(isReadOrRefused(file))
    }

    /// As many objects as are read, and more.
    @Test func objectsAreBounded() throws {
        func file(_ count: Int) -> SharedBytes {
            SharedBytes((0..<count).flatMap { Array("\($0) 0 obj<</A 9 0 R>>\n".utf8) })
        }
        #expect(try PDFInspector.complexity(of: file(400_000)).elementCount == 0)
        #expect(throws: ImageError.tooComplex(.objects(limit: DrawingLimits.objects))) {
            try PDFInspector.complexity(of: file(600_000))
        }
    }

    @Test func loosePackedStreams_areBounded() throws {
        let one = Array("stream\n".utf8) + Packing.zlib([])
        #expect(throws: ImageError.tooComplex(.objects(limit: DrawingLimits.objects))) {
            try inspector(Array(repeatElement(one, count: 510_000).joined()))
        }
    }

    /// Streams without an end, forms that draw whatever there is, and ends that are looked for again and again.
    @Test(arguments: [
        "1 0 obj<</BBox 1 0 R/Filter/AHx>>stream\n>", "% 0 obj<</BBox 1 0 R>>stream\nDo endstream ",
        "% 0 obj<</BBox 1 0 R/Resources 9 0 R>>stream\n/F Do endstream ", "5 0 obj 5 ",
        "% 0 obj<</Length 5 0 R>>stream ",
    ])
    func streamsWithoutEnd_areReadInTime(_ text: String) {
        let file = "%PDF-1.5\n" + (0..<30_000).map { text.replacing("%", with: "\($0)") }.joined()
        #expect(isReadOrRefused(Array(file.utf8)))
    }

    @Test func offsetsThatAreAllTheSame_areReadInTime() throws {
        let head = String(repeating: "9 0 ", count: 50_000)
        let body = "<<" + String(repeating: "/A 1 ", count: 50_000) + ">>"
        let packed = Packing.zlib(Array((head + body).utf8))
        let file = page("", []) { file in
            file.add("/Type /ObjStm /N 50000 /First \(head.utf8.count) /Filter /FlateDecode", stream: packed)
        }
        #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(file) }
    }

    /// #15: one comment that all objects before it see counts for each of them.
    @Test(arguments: ["obj 1%", "obj<<>>%"], [1000, 2000])
    func commentsAfterManyObjects_areReadInBoundedSteps(_ word: String, count: Int) {
        let file = "%PDF-1.4\n" + String(repeating: word, count: count)
        #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(Array(file.utf8)) }
    }

    /// As above: the blanks between `stream` and its content.
    @Test(arguments: [10_000, 20_000])
    func blanksAfterManyObjects_areReadInBoundedSteps(_ count: Int) {
        let objects = String(repeating: "obj<<%", count: 400)
        let file = "%PDF-1.4\n\(objects)\n>>stream" + String(repeating: " ", count: count)
        #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(Array(file.utf8)) }
    }

    /// As above: many packed objects at one place.
    @Test(arguments: ["%", " "], [1000, 2000])
    func commentsOfPackedObjects_areReadInBoundedSteps(_ filling: String, count: Int) {
        let head = (100..<(100 + count)).map { "\($0) 0 " }.joined()
        let packed = Packing.zlib(Array((head + "1" + String(repeating: filling, count: 20 * count)).utf8))
        let file = page("", []) { file in
            file.add("/Type /ObjStm /N \(count) /First \(head.utf8.count) /Filter /FlateDecode", stream: packed)
        }
        #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(file) }
    }

    /// As above: the last number that is read of each picture among the commands.
    @Test(arguments: [1000, 2000])
    func commentsOfPicturesAmongCommands_areReadInBoundedSteps(_ count: Int) {
        let picture = "BI" + String(repeating: "/", count: 63) + "1%"
        let packed = Packing.zlib(Array(String(repeating: picture, count: count).utf8))
        #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(page("/Filter /FlateDecode", packed)) }
    }

    /// #15: lists of lists of filters are not read for each of many streams.
    @Test func filtersOfManyValues_areRefused() throws {
        func file(_ width: Int) -> [UInt8] {
            page("/Filter 5 0 R", Packing.zlib(Self.commands)) { file in
                file.add("[\(String(repeating: "6 0 R ", count: width))]")
                file.add("[\(String(repeating: "7 0 R ", count: width))]")
                file.add("/FlateDecode")
            }
        }
        for width in [4, 8, 16, 32] {
            #expect(throws: ImageError.tooComplex(.expansion)) { try inspector(file(width)) }
        }
        // So deep no name counts.
        #expect(try inspector(file(1)).elementCount < Self.count)
    }

    @Test(.enabled(if: Shared.isPresent), arguments: ["three_pages.pdf", "lv_reschart.pdf"])
    func ordinaryDocuments_areLetIn(_ name: String) throws {
        let header = try PDFInspector.complexity(of: try Shared.read("images/\(name)"))
        #expect(header.elementCount < 50_000, "\(header)")
    }
}
