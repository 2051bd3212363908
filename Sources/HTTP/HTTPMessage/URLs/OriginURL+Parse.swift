import Bytes

extension OriginURL {
    package init(_ text: String) throws(OriginURLFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
        let (scheme, start) = try Self.scheme(bytes)
        let end = bytes[start...].firstIndex { Self.endsAuthority.contains($0) } ?? bytes.count
        origin = try Self.origin(bytes[start..<end], scheme)
        target = try Self.target(bytes[end...])
        guard description.utf8.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    }

    /// `id` as it is looked for: URLs are normalised, with `..` resolved (RFC 3986 §6.2.2), so that no spelling of a URL keeps to a rule
    /// that the URL breaks. Other ids may not have `..`.
    package static func oneSpelling(ofID id: String) -> String { (try? OriginURL(id))?.description ?? id }

    /// The target of a redirect to `reference`, absolute or relative to this URL (RFC 3986 §5.2), without its fragment.
    package func resolving(_ reference: String) throws(OriginURLFault) -> OriginURL {
        let reference = reference.prefix { $0 != "#" }
        let bytes = reference.utf8
        if bytes.isEmpty { return self }
        if bytes.starts(with: "//".utf8) { return try OriginURL("\(origin.scheme.rawValue):\(reference)") }
        if bytes.first == UInt8(ascii: "/") { return try OriginURL("\(origin)\(reference)") }
        let path = target.prefix { $0 != "?" }
        if bytes.first == UInt8(ascii: "?") { return try OriginURL("\(origin)\(path)\(reference)") }
        // A colon that ends a scheme comes before any other delimiter.
        if let mark = bytes.firstIndex(where: { Self.endsScheme.contains($0) }), bytes[mark] == UInt8(ascii: ":") {
            return try OriginURL(String(reference))
        }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return try OriginURL("\(origin)\(folder)\(reference)")
    }

    private static let endsAuthority = Set("/?#".utf8)
    private static let endsScheme = Set(":/?#".utf8)

    private static func scheme(_ bytes: [UInt8]) throws(OriginURLFault) -> (Scheme, start: Int) {
        for scheme in Scheme.allCases {
            let prefix = Array("\(scheme.rawValue)://".utf8)
            guard bytes.count >= prefix.count else { continue }
            if bytes[..<prefix.count].map(ASCII.lowercased) == prefix { return (scheme, prefix.count) }
        }
        throw .scheme
    }

    // MARK: Authority

    private static func origin(_ bytes: ArraySlice<UInt8>, _ scheme: Scheme) throws(OriginURLFault) -> Origin {
        guard !bytes.contains(UInt8(ascii: "@")) else { throw .credentials }
        let host: String
        var rest: ArraySlice<UInt8>
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")),
                let address = IPAddress(
                    String(decoding: bytes[bytes.index(after: bytes.startIndex)..<close], as: UTF8.self)),
                case .v6 = address
            else { throw .host }
            host = address.description
            rest = bytes[(close + 1)...]
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            host = try name(bytes[..<end])
            rest = bytes[end...]
        }
        guard let colon = rest.popFirst() else { return Origin(scheme: scheme, host: host, port: scheme.defaultPort) }
        guard colon == UInt8(ascii: ":") else { throw .host }
        guard (1...5).contains(rest.count), rest.allSatisfy(ASCII.isDigit),
            let port = UInt16(String(decoding: rest, as: UTF8.self)), port > 0
        else { throw .port }
        return Origin(scheme: scheme, host: host, port: port)
    }

    /// A DNS name in lower case, or an IPv4 address in its one spelling.
    private static func name(_ bytes: ArraySlice<UInt8>) throws(OriginURLFault) -> String {
        guard (1...253).contains(bytes.count) else { throw .host }
        let lower = bytes.map(ASCII.lowercased)
        let labels = lower.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            labels.allSatisfy({ label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F }
            }), let last = labels.last
        else { throw .host }
        let name = String(decoding: lower, as: UTF8.self)
        // A name that ends in a number is an IPv4 address in some spelling (WHATWG URL); only one is unambiguous.
        let isNumber = last.allSatisfy(ASCII.isDigit) || last.starts(with: "0x".utf8)
        guard !isNumber || IPAddress(name) != nil else { throw .host }
        return name
    }

    // MARK: Path and query

    private static func target(_ bytes: ArraySlice<UInt8>) throws(OriginURLFault) -> String {
        let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let path = try normalised(bytes[..<query])
        return RequestTarget.withoutDotSegments(path) + (query == bytes.endIndex ? "" : try normalised(bytes[query...]))
    }

    /// Keeps only the escapes that are needed; delimiters stay as they are.
    private static func normalised(_ bytes: ArraySlice<UInt8>) throws(OriginURLFault) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "#"): throw .fragment
            case 0..<0x20, 0x7F: throw .byte(offset: index)
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { throw .byte(offset: index) }
                let value = high << 4 | low
                if PercentEncoding.isUnreserved(value) {
                    out.append(value)
                } else {
                    PercentEncoding.appendEscape(of: value, to: &out)
                }
                index += 2
            case _ where PercentEncoding.isUnreserved(byte) || delimiters.contains(byte): out.append(byte)
            default: PercentEncoding.appendEscape(of: byte, to: &out)
            }
            index += 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Allowed in a path or query besides unreserved characters (RFC 3986 §3.3, §3.4).
    private static let delimiters = Set("!$&'()*+,;=:@/?".utf8)
}
