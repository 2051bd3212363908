import Bytes
import HTTPMessage

// The first byte of an input says what is read from it and under which limits, the next two how it is cut; the rest are
// the bytes of the message.

/// What `scripts/fuzz head` runs: the parsers of `HTTPMessage` held against themselves.
package enum HeadInput {
    /// Reads `bytes` in several ways that must agree.
    package static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let seed = UInt64(input.next()) << 8 | UInt64(input.next())
        let limits = selector & 4 == 0 ? HTTPLimits() : smallLimits
        let message = input.rest()
        switch selector & 3 {
        case 0, 1: try checkHeads(message, seed: seed, limits)
        case 2: try ContentInput.check(message, seed: seed, limits)
        default: try FieldInput.check(message)
        }
    }

    private static let smallLimits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.methodByteCount = 8
        limits.targetByteCount = 24
        limits.headByteCount = 160
        limits.fieldCount = 4
        limits.fieldByteCount = 48
        limits.leadingEmptyLineCount = 1
        limits.chunkLineByteCount = 20
        limits.chunkExtensionByteCount = 24
        limits.trailerByteCount = 32
        return limits
    }()

    /// What a series of heads came to.
    private struct Outcome: Equatable {
        var heads: [RequestHead] = []
        /// Where each head ended.
        var ends: [Int] = []
        var error: RequestError?
        var isInsideHead = false
    }

    private static func checkHeads(_ bytes: [UInt8], seed: UInt64, _ limits: HTTPLimits) throws(BrokenInvariant) {
        let whole = try read([bytes[...]], limits)
        var cuts = Cuts(seed: seed)
        let cut = try read(cuts.pieces(of: bytes), limits)
        try BrokenInvariant.require(cut == whole, "cut: \(cut), whole: \(whole)")
        for head in whole.heads {
            try checkAgain(head, limits)
            FieldInput.ask(head.method, head.fields)
        }
    }

    private static func read(_ pieces: [ArraySlice<UInt8>], _ limits: HTTPLimits) throws(BrokenInvariant) -> Outcome {
        var parser = RequestHeadParser(limits: limits)
        var outcome = Outcome()
        for piece in pieces {
            var offset = piece.startIndex
            while offset < piece.endIndex {
                let rest = Array(piece[offset...])
                switch parser.parse(rest.span.bytes) {
                case .needMore(let consumed):
                    try BrokenInvariant.require(consumed == rest.count, "needMore left bytes")
                    offset += consumed
                case .complete(let head, let consumed):
                    try BrokenInvariant.require((1...rest.count).contains(consumed), "a head took \(consumed)")
                    offset += consumed
                    outcome.heads.append(head)
                    outcome.ends.append(offset)
                case .failed(let error):
                    let again = parser.parse([0x0d].span.bytes)
                    try BrokenInvariant.require(again == .failed(error), "\(again) after \(error)")
                    try BrokenInvariant.require((400...505).contains(error.status.code), "\(error.status)")
                    outcome.error = error
                    return outcome
                }
            }
        }
        outcome.isInsideHead = parser.isInsideHead
        return outcome
    }

    /// Writes `head` out and reads it again: the same, or over a limit for the blank that is written behind each colon.
    private static func checkAgain(_ head: RequestHead, _ limits: HTTPLimits) throws(BrokenInvariant) {
        var bytes = Array("\(head.methodText) \(head.targetText) HTTP/1.\(head.version == .http10 ? 0 : 1)\r\n".utf8)
        let fields = head.fields
        for index in 0..<fields.count {
            fields.nameBytes(at: index).withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes += [UInt8(ascii: ":"), 0x20]
            fields.valueBytes(at: index).withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes += [0x0d, 0x0a]
        }
        bytes += [0x0d, 0x0a]
        var parser = RequestHeadParser(limits: limits)
        switch parser.parse(bytes.span.bytes) {
        case .complete(let again, let consumed):
            try BrokenInvariant.require(again == head && consumed == bytes.count, "\(head) became \(again)")
        case .failed(.fieldTooLarge), .failed(.headTooLarge): break
        case let other: throw BrokenInvariant("\(head) became \(other)")
        }
        try checkRules(head)
    }

    private static func checkRules(_ head: RequestHead) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            head.version == .http10 || head.fields.count(of: .host) == 1, "HTTP/1.1 with another count of Host than 1")
        try BrokenInvariant.require(
            !(head.fields.contains(.contentLength) && head.fields.contains(.transferEncoding)), "both framing fields")
        switch head.framing {
        case .none: break
        case .length(let count): try BrokenInvariant.require(count > 0, "a length of \(count)")
        case .chunked: try BrokenInvariant.require(head.version == .http11, "chunked in HTTP/1.0")
        }
        let target = head.target
        let isPath = target.path.hasPrefix("/")
        switch target.form {
        case .origin: try BrokenInvariant.require(isPath && target.authority == nil, "origin form of \(target)")
        case .absolute: try BrokenInvariant.require(isPath || target.path.isEmpty, "absolute form of \(target)")
        case .authority: try BrokenInvariant.require(head.method == .connect, "authority form of \(target)")
        case .asterisk: try BrokenInvariant.require(head.method == .options, "asterisk form of \(target)")
        }
    }
}
