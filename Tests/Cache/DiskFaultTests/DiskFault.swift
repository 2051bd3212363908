#if DEBUG
    import Glibc
    import Reactor

    /// A system call of the disk tier and what its failure says.
    struct DiskFault: Sendable, CustomStringConvertible {
        let call: FaultableCall
        let code: Int32

        /// Whether it is our own shortage: then entries on the disk are as good as before.
        var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(code) }

        /// Whether it says that the disk is full. Fewer entries may stay for a while after that.
        var isFullDisk: Bool { [ENOSPC, EDQUOT].contains(code) }

        var description: String { "\(call): \(Errno(code: code))" }

        /// The kinds of calls, and for each what the manual pages name, the likeliest first.
        static let codes: [(call: FaultableCall, codes: [Int32])] = [
            (.diskOpen, [EMFILE, ENOSPC, EACCES, ENFILE, ENOMEM, EROFS, EDQUOT, EIO, ELOOP, ENOTDIR, EPERM, EINTR]),
            (.diskMakeFolder, [ENOSPC, EACCES, EROFS, EDQUOT, EMLINK, ENOENT, EIO]),
            (.diskRead, [EIO, ENOMEM, EISDIR, ESTALE, EINTR]),
            (.diskWrite, [ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ENOMEM, EPERM, EINTR]),
            (.diskRename, [ENOSPC, EACCES, EROFS, EDQUOT, EIO, ENOENT, EISDIR, EXDEV, ENOMEM]),
            (.diskUnlink, [EACCES, EROFS, EIO, EBUSY, ENOENT, EPERM, EISDIR, ENOMEM]),
            (.diskStat, [EIO, EACCES, ENOMEM, ENOENT, EOVERFLOW, ESTALE]),
            (.diskList, [EIO, ENOENT, EMFILE, ENOMEM, EACCES, ENOTDIR]),
            (.diskLink, [EMLINK, EPERM, ENOSPC, EACCES, EROFS, EDQUOT, EIO, EXDEV, ENOENT, EINTR]),
            (.diskLock, [EAGAIN, ENOLCK, EACCES, EINTR, EIO, EDEADLK]),
        ]
    }
#endif
