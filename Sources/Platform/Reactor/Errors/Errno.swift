import CLinux
import Glibc

/// An error code of the operating system (`errno`), the only error that this module throws.
package struct Errno: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value of `errno`, positive.
    package let code: Int32

    /// Names the code `code`.
    package init(code: Int32) {
        self.code = code
    }

    /// The per-process limit of open descriptors is reached.
    package static let tooManyDescriptors = Errno(code: EMFILE)
    /// The system-wide limit of open descriptors is reached.
    package static let systemDescriptorsExhausted = Errno(code: ENFILE)
    package static let addressInUse = Errno(code: EADDRINUSE)
    package static let connectionRefused = Errno(code: ECONNREFUSED)
    package static let connectionReset = Errno(code: ECONNRESET)
    package static let badDescriptor = Errno(code: EBADF)
    /// What was named does not exist.
    package static let noSuchEntry = Errno(code: ENOENT)
    /// What was added is there already.
    package static let alreadyExists = Errno(code: EEXIST)
    /// A file has fewer bytes than it was said to have.
    package static let fileTooShort = Errno(code: ENODATA)
    /// An argument is out of what the call accepts.
    package static let invalidArgument = Errno(code: EINVAL)

    /// The system's sentence for the code and its number, for the log: `Address already in use (98)`.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 128)
        unsafe clinux_describe_error(code, &buffer, buffer.count)
        let written = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return written.isEmpty ? "error \(code)" : String(decoding: written, as: UTF8.self) + " (\(code))"
    }
}

/// Repeats `call` while a signal interrupts it and returns its result; a negative one is thrown as the `errno` it left.
///
/// The only place that knows `EINTR`, apart from the pollers, where an interrupted wait is an empty turn. Calls that fault
/// tests let fail say what they are (`kind`); in release builds that is nothing.
@inline(__always)
func systemCall<Result: SignedInteger>(_ kind: FaultableCall? = nil, _ call: () -> Result) throws(Errno) -> Result {
    while true {
        #if DEBUG
            if let kind, let forced = ForcedErrors.next(kind) {
                if forced.code == EINTR { continue }
                throw forced
            }
        #endif
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw Errno(code: code) }
    }
}
