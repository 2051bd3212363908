import HTTPMessage

// The first byte of an input chooses limits and the boundary, the next two how the rest is cut.

/// What `scripts/fuzz multipart` runs: form data read in several ways that must agree.
enum MultipartInput {
    private struct Outcome: Equatable {
        var parts: [Part] = []
        var error: MultipartError?
        var isComplete = false
    }

    private struct Part: Equatable {
        var head: MultipartPart
        var content: [UInt8] = []
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let seed = UInt64(input.next()) << 8 | UInt64(input.next())
        let content = input.rest()
        if selector & 2 != 0 { return checkBoundary(content) }
        var limits = MultipartLimits()
        if selector & 1 != 0 { (limits.partHeadByteCount, limits.partCount) = (80, 3) }
        let boundary = selector & 4 == 0 ? "b" : "--aXa--a"
        let whole = try read([content[...]], boundary, limits)
        var cuts = Cuts(seed: seed)
        let cut = try read(cuts.pieces(of: content), boundary, limits)
        try BrokenInvariant.require(cut == whole, "cut: \(cut), whole: \(whole)")
        try BrokenInvariant.require(whole.parts.count <= limits.partCount, "\(whole.parts.count) parts")
        let kept = whole.parts.reduce(0) { $0 + $1.content.count }
        try BrokenInvariant.require(kept <= content.count, "\(kept) bytes of \(content.count)")
        if whole.isComplete { try checkAgain(whole.parts) }
    }

    private static func checkBoundary(_ text: [UInt8]) {
        _ = MultipartBoundary(contentType: "multipart/form-data" + String(decoding: text, as: UTF8.self))
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>], _ name: String, _ limits: MultipartLimits
    ) throws(BrokenInvariant) -> Outcome {
        guard let boundary = MultipartBoundary(contentType: "multipart/form-data; boundary=\(name)") else {
            throw BrokenInvariant("no boundary \(name)")
        }
        var reader = MultipartReader(boundary, limits: limits)
        var outcome = Outcome()
        for piece in pieces {
            var rest = Array(piece)
            reading: while true {
                let progress = reader.read(rest.span.bytes)
                switch progress {
                case .needMore(let consumed):
                    try BrokenInvariant.require(consumed == rest.count, "needMore left bytes")
                    break reading
                case .part(let part, let consumed):
                    outcome.parts.append(Part(head: part))
                    rest.removeFirst(consumed)
                case .content(let range, let consumed):
                    try BrokenInvariant.require(
                        !range.isEmpty && range.upperBound <= consumed && consumed <= rest.count, "\(progress)")
                    try keep(rest[range], in: &outcome)
                    rest.removeFirst(consumed)
                case .withheld(let bytes, let consumed):
                    try keep(bytes[...], in: &outcome)
                    rest.removeFirst(consumed)
                case .complete(let consumed):
                    try BrokenInvariant.require(reader.isComplete && consumed == rest.count, "\(progress)")
                    outcome.isComplete = true
                    break reading
                case .failed(let error):
                    try BrokenInvariant.require(reader.read([0x0d].span.bytes) == .failed(error), "not failed for good")
                    outcome.error = error
                    return outcome
                }
            }
        }
        return outcome
    }

    private static func keep(_ bytes: ArraySlice<UInt8>, in outcome: inout Outcome) throws(BrokenInvariant) {
        guard let last = outcome.parts.indices.last else { throw BrokenInvariant("content before a part") }
        outcome.parts[last].content += bytes
    }

    /// Writes the contents out as form data with a boundary that none of them has, and reads that.
    private static func checkAgain(_ parts: [Part]) throws(BrokenInvariant) {
        let boundary = "a-boundary-that-is-in-no-input-of-ours"
        var bytes: [UInt8] = []
        var expected: [Part] = []
        for (index, part) in parts.enumerated() {
            guard part.content.firstRange(of: Array(boundary.utf8)) == nil else { return }
            let head = MultipartPart(name: "\(index)", fileName: "f", mediaType: "a/b")
            bytes += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(index)\"; filename=f\r\n".utf8
            bytes += Array("Content-Type: a/b\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
            expected.append(Part(head: head, content: part.content))
        }
        bytes += "--\(boundary)--\r\n".utf8
        let again = try read([bytes[...]], boundary, MultipartLimits())
        try BrokenInvariant.require(again == Outcome(parts: expected, isComplete: true), "\(expected) became \(again)")
    }
}
