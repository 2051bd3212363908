import CLinux
import Glibc

/// The only error that this module throws.
package struct Errno: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package static let tooManyDescriptors = Errno(code: EMFILE)
    package static let addressInUse = Errno(code: EADDRINUSE)
    package static let connectionRefused = Errno(code: ECONNREFUSED)
    package static let badDescriptor = Errno(code: EBADF)
    package static let noSuchEntry = Errno(code: ENOENT)
    package static let alreadyExists = Errno(code: EEXIST)
    /// The file has fewer bytes than expected.
    package static let fileTooShort = Errno(code: ENODATA)
    package static let invalidArgument = Errno(code: EINVAL)

    /// No descriptor or memory for one at present.
    package var isDescriptorShortage: Bool { code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM }
    /// For the log: `Address already in use (98)`.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 128)
        unsafe clinux_describe_error(code, &buffer, buffer.count)
        let written = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return written.isEmpty ? "error \(code)" : String(decoding: written, as: UTF8.self) + " (\(code))"
    }
}

/// Repeats `call` while a signal interrupts it; a negative result is thrown as `errno`. Only this and the pollers know
/// `EINTR`. Fault tests choose by `kind`.
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
