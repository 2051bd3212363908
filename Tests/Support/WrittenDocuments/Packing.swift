import CDeflate

package enum Packing {
    /// One member.
    package static func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: cdeflate_gzip_bound(bytes.count))
        let room = out.count
        let count = cdeflate_gzip(level, bytes, bytes.count, &out, room)
        return Array(out[..<count])
    }

    /// One stream.
    package static func zlib(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: cdeflate_zlib_bound(bytes.count))
        let room = out.count
        let count = cdeflate_zlib_compress(level, bytes, bytes.count, &out, room)
        return Array(out[..<count])
    }
}
