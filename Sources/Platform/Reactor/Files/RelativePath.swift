/// A path below an open folder, as the bytes that the system takes: names of files need not be UTF-8.
package struct RelativePath: Sendable, Equatable {
    /// The bytes with the NUL that ends them.
    let bytes: [CChar]

    /// The path that `text` spells, without any NUL.
    package init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// The path with these bytes, without any NUL.
    package init(bytes: some Collection<UInt8>) {
        var copy: [CChar] = []
        copy.reserveCapacity(bytes.count + 1)
        for byte in bytes where byte != 0 { copy.append(CChar(bitPattern: byte)) }
        copy.append(0)
        self.bytes = copy
    }

    /// `name` in this folder.
    package func appending(_ name: FileName) -> RelativePath {
        RelativePath(bytes: bytes.dropLast().map { UInt8(bitPattern: $0) } + [UInt8(ascii: "/")] + name.bytes)
    }
}

/// The name of an entry of a folder.
package struct FileName: Sendable, Hashable {
    /// Its bytes, without a NUL or a slash.
    package let bytes: [UInt8]
    /// Whether the listing said that it is a folder; some file systems leave that open.
    package let isFolder: Bool

    package init(bytes: [UInt8], isFolder: Bool) {
        self.bytes = bytes
        self.isFolder = isFolder
    }

    /// The name as text, for messages; what is not UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
