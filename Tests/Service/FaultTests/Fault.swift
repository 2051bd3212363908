#if DEBUG
    import Glibc
    import Reactor

    /// A system call and what its failure says.
    struct Fault: CustomStringConvertible {
        let call: FaultableCall
        let code: Int32

        init(_ call: FaultableCall, _ code: Int32) {
            self.call = call
            self.code = code
        }

        /// Whether the client must be served as if nothing had happened.
        var isHarmless: Bool { code == EINTR || call == .wait || call == .accept && !isShortage }

        /// Whether there is no room: then a client may be told so, and idle connections are closed.
        private var isShortage: Bool { Errno(code: code).isDescriptorShortage }

        var description: String { "\(call): \(Errno(code: code))" }

        /// What the manual pages name for each call, as far as a server that is right can meet it.
        static let all: [Fault] =
            [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED, EPROTO, EPERM, EINTR].map { Fault(.accept, $0) }
            + [ECONNRESET, ETIMEDOUT, ENOMEM, EIO, EINTR].map { Fault(.receive, $0) }
            + [EPIPE, ECONNRESET, ENOBUFS, ENOMEM, EINTR].map { Fault(.send, $0) }
            + [ENOMEM, EINVAL, EBADF].map { Fault(.wait, $0) }
            + [ENOMEM, ENOSPC].map { Fault(.control, $0) }
            + [EPIPE, ECONNRESET, EIO, ENOMEM, EINVAL, EINTR].map { Fault(.sendFile, $0) }
            + [ENOSPC, EDQUOT, EIO, EFBIG, EINTR].map { Fault(.writeSpool, $0) }
    }
#endif
