import Bytes
import HTTPMessage
import Origin
import Synchronization

/// What is sought of another server.
enum RemoteKey: Hashable, Sendable {
    /// All that is at an address, asked for with these fields.
    case whole(OriginURL, fields: [RemoteField])
    /// The beginning of an archive, by the number of that.
    case beginning(archive: UInt64)
    /// Bytes of one state of an archive, by the number of the state.
    case section(state: UInt64, Range<UInt64>)
}

/// Something that is sought, and where.
struct RemoteWant: Hashable, Sendable {
    let key: RemoteKey
    let origin: OriginURL.Origin
}

/// What came of it.
enum RemoteOutcome: Sendable {
    /// These bytes; none where there is nothing to be seen.
    case found(SharedBytes)
    case absent
    /// It cannot be had.
    case failed(RemoteFailure)
}

/// Something that nobody has asked for yet, for which a request has to be made.
struct RemoteClaim: Sendable {
    let want: RemoteWant
    /// Names the course that is claimed.
    let number: UInt64
    /// What is held of it, but no longer fresh.
    let held: RemoteKept?
}

/// A request that answers one or more claims.
struct RemoteRequest: Sendable {
    var fetch: FetchRequest
    var claims: [RemoteClaim]
    /// What the answer means for each of the claims, in their order. Called on the fetch thread.
    var read: @Sendable (RemoteAnswer) -> [RemoteLanding]
}

/// What came of a request.
struct RemoteAnswer: Sendable {
    let result: Result<Fetched, OriginError>
    let content: SharedBytes
    /// Seconds since 1970.
    let requestTime: Int64
    /// Seconds since 1970.
    let responseTime: Int64
}

/// What an answer means for a claim.
enum RemoteLanding: Sendable {
    case keep(RemoteKept)
    /// It is for those who wait alone.
    case pass(RemoteOutcome)
}

/// Gathers content in memory; the limit of the request bounds it.
final class RemoteSink: FetchSink {
    private let bytes = Mutex<[UInt8]>([])

    /// What has come. Called at the end.
    func take() -> SharedBytes {
        bytes.withLock { bytes in
            let whole = SharedBytes(bytes)
            bytes = []
            return whole
        }
    }

    func began(_ head: ResponseHead) -> Bool {
        bytes.withLock { $0.removeAll(keepingCapacity: true) }
        return true
    }

    func received(_ part: RawSpan) -> Bool {
        bytes.withLock { bytes in part.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return true
    }
}
