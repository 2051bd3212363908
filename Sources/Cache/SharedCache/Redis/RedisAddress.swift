import Bytes

/// `redis://[[user]:password@]host[:port][/database]`, parts percent-encoded. There is no TLS: hiredis of Debian 12 has none.
package struct RedisAddress: Equatable, Sendable {
    package let host: String
    package let port: Int
    /// Empty: none, or that of Redis named `default`.
    let user, password: String
    let database: Int

    package static let allowed = "redis://[[user]:password@]host[:port][/database]"
    private static let scheme = "redis://"

    package init?(_ text: String) {
        guard text.utf8.count <= 1024, text.hasPrefix(Self.scheme) else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard let authority = parts.first, parts.count <= 2 else { return nil }
        let sides = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard let place = sides.last, sides.count <= 2 else { return nil }
        var names = (user: "", password: "")
        if sides.count == 2 {
            let pair = sides[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let user = Self.decoded(pair[0]), let password = Self.decoded(pair[1]),
                !password.isEmpty
            else { return nil }
            names = (user, password)
        }
        guard let (host, port) = Self.place(place) else { return nil }
        let number = parts.count == 2 ? String(parts[1]) : ""
        guard let database = number.isEmpty ? 0 : Self.number(number, in: 0...1023) else { return nil }
        (self.host, self.port, self.database) = (host, port, database)
        (user, password) = names
    }

    /// Without user and password, for the log.
    package var shown: String { "\(Self.scheme)\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)" }

    private static func place(_ text: Substring) -> (host: String, port: Int)? {
        let (host, rest): (Substring, Substring)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            (host, rest) = (text[..<end].dropFirst(), text[end...].dropFirst())
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            (host, rest) = (text[..<end], text[end...])
        }
        guard !host.isEmpty, host.utf8.allSatisfy(isOfName) else { return nil }
        if rest.isEmpty { return (String(host), 6379) }
        guard rest.hasPrefix(":"), let port = number(String(rest.dropFirst()), in: 1...65_535) else { return nil }
        return (String(host), port)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: ":")
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(text) else { return nil }
        return range.contains(number) ? number : nil
    }

    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension RedisAddress: CustomStringConvertible, CustomReflectable {
    package var description: String { shown }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
