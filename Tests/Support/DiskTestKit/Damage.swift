package import SeededRandom
import Glibc

/// What can befall the file of an entry.
package enum Damage: Int, CaseIterable, Sendable {
    case flipBit
    case truncate
    case empty
    case append
    case zeroBlock
    case noise
    case foreignFile
    case otherEntry
    case swap
    case folder
    case fullFolder
    case pipe
    case linkToOther
    case danglingLink
    case hugeHole
    case repeatedHalf

    /// Does it to `victim`; `other` is the file of another entry. Returns the files that are no longer what they were.
    package func strike(
        _ victim: StoreTestFolder.File, other: StoreTestFolder.File, random: inout SeededGenerator
    ) -> [StoreTestFolder.File] {
        var bytes = StoreTestFolder.read(victim.path)
        let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
        switch self {
        case .flipBit:
            guard !bytes.isEmpty else { return [] }
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .truncate: bytes = Array(bytes[..<place])
        case .empty: bytes = []
        case .append: bytes += (0...(place % 300)).map { UInt8(truncatingIfNeeded: $0) }
        case .zeroBlock:
            let start = place & ~511
            let end = min(start + 4096, bytes.count)
            guard bytes[start..<end].contains(where: { $0 != 0 }) else { return [] }
            for index in start..<end { bytes[index] = 0 }
        case .noise: bytes = bytes.map { _ in UInt8(truncatingIfNeeded: random.next()) }
        case .foreignFile: bytes = Array("not an entry at all\n".utf8)
        case .repeatedHalf: bytes = Array(bytes[(bytes.count / 2)...]) + Array(bytes[(bytes.count / 2)...])
        default: return replace(victim, by: other)
        }
        // In place, so that hard links and open files see it as they would see a failing disk.
        return StoreTestFolder.write(bytes, at: victim.path) ? [victim] : []
    }

    /// What puts something else than changed bytes at the place of `victim`.
    private func replace(_ victim: StoreTestFolder.File, by other: StoreTestFolder.File) -> [StoreTestFolder.File] {
        guard victim.path != other.path else { return [] }
        if self == .swap {
            let aside = victim.path + ".aside"
            guard rename(victim.path, aside) == 0 else { return [] }
            rename(other.path, victim.path)
            rename(aside, other.path)
            return [victim, other]
        }
        unlink(victim.path)
        switch self {
        case .otherEntry: StoreTestFolder.write(StoreTestFolder.read(other.path), at: victim.path)
        case .folder: mkdir(victim.path, 0o755)
        case .fullFolder:
            mkdir(victim.path, 0o755)
            StoreTestFolder.write([1, 2, 3], at: victim.path + "/file")
        case .pipe: mkfifo(victim.path, 0o644)
        case .linkToOther: symlink(other.path, victim.path)
        case .danglingLink: symlink("/nonexistent/entry", victim.path)
        case .hugeHole:
            StoreTestFolder.write([1], at: victim.path)
            Glibc.truncate(victim.path, 1 << 40)
        default: break
        }
        return [victim]
    }
}
