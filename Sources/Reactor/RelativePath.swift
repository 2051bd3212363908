/// A path below an open folder, as the octets that the system takes: names of files need not be UTF-8.
package struct RelativePath: Sendable, Equatable {
    /// The octets with the NUL that ends them.
    let octets: [CChar]

    /// The path that `text` spells, without any NUL.
    package init(_ text: String) {
        self.init(octets: text.utf8)
    }

    /// The path with these octets, without any NUL.
    package init(octets: some Collection<UInt8>) {
        var copy: [CChar] = []
        copy.reserveCapacity(octets.count + 1)
        for octet in octets where octet != 0 { copy.append(CChar(bitPattern: octet)) }
        copy.append(0)
        self.octets = copy
    }

    /// `name` in this folder.
    package func appending(_ name: FileName) -> RelativePath {
        RelativePath(octets: octets.dropLast().map { UInt8(bitPattern: $0) } + [UInt8(ascii: "/")] + name.octets)
    }
}

/// The name of an entry of a folder.
package struct FileName: Sendable, Hashable {
    /// Its octets, without a NUL or a slash.
    package let octets: [UInt8]
    /// Whether the listing said that it is a folder; some file systems leave that open.
    package let isFolder: Bool

    package init(octets: [UInt8], isFolder: Bool) {
        self.octets = octets
        self.isFolder = isFolder
    }

    /// The name as text, for messages; what is not UTF-8 is replaced.
    package var text: String { String(decoding: octets, as: UTF8.self) }
}
