import Glibc
package import Reactor

package struct ResumableSettings: Sendable {
    /// Made if it is missing. One process at a time has it.
    package var path: String
    package var byteLimit: Int
    /// Of incomplete uploads; as many complete ones are remembered.
    package var countLimit = 1000
    package var totalByteLimit: Int
    /// How long one is kept that nothing happens to.
    package var lifetimeSeconds: Int
    /// Files have the times of the operating system.
    package var clock: Clock
    /// What keeps other processes out for as long as it is open; nil where something else does.
    package var lock: ResumableLock?

    package init(
        path: String, byteLimit: Int, totalByteLimit: Int = .max, lifetimeSeconds: Int = 86_400, clock: Clock = .system
    ) {
        self.path = path
        self.byteLimit = byteLimit
        self.totalByteLimit = totalByteLimit
        self.lifetimeSeconds = lifetimeSeconds
        self.clock = clock
    }
}

/// Keeps other processes out of a folder of resumable uploads (flock).
package final class ResumableLock: Sendable {
    private let file: FileDescriptor

    /// `file` is locked.
    package init(adopting file: consuming FileDescriptor) { self.file = file }

    deinit {
        do throws(Errno) {
            try file.unlock()
        } catch {
            // The lock ends with the file.
        }
    }
}

package struct ResumableState: Equatable, Sendable {
    /// Its name: 128 random bits in base64url. A client that knows it may continue the upload.
    package let token: String
    /// In bytes, when it is complete; of an open one the most that it may have.
    package internal(set) var length: Int
    package internal(set) var offset: Int
    package let metadata: UploadMetadata
    /// Its client has not said yet how long it will be.
    package internal(set) var isOpen = false
    /// What it is to replace; nil: it becomes an asset under its digest.
    package internal(set) var target: UploadTarget?
    /// When it expires if nothing happens, in seconds since 1970.
    package internal(set) var expiresUnixSeconds: Int64
    /// The asset that it has become.
    package internal(set) var assetID: String?

    package var isComplete: Bool { !isOpen && offset == length }
}

/// Why something cannot be done with a resumable upload.
package enum ResumableError: Error, Equatable, Sendable {
    /// There is none, or it has expired.
    case notFound
    /// It goes on at the byte `expected`.
    case wrongOffset(expected: Int)
    /// Somebody else writes to it or ends it.
    case busy
    /// It would have more than `limit` bytes.
    case tooLarge(limit: Int)
    /// `limit` uploads are not complete yet.
    case tooMany(limit: Int)
    /// All incomplete uploads together would have more than `limit` bytes.
    case full(limit: Int)
    /// The file system, or this user's share of it, is full.
    case noRoom
    case io(errno: Int32)

    package init(_ error: Errno) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .noRoom : .io(errno: error.code)
    }
}
