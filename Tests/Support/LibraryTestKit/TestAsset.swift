import AssetLibrary
import Bytes
import Digest
import Glibc
import Reactor
import SeededRandom

/// Content whose every byte follows from a number and a version, so that whoever finds it can tell whether it is right.
struct TestAsset: Sendable {
    let number: Int
    /// Which of its contents; uploads without a name have one only.
    let version: Int

    init(number: Int, version: Int) {
        self.number = number
        self.version = Self.isNamed(number) ? version : 0
    }

    /// Whether the number is stored under a name, or under the id that follows from the content.
    static func isNamed(_ number: Int) -> Bool { number.isMultiple(of: 2) }

    static func id(_ number: Int) -> String {
        guard !isNamed(number) else { return "shelf \(number % 5)/\(number % 3)/\(number).jpg" }
        return "~" + SHA256.digest(of: TestAsset(number: number, version: 0).content).base64URL()
    }

    /// The number and the version in front, and then bytes from them: mostly some hundreds, now and then very many.
    var content: [UInt8] {
        var random = SeededGenerator(state: UInt64(number) &* 0x9e37_79b9 &+ UInt64(version) &<< 32)
        let part = Int(random.next() % 3000)
        let count = random.next() % 16 == 0 ? 300_000 + part : part
        var bytes = Array("P \(number) \(version) ".utf8)
        bytes.reserveCapacity(bytes.count + count + 8)
        let block = (0..<32).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        while bytes.count < count { bytes += block.map { $0 &+ UInt8(truncatingIfNeeded: bytes.count >> 8) } }
        return bytes
    }

    /// The version that `bytes` are, if they are a content of `number` to the last bit.
    static func version(of bytes: [UInt8], number: Int) -> Int? {
        let words = bytes.prefix(40).split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard words.count > 2, let version = Int(String(decoding: words[2], as: UTF8.self)),
            TestAsset(number: number, version: version).content == bytes
        else { return nil }
        return version
    }

    static let mediaType: @Sendable (SharedBytes) -> String? = { head in
        head.withUnsafeBytes { $0.first == UInt8(ascii: "P") } ? "image/x-test" : nil
    }

    static func settings(_ path: String) -> UploadSettings { UploadSettings(path: path, mediaType: mediaType) }
}
