import HTTPMessage
import Testing

/// What a reader made of some bytes: the content, how many bytes it took, whether it saw the end, its error.
struct DecodedContent: Equatable {
    var content: [UInt8] = []
    var consumed = 0
    var isComplete = false
    var error: RequestError?
}

/// Feeds `pieces` one after the other to one reader.
func decodeContent(
    _ pieces: [ArraySlice<UInt8>], _ framing: Framing, limits: HTTPLimits = HTTPLimits()
) -> DecodedContent {
    var reader = ContentReader(framing, limits: limits)
    var result = DecodedContent()
    for piece in pieces {
        var rest = piece
        var isHungry = false
        while !isHungry {
            switch reader.read(rest.span.bytes) {
            case .needMore(let consumed):
                result.consumed += consumed
                isHungry = true
            case .content(let range, let consumed):
                result.content += rest[(rest.startIndex + range.lowerBound)..<(rest.startIndex + range.upperBound)]
                result.consumed += consumed
                rest = rest.dropFirst(consumed)
            case .complete(let consumed):
                result.consumed += consumed
                result.isComplete = true
                return result
            case .failed(let error):
                // How much of the last piece was taken before the fault says nothing.
                return DecodedContent(content: result.content, error: error)
            }
        }
    }
    return result
}

@Suite(.timeLimit(.minutes(5))) struct ContentReaderTests {
    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("0\r\n\r\n", ""), ("000\r\n\r\n", ""),
        ("5;foo=bar;b\r\nhello\r\n0;last\r\n\r\n", "hello"), ("5;a=\"b;c, d\"\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5 ; a\r\nhello\r\n1\t;b\r\n!\r\n0\r\n\r\n", "hello!"), ("5\r\nhello\r\n0\r\nX-T: 1\r\nX-U:\r\n\r\n", "hello"),
        ("00A\r\nhellohello\r\n00\r\n\r\n", "hellohello"),
        ("a\r\n0\r\n\r\n12345\r\n3\r\n\r\n\r\r\n0\r\n\r\n", "0\r\n\r\n12345\r\n\r"),
    ])
    func chunks_areTakenApartHoweverTheyAreCut(_ text: String, _ content: String) {
        let bytes = byteArray(text)
        let expected = DecodedContent(content: byteArray(content), consumed: bytes.count, isComplete: true)
        for pieces in [[bytes[...]]] + everyCut(bytes) { #expect(decodeContent(pieces, .chunked) == expected) }
        #expect(decodeContent([(bytes + byteArray("GET /"))[...]], .chunked) == expected)
    }

    @Test(arguments: [
        ("0x5\r\n", RequestError.invalidChunk(offset: 1)), ("+5\r\n", .invalidChunk(offset: 0)),
        ("-5\r\n", .invalidChunk(offset: 0)), ("0_5\r\n", .invalidChunk(offset: 1)),
        ("g\r\n", .invalidChunk(offset: 0)),
        ("\r\n\r\n", .invalidChunk(offset: 0)), (" 5\r\n", .invalidChunk(offset: 0)),
        (";\r\n", .invalidChunk(offset: 0)),
        ("5 \r\n", .invalidChunk(offset: 2)), ("8000000000000000\r\n", .invalidChunk(offset: 15)),
        ("10000000000000005\r\n", .invalidChunk(offset: 16)), ("5\r\nhelloworld\r\n", .invalidChunk(offset: 8)),
        ("5\r\nhello0\r\n", .invalidChunk(offset: 8)), ("5\r\nhello\n", .invalidChunk(offset: 8)),
        ("5\r\nhello\rX", .invalidChunk(offset: 9)), ("5\nhello\n0\n\n", .invalidChunk(offset: 1)),
        ("5;a\nb\r\n", .invalidChunk(offset: 3)), ("5\rX\n", .invalidChunk(offset: 2)),
        ("5\u{0}\r\n", .invalidChunk(offset: 1)),
        ("5;\u{1}\r\n", .invalidChunk(offset: 2)), ("5;\u{7f}\r\n", .invalidChunk(offset: 2)),
        ("0\r\nX\r\n\r\n", .invalidTrailer(offset: 4)), ("0\r\n X: y\r\n\r\n", .invalidTrailer(offset: 3)),
        ("0\r\nX : y\r\n\r\n", .invalidTrailer(offset: 4)), ("0\r\nX: a\nY: b\r\n\r\n", .invalidTrailer(offset: 7)),
        ("0\r\nX: a\rb", .invalidTrailer(offset: 8)), ("0\r\n\n", .invalidTrailer(offset: 3)),
        ("0\r\n\rX", .invalidTrailer(offset: 4)),
    ])
    func brokenChunks_areRefusedHoweverTheyAreCut(_ text: String, _ error: RequestError) {
        let bytes = byteArray(text)
        for pieces in [[bytes[...]]] + everyCut(bytes) {
            let result = decodeContent(pieces, .chunked)
            #expect(result.error == error)
            #expect(!result.isComplete)
        }
    }

    @Test func largestChunkSize_isWaitedFor() {
        let bytes = byteArray("7fffffffffffffff\r\nab")
        let result = decodeContent([bytes[...]], .chunked)
        #expect(result == DecodedContent(content: byteArray("ab"), consumed: bytes.count))
    }

    @Test func endlessExtension_isCutOff() {
        let line = byteArray("5;" + String(repeating: "a", count: 2000))
        #expect(decodeContent([line[...]], .chunked).error == .chunkLineTooLong(limit: 1024))
        let many = byteArray(String(repeating: "1;aaaaaaa\r\nx\r\n", count: 3000))
        #expect(decodeContent([many[...]], .chunked).error == .chunkExtensionsTooLarge(limit: 16384))
    }

    @Test func endlessTrailers_areCutOff() {
        let many = byteArray("0\r\n" + String(repeating: "X: y\r\n", count: 3000))
        #expect(decodeContent([many[...]], .chunked).error == .trailersTooLarge(limit: 8192))
    }

    @Test func length_isCountedHoweverItIsCut() {
        let bytes = byteArray("helloGET /")
        let expected = DecodedContent(content: byteArray("hello"), consumed: 5, isComplete: true)
        for pieces in [[bytes[...]]] + everyCut(bytes) { #expect(decodeContent(pieces, .length(5)) == expected) }
        #expect(decodeContent([bytes[...]], .none) == DecodedContent(isComplete: true))
        #expect(decodeContent([bytes[..<3]], .length(5)) == DecodedContent(content: byteArray("hel"), consumed: 3))
    }
}
