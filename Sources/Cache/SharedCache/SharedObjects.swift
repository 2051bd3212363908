import Bytes
import Digest
package import Origin
import Reactor
import Synchronization

/// Larger results and masters as objects of S3, named by the digests of their bytes. Redis has those digests, so S3 is asked only for
/// what is there, and what comes is held to them.
package final class SharedObjects: Sendable {
    /// Of the content of an entry.
    package static let contentLimit = 32 << 20
    /// Of all that is being sent.
    static let sendingLimit = 64 << 20
    /// A worker waits no longer for an object.
    static let patience = Duration.seconds(2)

    private let storage: S3Storage
    private let bucket, prefix: String
    private let sending = Mutex(0)
    /// Storage that does not answer would hold every worker for ``patience``.
    private let breaker = Mutex(CircuitBreaker(failureLimit: 3, firstRest: .seconds(1), longestRest: .seconds(8)))
    /// `prefix` is empty or ends in `/`.
    package init(_ storage: S3Storage, bucket: String, prefix: String) {
        self.storage = storage
        self.bucket = bucket
        self.prefix = prefix
    }

    enum Read: Equatable, Sendable {
        case found([UInt8])
        /// It is gone, or other bytes are in its place.
        case wrong
        case unavailable
    }

    /// Waits for S3, for ``patience`` at most; not for loops or threads of the tier.
    func read(_ pointer: SharedPointer) -> Read {
        guard let location = location(pointer) else { return .wrong }
        let now = Clock.system.monotonic()
        guard breaker.withLock({ $0.admit(now: now) }) == nil else { return .unavailable }
        let read = get(location, pointer)
        let then = Clock.system.monotonic()
        let isThere = read != .unavailable
        breaker.withLock { breaker in
            guard isThere else { return breaker.failed(now: then) }
            breaker.succeeded()
        }
        return read
    }

    private func get(_ location: S3Location, _ pointer: SharedPointer) -> Read {
        let answer = Monitor<Read?>(nil)
        storage.get(location, byteLimit: pointer.byteCount) { result in
            let read: Read =
                switch result {
                case .success(let bytes): .found(bytes)
                case .failure(.notFound), .failure(.tooLarge): .wrong
                case .failure: .unavailable
                }
            answer.withLock { $0 = read }
            answer.signal()
        }
        guard let read = answer.wait(forAtMost: Self.patience, until: { $0 }) else { return .unavailable }
        if case .found(let bytes) = read, SharedPointer(to: bytes) != pointer { return .wrong }
        return read
    }

    /// Calls `done` on the fetch thread when they are there; false, and no call, where too much is being sent.
    func write(_ bytes: [UInt8], done: @escaping @Sendable (SharedPointer) -> Void) -> Bool {
        let pointer = SharedPointer(to: bytes)
        let count = bytes.count
        guard let location = location(pointer) else { return false }
        let hasRoom = sending.withLock { sending in
            guard sending + count <= Self.sendingLimit else { return false }
            sending += count
            return true
        }
        guard hasRoom else { return false }
        storage.put(location, .bytes(SharedBytes(bytes)), contentType: "application/octet-stream") { [self] result in
            sending.withLock { $0 -= count }
            if case .success = result { done(pointer) }
        }
        return true
    }

    private func location(_ pointer: SharedPointer) -> S3Location? {
        try? S3Location(bucket: bucket, key: prefix + pointer.digest.hex)
    }
}

/// What Redis has in place of a large entry: 48 bytes, fewer than any entry has.
struct SharedPointer: Equatable, Sendable {
    let digest: Digest256
    let byteCount: Int

    private static let magic = Array("VedutaS3".utf8)
    static let byteLimit = SharedObjects.contentLimit + (1 << 20)

    init(to bytes: [UInt8]) {
        digest = SHA256.digest(of: bytes)
        byteCount = bytes.count
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 48, bytes.starts(with: Self.magic), let digest = Digest256(bytes: Array(bytes[8..<40]))
        else { return nil }
        let count = bytes[40...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= UInt64(Self.byteLimit) else { return nil }
        self.digest = digest
        byteCount = Int(count)
    }

    var bytes: [UInt8] {
        Self.magic + digest.bytes
            + (0..<8).map { UInt8(truncatingIfNeeded: UInt64(byteCount) >> (56 - 8 * UInt64($0))) }
    }
}
