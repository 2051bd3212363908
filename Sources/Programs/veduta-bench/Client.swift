import Glibc

/// A client that asks the same thing again and again over one connection to loopback, and allocates nothing for it.
struct Client: ~Copyable {
    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 21, alignment: 16)

    init(port: UInt16) throws(BenchError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw .connectionLost }
    }

    deinit {
        _ = close(descriptor)
        buffer.deallocate()
    }

    /// Sends `requests` and reads `count` answers, which must all have `status`.
    borrowing func exchange(_ requests: [UInt8], count: Int = 1, status: Int = 200) throws(BenchError) {
        let sent = requests.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == requests.count else { throw .connectionLost }
        var filled = 0
        var offset = 0
        var left = count
        while left > 0 {
            let received = UnsafeRawBufferPointer(rebasing: buffer[offset..<filled])
            if let answer = Self.firstAnswer(in: received) {
                guard answer.status == status else { throw .unexpectedStatus(answer.status) }
                offset += answer.byteCount
                left -= 1
            } else {
                guard let base = buffer.baseAddress, filled < buffer.count else { throw .connectionLost }
                let more = recv(descriptor, base + filled, buffer.count - filled, 0)
                guard more > 0 else { throw .connectionLost }
                filled += more
            }
        }
    }

    borrowing func field(_ name: StaticString) -> String? {
        guard let start = Self.find(name, in: UnsafeRawBufferPointer(buffer)) else { return nil }
        let value = buffer[(start + name.utf8CodeUnitCount)...].prefix { $0 != 0x0d }
        return String(decoding: value, as: UTF8.self)
    }

    /// The status and the length of the answer that `bytes` begin with; nil when it is not complete.
    private static func firstAnswer(in bytes: UnsafeRawBufferPointer) -> (status: Int, byteCount: Int)? {
        guard let end = find("\r\n\r\n", in: bytes), end >= 12 else { return nil }
        let status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        var byteCount = end + 4
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        if status != 304, let start = find("Content-Length: ", in: head) {
            byteCount += head[(start + 16)...].prefix { $0 != 0x0d }.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        }
        return byteCount <= bytes.count ? (status, byteCount) : nil
    }

    private static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let base = bytes.baseAddress, bytes.count >= length else { return nil }
        for offset in 0...(bytes.count - length) where bytes[offset] == text.utf8Start.pointee {
            if memcmp(base + offset, text.utf8Start, length) == 0 { return offset }
        }
        return nil
    }
}
