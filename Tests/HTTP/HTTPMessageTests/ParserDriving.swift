import HTTPMessage

/// What a parser made of some input: the heads in order, and the error that ended it.
struct ParseResult: Equatable {
    var heads: [RequestHead] = []
    var error: RequestError?
}

/// Feeds `pieces` one after the other to one parser, each until nothing of it is left.
func parseHeads(_ pieces: [ArraySlice<UInt8>], limits: HTTPLimits = HTTPLimits()) -> ParseResult {
    var parser = RequestHeadParser(limits: limits)
    var result = ParseResult()
    for piece in pieces {
        var rest = piece
        while !rest.isEmpty {
            switch parser.parse(rest.span.bytes) {
            case .needMore(let consumed): rest = rest.dropFirst(consumed)
            case .complete(let head, let consumed):
                result.heads.append(head)
                rest = rest.dropFirst(consumed)
            case .failed(let error):
                result.error = error
                return result
            }
        }
    }
    return result
}

/// As `parseHeads` for one piece.
func parseHeads(_ text: String, limits: HTTPLimits = HTTPLimits()) -> ParseResult {
    let bytes = byteArray(text)
    return parseHeads([bytes[...]], limits: limits)
}

/// The bytes of `text`; the characters U+0080…U+00FF stand for single bytes.
func byteArray(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

/// The same bytes cut at every place, plus once into single bytes.
func everyCut(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    (1..<max(2, bytes.count)).map { [bytes[..<min($0, bytes.count)], bytes[min($0, bytes.count)...]] }
        + [bytes.indices.map { bytes[$0...$0] }]
}

/// `bytes` in pieces of random lengths.
func cut(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &numbers)
        pieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
    }
    return pieces
}

/// A small generator of numbers that gives the same ones on every machine (xorshift64*).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_f491_4f6c_dd1d
    }
}
