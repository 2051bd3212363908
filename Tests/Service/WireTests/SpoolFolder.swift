import Glibc

/// A folder for the content of uploads, which lies there in files without names; removed with its owner.
final class SpoolFolder {
    let path = "/tmp/veduta-spools-\(getpid())-\(UInt32.random(in: 0...(.max)))"

    init() { mkdir(path, 0o700) }

    deinit { rmdir(path) }

    /// How many files in it this process holds open.
    var openCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [UInt8](repeating: 0, count: 256)
            let length = target.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { readlink("/proc/self/fd/" + name, $0, buffer.count) } ?? 0
            }
            guard length > 0 else { continue }
            let text = String(decoding: target[..<length], as: UTF8.self)
            if text.hasPrefix(path + "/"), text.hasSuffix(" (deleted)") { count += 1 }
        }
        return count
    }
}

/// Whether two contents are equal; without this a failure would print all of their bytes.
func isSame(_ content: [UInt8], _ expected: [UInt8]) -> Bool { content == expected }
