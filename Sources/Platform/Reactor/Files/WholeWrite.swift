import Glibc

/// Writes to descriptors that may take a part at a time.
package enum WholeWrite {
    /// Returns how many of `bytes` the descriptor `number` took, which are all unless an error (`errno`) ended it. Waits for a
    /// reader where it must.
    @discardableResult
    package static func write(_ bytes: [UInt8], to number: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + written }, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Another process made standard output non-blocking.
                Processors.pause(.milliseconds(10))
            } else if errno != EINTR {
                return written
            }
        }
        return written
    }
}
