package import Bytes
import CDeflate

package enum Gzip {
    /// Nil if that is no shorter. `level` is 1, about 5 ms for a megabyte of JSON, to 12, about 400 ms (RFC 1952).
    package static func compress(_ content: SharedBytes, level: Int) -> SharedBytes? {
        var out = [UInt8](repeating: 0, count: cdeflate_gzip_bound(content.count))
        let count = unsafe content.withUnsafeBytes { from in
            unsafe out.withUnsafeMutableBytes { to in
                unsafe cdeflate_gzip(Int32(clamping: level), from.baseAddress, from.count, to.baseAddress, to.count)
            }
        }
        guard count > 0, count < content.count else { return nil }
        return SharedBytes(Array(out[..<count]))
    }
}
