package import Reactor

/// What other threads tell a loop.
package enum LoopMessage: Sendable {
    /// Serve this connection; the loop takes over the descriptor.
    case adopt(Handover, peer: SocketAddress?)
    /// The answer to a request of a connection.
    case answer(connectionID: UInt64, requestNumber: UInt64, Response)
    /// An interim answer, whole, to a request of a connection.
    case interim(connectionID: UInt64, requestNumber: UInt64, [UInt8])
    /// A piece of a streamed answer.
    case piece(connectionID: UInt64, requestNumber: UInt64, StreamPiece)
    /// A buffer of a request's content was written to the file or by its keeper, or could not be.
    case contentStored(connectionID: UInt64, requestNumber: UInt64, Result<SharedFile?, Errno>)
    /// Go on with a connection that let others have their turn.
    case resume(connectionID: UInt64)
    /// Close a number of connections of one kind, the oldest first.
    case makeRoom(count: Int, RoomKind)
    /// Treat new connections by these settings.
    case reload(ServerSettings)
    /// Finish what runs, refuse the rest.
    case drain
    /// Break off what is left; the loop ends.
    case closeAll
}

/// Connections that are closed when a new one needs their place.
package enum RoomKind: Sendable {
    /// Nothing of a head has come.
    case idle
    /// A part of a head has come, and the rest has not for a while.
    case unfinishedHead
}
