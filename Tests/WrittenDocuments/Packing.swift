import CDeflate

/// Octets that are packed as gzip or zlib.
package enum Packing {
    /// One member.
    package static func gzip(_ octets: [UInt8], level: Int32 = 6) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: cdeflate_gzip_bound(octets.count))
        let room = out.count
        let count = cdeflate_gzip(level, octets, octets.count, &out, room)
        return Array(out[..<count])
    }

    /// One stream.
    package static func zlib(_ octets: [UInt8], level: Int32 = 6) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: cdeflate_zlib_bound(octets.count))
        let room = out.count
        let count = cdeflate_zlib_compress(level, octets, octets.count, &out, room)
        return Array(out[..<count])
    }
}
