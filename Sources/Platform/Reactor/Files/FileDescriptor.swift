import Glibc

/// The one owner of an open descriptor, which closes with it.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, valid as long as this owner lives; for the loop and for calls that do not keep it.
    package let rawValue: Int32

    /// Takes over the open descriptor `rawValue`.
    package init(adopting rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Not repeated on EINTR: Linux has released the number by then, and another thread may have it already.
        _ = close(rawValue)
    }

    /// Gives the number to the caller, who closes it.
    package consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }
}
