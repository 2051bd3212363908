import CLinux

/// The number of files and sockets that this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, where that is allowed; returns what holds from now on.
    package static func raise() -> Int {
        Int(clinux_raise_descriptor_limit())
    }
}
