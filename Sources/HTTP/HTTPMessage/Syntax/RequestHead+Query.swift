import Bytes

extension RequestHead {
    /// The same without the items of its query whose decoded names are in `names`. The rest stays as it was sent.
    package func withoutQueryItems(named names: Set<String>) -> RequestHead {
        guard let queryRange = target.queryRange else { return self }
        let parts = target.bytes[queryRange].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = parts.filter { part in
            let name = PercentEncoding.decoded(part.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true)
            return !(name.map { names.contains(String(decoding: $0, as: UTF8.self)) } ?? false)
        }
        guard kept.count < parts.count else { return self }
        let query = kept.joined(separator: [UInt8(ascii: "&")])
        // Without any item the question mark goes too.
        let start = kept.isEmpty ? queryRange.lowerBound - 1 : queryRange.lowerBound
        let bytes = Array(target.bytes[..<start]) + query
        let changed = RequestTarget(
            form: target.form, bytes: bytes, textRange: target.textRange.lowerBound..<bytes.count,
            authorityRange: target.authorityRange, pathRange: target.pathRange,
            queryRange: kept.isEmpty ? nil : start..<bytes.count, plainPath: target.plainPath)
        return RequestHead(
            method: method, version: version, target: changed, fields: fields, framing: framing, keepAlive: keepAlive,
            expectation: expectation, methodByteCount: methodByteCount)
    }
}
