/// Bytes, as names of files need not be UTF-8.
package struct RelativePath: Sendable, Equatable {
    /// NUL-terminated.
    let bytes: [CChar]

    package init(_ text: String) { self.init(bytes: text.utf8) }

    /// NUL bytes are left out.
    package init(bytes: some Collection<UInt8>) {
        var copy: [CChar] = []
        copy.reserveCapacity(bytes.count + 1)
        for byte in bytes where byte != 0 { copy.append(CChar(bitPattern: byte)) }
        copy.append(0)
        self.bytes = copy
    }

    package func appending(_ name: FileName) -> RelativePath {
        RelativePath(bytes: bytes.dropLast().map { UInt8(bitPattern: $0) } + [UInt8(ascii: "/")] + name.bytes)
    }
}

/// Bytes without a NUL or a slash.
package struct FileName: Sendable, Hashable {
    package let bytes: [UInt8]
    /// As far as the listing told; some file systems do not.
    package let isFolder: Bool

    /// For messages.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
