import CLinux

/// The number of files and sockets that this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, where that is allowed; returns what holds from now on.
    package static func raise() -> Int {
        Int(clinux_raise_descriptor_limit())
    }
}

extension FileDescriptor {
    /// A descriptor that serves no purpose but to be given up when another one is needed. Errors: `EMFILE`, `ENFILE`.
    package static func makeReserve() throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { clinux_eventfd() })
    }
}
