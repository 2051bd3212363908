import Foundation

#if canImport(CryptoKit)
    import CryptoKit

    /// SHA-256 (FIPS 180-4), of the system.
    struct SHA256 {
        private var hasher = CryptoKit.SHA256()

        mutating func update(_ bytes: Data) { hasher.update(data: bytes) }
        consuming func digest() -> [UInt8] { Array(hasher.finalize()) }
    }
#else
    /// SHA-256 (FIPS 180-4) where the system has none that needs no C library.
    struct SHA256 {
        private var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        private var pending: [UInt8] = []
        private var byteCount: UInt64 = 0

        // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
        private static let constants: [UInt32] = {
            var constants: [UInt32] = []
            var candidate = 2
            while constants.count < 64 {
                if !(2..<candidate).prefix(while: { $0 * $0 <= candidate }).contains(where: { candidate % $0 == 0 }) {
                    let root = cubeRoot(of: candidate)
                    constants.append(root)
                }
                candidate += 1
            }
            return constants
        }()

        /// The first 32 bits after the point of the cube root of `number`, exactly: the largest r with r³ ≤ number × 2⁹⁶.
        private static func cubeRoot(of number: Int) -> UInt32 {
            var (low, high) = (UInt64(0), UInt64(8) << 32)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                let (cube, limit) = (Int128(middle) * Int128(middle) * Int128(middle), Int128(number) << 96)
                if cube <= limit { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }

        mutating func update(_ bytes: Data) {
            byteCount += UInt64(bytes.count)
            var rest = bytes[...]
            if !pending.isEmpty {
                let taken = rest.prefix(64 - pending.count)
                pending += taken
                rest = rest.dropFirst(taken.count)
                guard pending.count == 64 else { return }
                pending.withUnsafeBytes { compress($0) }
                pending.removeAll(keepingCapacity: true)
            }
            rest.withUnsafeBytes { buffer in
                var start = 0
                while buffer.count - start >= 64 {
                    compress(UnsafeRawBufferPointer(rebasing: buffer[start..<start + 64]))
                    start += 64
                }
                pending += buffer[start...]
            }
        }

        consuming func digest() -> [UInt8] {
            let bitCount = byteCount * 8
            let padding = (119 - pending.count) % 64
            update(Data([0x80] + [UInt8](repeating: 0, count: padding)))
            update(Data((0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }))
            return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
        }

        private mutating func compress(_ block: UnsafeRawBufferPointer) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for index in 0..<16 {
                    words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
                }
                for index in 16..<64 {
                    let (early, late) = (words[index - 15], words[index - 2])
                    let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
                    let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
                    words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
                }
                var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                Self.constants.withUnsafeBufferPointer { constants in
                    for index in 0..<64 {
                        let choice = (e & f) ^ (~e & g)
                        let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                        let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
                        let majority = (a & b) ^ (a & c) ^ (b & c)
                        let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
                        (h, g, f, e) = (g, f, e, d &+ first)
                        (d, c, b, a) = (c, b, a, first &+ second)
                    }
                }
                for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
            }
        }

        private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    }
#endif

extension SHA256 {
    static func digest(of bytes: Data) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher.digest()
    }

    /// The digest of a file, read in pieces.
    static func digest(ofFileAt url: URL) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var hasher = SHA256()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hasher.update(piece) }
        return hasher.digest()
    }

    /// HMAC-SHA256 (RFC 2104).
    static func authenticationCode(of message: Data, key: Data) -> [UInt8] {
        // A key that is longer than a block is replaced by its digest.
        var block = [UInt8](key.count > 64 ? Data(digest(of: key)) : key)
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = digest(of: Data(block.map { $0 ^ 0x36 }) + message)
        return digest(of: Data(block.map { $0 ^ 0x5c }) + Data(inner))
    }

    static func hex(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
