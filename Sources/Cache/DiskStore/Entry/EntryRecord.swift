package import Bytes
package import Digest
package import Reactor

/// An answer as it goes to disk.
package struct EntryRecord: Sendable {
    package let key: Digest256
    /// The group by which it is purged.
    package let tag: UInt64
    package let status: Int
    /// When it was made, in seconds since 1970.
    package let storedUnixSeconds: Int64
    /// What making it took; whole microseconds are kept.
    package let cost: Duration
    /// Response fields in the form that their owner reads; opaque here. At most 64 KiB.
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
}

/// An entry that was found and whose every byte was held against its checksum as it was opened.
package struct FoundEntry: Sendable {
    package let status: Int
    /// When it was made, in seconds since 1970.
    package let storedUnixSeconds: Int64
    package let cost: Duration
    /// Response fields as they were stored.
    package let fields: [UInt8]
    package let content: FoundContent
}

/// The content of a found entry.
package enum FoundContent: Sendable {
    case memory(SharedBytes)
    /// Too large for that: a file of which the shared bytes are the content. They were right when the file was opened.
    case file(SharedFile)
}
