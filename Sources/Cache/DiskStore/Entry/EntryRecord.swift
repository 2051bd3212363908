package import Bytes
package import Digest
package import Reactor

/// A response as it goes to disk.
package struct EntryRecord: Sendable {
    package let key: Digest256
    /// The group that it is purged with.
    package let tag: UInt64
    package let status: Int
    package let storedUnixSeconds: Int64
    /// The time that making it took, stored in whole microseconds.
    package let cost: Duration
    /// Response fields, opaque here. At most 64 KiB.
    package let fields: [UInt8]
    package let content: SharedBytes

    package init(
        key: Digest256, tag: UInt64, status: Int, storedUnixSeconds: Int64, cost: Duration, fields: [UInt8],
        content: SharedBytes
    ) {
        self.key = key
        self.tag = tag
        self.status = status
        self.storedUnixSeconds = storedUnixSeconds
        self.cost = cost
        self.fields = fields
        self.content = content
    }

    /// The bytes of its file, to be kept elsewhere.
    package var fileBytes: [UInt8] {
        let trailer = EntryWriter.trailer(self)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + trailer.count)
        unsafe content.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        return bytes + trailer
    }

    /// The most bytes that a file has besides the content.
    package static let trailerLimit = EntryFooter.fieldsLimit + EntryFooter.byteCount
}

/// A found entry, every byte of which was checked when it was opened.
package struct FoundEntry: Sendable {
    package let status: Int
    package let storedUnixSeconds: Int64
    package let cost: Duration
    package let fields: [UInt8]
    package let content: FoundContent
}

package enum FoundContent: Sendable {
    case memory(SharedBytes)
    /// Too large for memory: the shared bytes of the file are the content. They were right when the file was opened.
    case file(SharedFile)
}
