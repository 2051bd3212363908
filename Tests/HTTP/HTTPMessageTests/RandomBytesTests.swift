import HTTPMessage
import Testing

/// Rubbish from a fixed seed: nothing may trap, and the way it is cut may not matter.
@Suite(.timeLimit(.minutes(5))) struct RandomBytesTests {
    private static let words: [String] = [
        "GET", " ", "/", "?", "*", "HTTP/1.1", "HTTP/1.0", "\r\n", "\r", "\n", "Host: a\r\n", "Host:", "a:b", ":", "\t",
        "Content-Length: ", "5", "18446744073709551616", "Transfer-Encoding: chunked\r\n", ",", "chunked", "Expect: ",
        "%",
        "%zz", "http://", "[::1]", "@", "\u{0}", "\u{ff}", "\"", "Connection: close", "\r\n\r\n", "GET / HTTP/1.1\r\n",
    ]

    @Test func randomBytes_neverTrapTheParser() {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 1...120, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            #expect(parseHeads(cut(bytes, &numbers)) == parseHeads([bytes[...]]))
        }
    }

    @Test func randomWords_areReadTheSameHoweverTheyAreCut() {
        var numbers = SeededNumbers(seed: 2)
        var headCount = 0
        for _ in 0..<6000 {
            var text = Bool.random(using: &numbers) ? "GET / HTTP/1.1\r\nHost: a\r\n" : ""
            for _ in 0..<Int.random(in: 1...12, using: &numbers) {
                text += Self.words.randomElement(using: &numbers) ?? ""
            }
            let bytes = byteArray(text)
            let whole = parseHeads([bytes[...]])
            headCount += whole.heads.count
            #expect(parseHeads(cut(bytes, &numbers)) == whole)
        }
        #expect(headCount > 150)
    }

    @Test func damagedHeads_areReadTheSameHoweverTheyAreCut() {
        var numbers = SeededNumbers(seed: 3)
        for message in RequestHeadParserTests.messages {
            let good = byteArray(message)
            for _ in 0..<150 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
                }
                #expect(parseHeads(cut(bytes, &numbers)) == parseHeads([bytes[...]]))
            }
        }
    }

    @Test func randomContent_neverTrapsTheDecoder() {
        var numbers = SeededNumbers(seed: 4)
        let words = [
            "5", "0", "\r\n", "hello", ";", "a=b", "\r", "\n", "ffffffffffffffff", "X: y", " ", "\u{0}", "00A",
        ]
        for _ in 0..<6000 {
            let text = (0..<Int.random(in: 1...14, using: &numbers)).map { _ in
                words.randomElement(using: &numbers) ?? ""
            }
            let bytes = byteArray(text.joined())
            #expect(decodeContent(cut(bytes, &numbers), .chunked) == decodeContent([bytes[...]], .chunked))
        }
    }

    @Test func randomFieldValues_neverTrapTheirReaders() {
        var numbers = SeededNumbers(seed: 5)
        let words = [
            "\"", "W/", "*", "*/*", "a", ",", ";q=", "0.5", "1", ".", "Sun, ", "06 Nov 1994", "06-Nov-94",
            " 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "image/", "webp", "\\", "\u{e9}",
        ]
        let tag = EntityTag(opaque: "a")
        for _ in 0..<4000 {
            let text = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
                words.randomElement(using: &numbers) ?? ""
            }
            .joined()
            var fields = Fields()
            for name: FieldName in [.accept, .ifNoneMatch, .ifMatch, .ifModifiedSince, .ifUnmodifiedSince] {
                fields.append(name, text)
            }
            let quality = AcceptField.parse(fields).quality(of: "image/webp")
            #expect((0...1).contains(quality))
            _ = Preconditions.evaluate(.get, fields, Validators(entityTag: tag, lastModified: 0), now: 0)
            if let date = HTTPDate.parse(text, now: 0) { #expect(HTTPDate.range.contains(date)) }
            if let made = EntityTag(text) { #expect(made.text == text) }
        }
    }
}
