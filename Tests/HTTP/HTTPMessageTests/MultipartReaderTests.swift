import Testing

@testable import HTTPMessage

/// What a reader made of some input.
struct MultipartOutcome: Equatable {
    struct Part: Equatable {
        var head: MultipartPart
        var content: [UInt8] = []
        var text: String { String(decoding: content, as: UTF8.self) }
    }

    var parts: [Part] = []
    var isComplete = false
    var error: MultipartError?
}

/// Feeds `pieces` one after the other to one reader, each until nothing of it is left.
func readMultipart(
    _ pieces: [ArraySlice<UInt8>], boundary: String = "b", limits: MultipartLimits = MultipartLimits()
) throws -> MultipartOutcome {
    var reader = MultipartReader(try #require(MultipartBoundary(bytes: Array(boundary.utf8))), limits: limits)
    var outcome = MultipartOutcome()
    for piece in pieces {
        var rest = piece
        while !rest.isEmpty {
            switch reader.read(rest.span.bytes) {
            case .needMore(let count):
                try #require(count == rest.count)
                rest = []
            case .part(let head, let count):
                outcome.parts.append(.init(head: head))
                rest = rest.dropFirst(count)
            case .content(let range, let count):
                try #require(!range.isEmpty && range.upperBound <= count && count <= rest.count)
                let start = rest.startIndex
                outcome.parts[outcome.parts.count - 1].content +=
                    rest[(start + range.lowerBound)..<(start + range.upperBound)]
                rest = rest.dropFirst(count)
            case .withheld(let bytes, let count):
                try #require(!bytes.isEmpty && count <= rest.count)
                outcome.parts[outcome.parts.count - 1].content += bytes
                rest = rest.dropFirst(count)
            case .complete(let count):
                try #require(reader.isComplete && count <= rest.count)
                outcome.isComplete = true
                rest = rest.dropFirst(max(count, 1))
            case .failed(let error):
                try #require(!reader.isComplete)
                #expect(reader.read([0x30].span.bytes) == .failed(error))
                outcome.error = error
                return outcome
            }
        }
    }
    return outcome
}

@Suite(.timeLimit(.minutes(5))) struct MultipartReaderTests {
    private func read(_ text: String, boundary: String = "b", limits: MultipartLimits = MultipartLimits()) throws
        -> MultipartOutcome
    {
        let bytes = Array(text.utf8)
        let whole = try readMultipart([bytes[...]], boundary: boundary, limits: limits)
        for split in 0...bytes.count {
            let cut = try readMultipart([bytes[..<split], bytes[split...]], boundary: boundary, limits: limits)
            #expect(cut == whole, "split at \(split)")
        }
        let single = try readMultipart(bytes.indices.map { bytes[$0...$0] }, boundary: boundary, limits: limits)
        #expect(single == whole, "byte by byte")
        return whole
    }

    private static let head = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n"

    @Test func fieldsAndFiles_areReadAsBrowsersSendThem() throws {
        let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
        let outcome = try read(
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA cat\r\n"
                + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"c%22at.jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n\r\n-\r\n--\r\n---\r\n\r\n--\(boundary)--\r\n", boundary: boundary)
        #expect(outcome.isComplete)
        #expect(outcome.parts.map(\.head.name) == ["title", "file"])
        #expect(outcome.parts[0].text == "A cat")
        #expect(outcome.parts[1].head == MultipartPart(name: "file", fileName: "c%22at.jpg", mediaType: "image/jpeg"))
        #expect(outcome.parts[1].text == "\r\n-\r\n--\r\n---\r\n")
    }

    @Test func everythingThatIsNoDelimiter_isContent() throws {
        for text in [
            "", "\r", "\n", "\r\n", "\r\n\r\n", "\r\r\n-", "-", "--", "x--b", "\n--b", "\r--b", "\r\n-b",
            "\r\n--",
            "\r\n--B", "\r\n--\r\n--", "\r\r\r", "\r\n-\r\n--a", "a\r\n-\r\r\n--", "\0\u{1}\r\n",
        ] {
            let outcome = try read(Self.head + text + "\r\n--b--")
            #expect(outcome.isComplete && outcome.parts.map(\.text) == [text], "\(text.debugDescription)")
        }
    }

    @Test func everyByte_isContent() throws {
        var content: [UInt8] = []
        for byte in UInt8.min...UInt8.max { content += [byte, 0x0d, byte, 0x0d, 0x0a, byte] }
        let input = Array(Self.head.utf8) + content + Array("\r\n--b--".utf8)
        for split in 0...input.count {
            let outcome = try readMultipart([input[..<split], input[split...]])
            #expect(outcome.parts.map(\.content) == [content], "split at \(split)")
        }
    }

    @Test func partWithoutContent_mayEndAtOnce() throws {
        let outcome = try read("\(Self.head)--b\r\nContent-Disposition: form-data; name=g\r\n\r\n\r\n--b--")
        #expect(outcome.isComplete && outcome.parts.map(\.text) == ["", ""])
    }

    @Test func preambleAndEpilogue_areNothing() throws {
        let outcome = try read("This is\r\n--no\r\n delimiter--b\r\n" + Self.head + "x\r\n--b--\r\n--b\r\nmore--b--")
        #expect(outcome.isComplete && outcome.parts.map(\.text) == ["x"])
    }

    @Test func whiteSpaceBehindADelimiter_isPadding() throws {
        let text = Self.head.replacing("--b\r", with: "--b \t \r") + "x\r\n--b--  rubbish"
        #expect(try read(text).parts.map(\.text) == ["x"])
    }

    @Test(arguments: ["--bc\r\n", "--b-\r\n", "--b-x", "--b\n", "--b\r\r\n", "--b -\r\n"])
    func somethingElseBehindADelimiter_isAnError(_ line: String) throws {
        let error = try read("\(Self.head)x\r\n\(line)").error
        guard case .invalidDelimiter? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func contentThatWasCutShort_isNeverComplete() throws {
        let bytes = Array((Self.head + "content\r\n--b--").utf8)
        for count in 0..<bytes.count { #expect(try !readMultipart([bytes[..<count]]).isComplete) }
        #expect(try readMultipart([bytes[...]]).isComplete)
    }

    // MARK: Limits

    @Test func limits_areHeldAtTheByte() throws {
        var limits = MultipartLimits()
        limits.partHeadByteCount = Self.head.utf8.count - 5
        #expect(try read(Self.head + "x\r\n--b--", limits: limits).isComplete)
        limits.partHeadByteCount -= 1
        #expect(
            try read(Self.head + "x\r\n--b--", limits: limits).error
                == .partHeadTooLarge(limit: limits.partHeadByteCount))
    }

    @Test func preambleAndPadding_areBounded() throws {
        var limits = MultipartLimits()
        limits.partHeadByteCount = 60
        let preamble = String(repeating: "p", count: 55)
        #expect(try read("\(preamble)\r\n\(Self.head)\r\n--b--", limits: limits).isComplete)
        #expect(try read("p\(preamble)\r\n\(Self.head)\r\n--b--", limits: limits).error == .preambleTooLarge(limit: 60))
        let blanks = String(repeating: " ", count: 60)
        #expect(try read(Self.head.replacing("--b", with: "--b" + blanks) + "\r\n--b--", limits: limits).isComplete)
        let outcome = try read(Self.head.replacing("--b", with: "--b " + blanks) + "\r\n--b--", limits: limits)
        #expect(outcome.error == .invalidDelimiter(offset: 63))
    }

    @Test func partsAreCounted() throws {
        var limits = MultipartLimits()
        limits.partCount = 3
        let part = Self.head + "x\r\n"
        let three = String(repeating: part, count: 3)
        #expect(try read(three + "--b--", limits: limits).isComplete)
        #expect(try read(three + part, limits: limits).error == .tooManyParts(limit: 3))
    }

    // MARK: Rubbish

    @Test func randomWords_areReadTheSameHoweverTheyAreCut() throws {
        let words = [
            "--b", "\r\n", "--", "-", "\r", "\n", "b", "Content-Disposition: form-data; name=f", "\r\n\r\n",
            "Content-Disposition:", " form-data", ";", "name=\"", "\"", "\\", "filename=", "x", " ", ":", "\u{e9}",
            "\0",
            "Content-Type: a/b", "Content-Transfer-Encoding: base64", "--b--", "\r\n--b\r\n",
        ]
        var numbers = SeededNumbers(seed: 20)
        var counts = (complete: 0, failed: 0, parts: 0)
        var limits = MultipartLimits()
        limits.partHeadByteCount = 70
        limits.partCount = 4
        for _ in 0..<20_000 {
            var text = Bool.random(using: &numbers) ? Self.head : ""
            for _ in 0..<Int.random(in: 1...12, using: &numbers) { text += words.randomElement(using: &numbers) ?? "" }
            let bytes = Array(text.utf8)
            let whole = try readMultipart([bytes[...]], limits: limits)
            let pieces = cut(bytes, &numbers)
            #expect(try readMultipart(pieces, limits: limits) == whole, "\(text.debugDescription)")
            counts.complete += whole.isComplete ? 1 : 0
            counts.failed += whole.error == nil ? 0 : 1
            counts.parts += whole.parts.count
        }
        #expect(counts.complete > 500 && counts.failed > 500 && counts.parts > 2000, "\(counts)")
    }

    @Test func randomBytes_neverTrap() throws {
        var numbers = SeededNumbers(seed: 21)
        let good = Array((Self.head + "some content\r\n" + Self.head + "\r\n--b--\r\n").utf8)
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            let split = Int.random(in: 0...bytes.count, using: &numbers)
            let whole = try readMultipart([bytes[...]])
            #expect(try readMultipart([bytes[..<split], bytes[split...]]) == whole)
        }
    }
}
