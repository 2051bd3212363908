package import Reactor
import Synchronization

package enum LoopMessage: Sendable {
    case adopt(Handover, peer: SocketAddress?)
    case answer(connectionID: UInt64, requestNumber: UInt64, Response)
    case interim(connectionID: UInt64, requestNumber: UInt64, [UInt8])
    case piece(connectionID: UInt64, requestNumber: UInt64, StreamPiece)
    /// Part of a request's content was written to the file or by its keeper, or could not be.
    case contentStored(connectionID: UInt64, requestNumber: UInt64, Result<SharedFile?, Errno>)
    case resume(connectionID: UInt64)
    case makeRoom(count: Int, RoomKind)
    case reload(ServerSettings)
    case drain(isHandover: Bool)
    case closeAll
}

/// Connections that may be closed in favour of new ones.
package enum RoomKind: Sendable {
    case idle
    /// Part of a head has come, but no more for a while.
    case unfinishedHead
}

/// A descriptor on its way to the thread that takes it; closed if none does.
package final class Handover: Sendable {
    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = Mutex(descriptor) }
    func take() -> FileDescriptor? { descriptor.withLock { $0.take() } }
}
