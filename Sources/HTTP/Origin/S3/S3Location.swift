import HTTPMessage
import Bytes

/// An object in a bucket: `s3://bucket/key`.
package struct S3Location: Hashable, Sendable {
    /// A name by the rules of S3.
    package let bucket: String
    package let key: String

    package static let keyLimit = 1_024

    /// Reads `s3://bucket/key`. The key is taken byte by byte: `%`, `?`, `#` and `+` mean themselves.
    package init(_ text: String) throws(S3LocationFault) {
        let prefix = "s3://"
        guard text.utf8.starts(with: prefix.utf8) else { throw .scheme }
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { throw .key }
        try self.init(
            bucket: String(Substring(rest[..<slash])), key: String(Substring(rest[rest.index(after: slash)...])))
    }

    /// No control bytes, nor segments `.` and `..`, which servers on the way may interpret.
    package init(bucket: String, key: String) throws(S3LocationFault) {
        guard Self.isBucket(bucket) else { throw .bucket }
        let segments = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (1...Self.keyLimit).contains(key.utf8.count), key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            // C1 controls.
            !key.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }),
            !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
        else { throw .key }
        (self.bucket, self.key) = (bucket, key)
    }

    /// 3 to 63 of `a-z0-9.-`, a letter or digit at both ends and around each dot; no IPv4 address.
    package static func isBucket(_ name: String) -> Bool {
        guard (3...63).contains(name.utf8.count), IPAddress(name) == nil, !name.hasPrefix("xn--") else { return false }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return isPlain(first) && isPlain(last) && label.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || (0x61...0x7A).contains(byte) }
}

extension S3Location {
    /// Keys are bytes: two that only look the same, which Swift's texts call equal, are two objects.
    package static func == (left: S3Location, right: S3Location) -> Bool {
        left.bucket == right.bucket && left.key.utf8.elementsEqual(right.key.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bucket)
        for byte in key.utf8 { hasher.combine(byte) }
    }
}

extension S3Location: CustomStringConvertible {
    package var description: String { "s3://\(bucket)/\(key)" }
}

/// Why a text names no object: no `s3://`, or a bucket or key that breaks the rules.
package enum S3LocationFault: Error, Equatable, Sendable {
    case scheme
    case bucket
    case key
}
