import CLinux
import Glibc

package struct FileDescriptor: ~Copyable, Sendable {
    /// Valid while this owner lives.
    package let rawValue: Int32

    package init(adopting rawValue: Int32) { self.rawValue = rawValue }

    deinit {
        // Not repeated on EINTR: Linux has released the number by then, and another thread may have it already.
        _ = close(rawValue)
    }

    /// The caller closes it.
    package consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }
}

extension FileDescriptor {
    /// To be given up when another descriptor is needed. Errors: `EMFILE`, `ENFILE`.
    package static func makeReserve() throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { clinux_eventfd() })
    }

    /// A nameless file for reading and writing, whose space is free after the last close or a crash. Mode 0600, close-on-exec. File
    /// systems without `O_TMPFILE` give it a name for a moment. Errors: `ENOENT`, `EACCES`, `EROFS`, `ENOSPC`, …
    package static func openSpool(in folder: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { unsafe clinux_open_spool(folder) })
    }
}

package enum DescriptorLimit {
    /// To the hard limit where allowed; returns the limit from now on.
    package static func raise() -> Int { Int(clinux_raise_descriptor_limit()) }
}
