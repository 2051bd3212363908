package import Bytes
package import Digest
package import Reactor

extension Duration {
    /// Never negative; `Int64.max` for more.
    package var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return UInt64(clamping: overflow ? (seconds < 0 ? 0 : .max) : whole &+ attoseconds / 1_000_000_000_000)
    }
}

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
    /// Nil if there is no file, or it may change without showing it.
    package let verified: VerifiedFile?
}

/// The open file of an entry, every byte of which was right.
///
/// A write, a truncation or a removal since then gives the file another time of change. A medium that gives back other bytes than it
/// got does not.
package struct VerifiedFile: Sendable {
    /// The content alone.
    package let file: SharedFile
    private let changedNanoseconds: Int64

    /// Time stamps of file systems are as coarse as this: a younger file may change once more at the same time.
    private static let settlingMilliseconds: Int64 = 2000

    /// `before` and `after` the bytes were checked, which began at `unixMilliseconds`.
    init?(_ file: SharedFile, before: FileState, after: FileState, unixMilliseconds: Int64) {
        guard before == after, after.nameCount > 0,
            after.changedNanoseconds / 1_000_000 &+ Self.settlingMilliseconds < unixMilliseconds
        else { return nil }
        self.file = file
        changedNanoseconds = after.changedNanoseconds
    }

    /// Whether the file is as it was then. One system call, which does not wait for the disk.
    package var isUnchanged: Bool {
        (try? FileDescriptor.state(number: file.rawValue))?.changedNanoseconds == changedNanoseconds
    }
}

package enum FoundContent: Sendable {
    case memory(SharedBytes)
    /// Too large for memory: the shared bytes of the file are the content. They were right when the file was opened.
    case file(SharedFile)
}
