import Bytes
import Glibc
import Reactor

@testable import HTTPServer

/// What all plays share.
final class PlayedStage: Sendable {
    let contents: PlayedContents
    let spooler: ContentSpooler
    private let file: SharedFile

    init() throws(Errno) {
        contents = try PlayedContents()
        spooler = try ContentSpooler(folder: "/tmp", queueLimit: 16)
        file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 0)
    }

    /// Waits until the spooler, which has one thread, has done all that it was asked for.
    func waitForSpooler() {
        let isDone = SharedFlag()
        let nothing = ContentIntake.Part(bytes: [], offset: 0, file: file, keeper: nil)
        guard spooler.write(nothing, done: { _ in isDone.set() }) else { return }
        while !isDone.isSet { sched_yield() }
    }
}

/// Which of the lower descriptors are open.
struct OpenDescriptors: Equatable {
    private let mask: UInt64

    /// Those that are open now.
    init() {
        var mask: UInt64 = 0
        for number in 0..<Int32(64) where fcntl(number, F_GETFD) >= 0 { mask |= 1 << UInt64(number) }
        self.mask = mask
    }
}

/// Two connected local sockets that never block.
struct SocketPair {
    let near: Int32
    let far: Int32

    /// The buffer is that of what `near` sends; nil leaves it as it is.
    init?(sendBuffer: Int32?) {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &numbers) == 0 else { return nil }
        (near, far) = (numbers[0], numbers[1])
        if var size = sendBuffer { setsockopt(near, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
    }
}
