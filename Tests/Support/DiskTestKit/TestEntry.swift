package import Digest
package import DiskStore
import Bytes
import Glibc
import Reactor
import SeededRandom

/// An entry whose every byte follows from its number and its version, so that whoever finds it can tell whether it is
/// right without having seen it written.
package struct TestEntry {
    /// How many numbers in a row share a tag.
    package static let groupSize = 16

    package let number: Int
    /// How often its writer had written something before; later ones are greater.
    package let version: Int

    package init(number: Int, version: Int) {
        self.number = number
        self.version = version
    }

    package static func key(_ number: Int) -> Digest256 { SHA256.digest(of: "test \(number)") }

    package static func tag(_ number: Int) -> UInt64 { tag(group: number / groupSize) }

    /// The tag of the entries `group * groupSize` and the following.
    package static func tag(group: Int) -> UInt64 { SHA256.digest(of: "group \(group)").leadingWord }

    package var record: EntryRecord {
        EntryRecord(
            key: Self.key(number), tag: Self.tag(number), status: status, storedUnixSeconds: storedUnixSeconds,
            cost: cost, fields: fields, content: SharedBytes(content))
    }

    /// Reads the version out of `found` and compares everything with what it must be.
    package static func version(of found: FoundEntry, number: Int) -> Result<Int, Complaint> {
        let words = String(decoding: found.fields, as: UTF8.self).split(separator: " ")
        guard words.count >= 3, words[0] == "test", Int(words[1]) == number, let version = Int(words[2]) else {
            return .failure(Complaint("\(number): its fields are another's: \(words.prefix(3))"))
        }
        let entry = TestEntry(number: number, version: version)
        guard found.fields == entry.fields else { return .failure(Complaint("\(number): wrong fields")) }
        guard found.status == entry.status, found.storedUnixSeconds == entry.storedUnixSeconds,
            found.cost == entry.cost
        else { return .failure(Complaint("\(number): wrong status, time or cost")) }
        let content = data(of: found.content)
        guard content == entry.content else {
            return .failure(Complaint("\(number): wrong content, \(content.count) of \(entry.content.count) data"))
        }
        return .success(version)
    }

    /// The bytes of found content; fewer than there should be when they cannot be read.
    package static func data(of content: FoundContent) -> [UInt8] {
        switch content {
        case .memory(let bytes): return bytes.withUnsafeBytes { Array($0) }
        case .file(let file):
            var data = [UInt8](repeating: 0, count: file.byteCount)
            // Errors that are forced are the store's.
            let count = data.withUnsafeMutableBytes { pread(file.rawValue, $0.baseAddress, $0.count, 0) }
            return Array(data.prefix(max(0, count)))
        }
    }

    /// How many bytes the content has: mostly some hundreds, now and then more than the store returns as memory.
    package var byteCount: Int {
        var random = SeededGenerator(state: seed)
        let choice = random.next() % 64
        let part = Int(random.next() % 4096)
        return switch choice {
        case 0: 300_000 + part
        case 1...4: 20_000 + 16 * part
        case 5: 0
        default: part
        }
    }

    private var seed: UInt64 { UInt64(number) &* 0x9e37_79b9 &+ UInt64(version) &<< 32 }
    private var status: Int { version.isMultiple(of: 7) ? 404 : 200 }
    private var storedUnixSeconds: Int64 { 1_700_000_000 + Int64(version) }
    private var cost: Duration { .microseconds(version % 100_000) }

    private var fields: [UInt8] {
        Array("test \(number) \(version) ".utf8) + [UInt8](repeating: 0x2e, count: version % 50)
    }

    /// A block of random bytes again and again, each time with its place in front.
    private var content: [UInt8] {
        var random = SeededGenerator(state: seed &+ 1)
        let block = (0..<64).map { _ in random.next() }
        let byteCount = byteCount
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let data = UnsafeMutableRawBufferPointer(buffer)
            block.withUnsafeBytes { block in
                for start in stride(from: 0, to: byteCount, by: block.count) {
                    let piece = UnsafeMutableRawBufferPointer(
                        rebasing: data[start..<min(start + block.count, byteCount)])
                    piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<piece.count]))
                    if piece.count >= 8 { piece.storeBytes(of: UInt64(start) ^ seed, as: UInt64.self) }
                }
            }
            count = byteCount
        }
    }
}

/// What was not as it must be.
package struct Complaint: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
