import Bytes
import HTTPMessage

/// Content read in several ways that must agree.
enum ContentInput {
    private struct Outcome: Equatable {
        var content: [UInt8] = []
        /// Where the content was complete; nil while it goes on.
        var end: Int?
        var error: RequestError?
    }

    static func check(_ bytes: [UInt8], seed: UInt64, _ limits: HTTPLimits) throws(BrokenInvariant) {
        for framing in [Framing.chunked, .length(1 + Int(seed >> 4)), .none] {
            let whole = try read(framing, [bytes[...]], limits)
            var cuts = Cuts(seed: seed)
            let cut = try read(framing, cuts.pieces(of: bytes), limits)
            try BrokenInvariant.require(cut == whole, "\(framing): cut: \(cut), whole: \(whole)")
            if framing == .chunked { try checkAgain(whole, limits) }
        }
    }

    private static func read(
        _ framing: Framing, _ pieces: [ArraySlice<UInt8>], _ limits: HTTPLimits
    ) throws(BrokenInvariant) -> Outcome {
        var reader = ContentReader(framing, limits: limits)
        var outcome = Outcome()
        for piece in pieces {
            var offset = piece.startIndex
            reading: while true {
                let rest = Array(piece[offset...])
                switch reader.read(rest.span.bytes) {
                case .needMore(let consumed):
                    try BrokenInvariant.require(consumed == rest.count, "needMore left bytes")
                    break reading
                case .content(let range, let consumed):
                    let isInside = 0 <= range.lowerBound && range.upperBound <= consumed && consumed <= rest.count
                    try BrokenInvariant.require(isInside && !range.isEmpty, "\(range) of \(rest.count)")
                    outcome.content += rest[range]
                    offset += consumed
                case .complete(let consumed):
                    outcome.end = offset + consumed
                    return outcome
                case .failed(let error):
                    try BrokenInvariant.require(reader.read([0x30].span.bytes) == .failed(error), "not failed for good")
                    outcome.error = error
                    return outcome
                }
            }
        }
        return outcome
    }

    /// Sends what was read as one chunk and reads that.
    private static func checkAgain(_ outcome: Outcome, _ limits: HTTPLimits) throws(BrokenInvariant) {
        guard !outcome.content.isEmpty else { return }
        let size = Array("\(String(outcome.content.count, radix: 16))\r\n".utf8)
        let bytes = size + outcome.content + Array("\r\n0\r\n\r\n".utf8)
        let again = try read(.chunked, [bytes[...]], limits)
        try BrokenInvariant.require(
            again == Outcome(content: outcome.content, end: bytes.count), "\(outcome) became \(again)")
    }
}
