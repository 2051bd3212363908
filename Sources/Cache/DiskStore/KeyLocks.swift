import Digest
import Reactor
import Synchronization

/// The keys that this store has locked, as locks of an open file do not keep its own threads apart.
final class KeyLocks: Sendable {
    private let held = Mutex<Set<Int>>([])

    /// The byte of the lock file that stands for `key`: 62 of its bits.
    static func offset(_ key: Digest256) -> Int { Int(key.leadingWord >> 2) }
    func take(_ offset: Int) -> Bool { held.withLock { $0.insert(offset).inserted } }
    func giveUp(_ offset: Int) { held.withLock { _ = $0.remove(offset) } }
}

/// The right to make the entry of a key, across processes. It ends with this object or with the process.
package final class KeyLock: Sendable {
    private let locks: KeyLocks
    private let folder: StoreFolder
    private let offset: Int

    /// Nil while anybody else has `key`. Where files cannot be locked, other processes are not kept out.
    init?(_ key: Digest256, locks: KeyLocks, folder: StoreFolder) {
        let offset = KeyLocks.offset(key)
        guard locks.take(offset) else { return nil }
        self.locks = locks
        self.folder = folder
        self.offset = offset
        guard folder.tryLock(byteAt: offset) else { return nil }
    }

    deinit {
        // In this order: the next holder's lock of the same byte must not be released.
        folder.unlock(byteAt: offset)
        locks.giveUp(offset)
    }
}

extension StoreFolder {
    fileprivate func tryLock(byteAt offset: Int) -> Bool { (try? lockFile?.tryLock(byteAt: offset)) ?? true }

    /// On errors the lock ends with the file.
    fileprivate func unlock(byteAt offset: Int) { try? lockFile?.unlock(byteAt: offset) }
}
