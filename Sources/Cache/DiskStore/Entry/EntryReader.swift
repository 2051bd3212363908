package import Bytes
package import Digest
import Glibc
import Reactor

enum ReadOutcome {
    /// Every byte was right when the entry was opened.
    case found(FoundEntry, FileState)
    case absent
    /// The entry could not be read; it may be right all the same.
    case failed(Errno)
    case corrupt
}

/// Checks every byte before it gives one out. Long content is the open file: later changes there are not noticed.
struct EntryReader {
    static let memoryLimit = 256 << 10

    let key: Digest256
    let tag: UInt64
    /// When the reading begins.
    let unixMilliseconds: Int64

    /// Five system calls for a small entry: open, fstat, pread, fstat, close, which waits while the entry is kept open.
    func read(_ path: RelativePath, in folder: borrowing FileDescriptor) -> ReadOutcome {
        do throws(Errno) {
            let file = try folder.openFile(path)
            let state = try file.state()
            guard state.kind == .file, state.byteCount >= EntryFooter.byteCount else { return .corrupt }
            let whole = SharedFile(adopting: file, byteCount: state.byteCount)
            let wholeLimit = Self.memoryLimit + EntryFooter.fieldsLimit + EntryFooter.byteCount
            let found = state.byteCount <= wholeLimit ? try readWhole(whole, state) : try readInPieces(whole, state)
            guard let found else { return .corrupt }
            return .found(found, state)
        } catch {
            switch error.code {
            case ENOENT: return .absent
            // A link, a socket, or a file where a folder should be.
            case ELOOP, ENXIO: return .corrupt
            default: return .failed(error)
            }
        }
    }

    private func readWhole(_ file: SharedFile, _ state: FileState) throws(Errno) -> FoundEntry? {
        let byteCount = file.byteCount
        guard let memory = unsafe malloc(byteCount) else { throw Errno(code: ENOMEM) }
        var owned: UnsafeMutableRawPointer? = unsafe memory
        defer { unsafe free(owned) }
        let whole = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        guard try unsafe file.read(into: whole, from: 0) == byteCount,
            let trailer = unsafe Trailer(UnsafeRawBufferPointer(whole), fileByteCount: byteCount),
            isMine(trailer.footer)
        else { return nil }
        let contentByteCount = trailer.footer.contentByteCount
        var checksum = Checksum()
        unsafe checksum.update(UnsafeRawBufferPointer(rebasing: whole[..<contentByteCount]))
        guard checksum.value == trailer.footer.contentChecksum else { return nil }
        if contentByteCount > Self.memoryLimit { return entry(trailer, file, state, memory: nil) }
        // Gives the trailer's memory back; malloc shrinks in place.
        if contentByteCount > 0, let shrunk = unsafe realloc(memory, contentByteCount) { unsafe owned = shrunk }
        let content = unsafe SharedBytes(
            adopting: owned, count: contentByteCount, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) })
        unsafe owned = nil
        return entry(trailer, file, state, memory: content)
    }

    private func readInPieces(_ file: SharedFile, _ state: FileState) throws(Errno) -> FoundEntry? {
        let byteCount = file.byteCount
        let capacity = Self.memoryLimit
        guard let memory = unsafe malloc(capacity) else { throw Errno(code: ENOMEM) }
        defer { unsafe free(memory) }
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let tailByteCount = EntryFooter.fieldsLimit + EntryFooter.byteCount
        let tail = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<tailByteCount])
        guard try unsafe file.read(into: tail, from: byteCount - tailByteCount) == tailByteCount,
            let trailer = unsafe Trailer(UnsafeRawBufferPointer(tail), fileByteCount: byteCount), isMine(trailer.footer)
        else { return nil }
        let contentByteCount = trailer.footer.contentByteCount
        var checksum = Checksum()
        var offset = 0
        while offset < contentByteCount {
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: room[..<min(capacity, contentByteCount - offset)])
            guard try unsafe file.read(into: piece, from: offset) == piece.count else { return nil }
            unsafe checksum.update(UnsafeRawBufferPointer(piece))
            offset += piece.count
        }
        guard checksum.value == trailer.footer.contentChecksum else { return nil }
        return entry(trailer, file, state, memory: nil)
    }

    private func isMine(_ footer: EntryFooter) -> Bool { footer.key == key && footer.tag == tag }

    /// The entry in `file`, whose `state` is from before it was read; `memory` has the content, unless that is too long.
    private func entry(_ trailer: Trailer, _ file: SharedFile, _ state: FileState, memory: SharedBytes?) -> FoundEntry {
        let footer = trailer.footer
        let content = file.resized(to: footer.contentByteCount)
        let after = try? FileDescriptor.state(number: file.rawValue)
        return FoundEntry(
            status: footer.status, storedUnixSeconds: footer.storedUnixSeconds,
            cost: .microseconds(Int64(clamping: footer.costMicroseconds)), fields: trailer.fields,
            content: memory.map(FoundContent.memory) ?? .file(content),
            verified: after.flatMap {
                VerifiedFile(content, before: state, after: $0, unixMilliseconds: unixMilliseconds)
            })
    }
}

extension FoundEntry {
    /// An entry that came from elsewhere, held to what a file is held to; nil if it is not whole, or another one.
    package init?(_ bytes: SharedBytes, key: Digest256, tag: UInt64) {
        let trailer: Trailer? = unsafe bytes.withUnsafeBytes { whole in
            guard let trailer = unsafe Trailer(whole, fileByteCount: whole.count), trailer.footer.key == key,
                trailer.footer.tag == tag
            else { return nil }
            var checksum = Checksum()
            unsafe checksum.update(UnsafeRawBufferPointer(rebasing: whole[..<trailer.footer.contentByteCount]))
            return checksum.value == trailer.footer.contentChecksum ? trailer : nil
        }
        guard let trailer else { return nil }
        self.init(
            status: trailer.footer.status, storedUnixSeconds: trailer.footer.storedUnixSeconds,
            cost: .microseconds(Int64(clamping: trailer.footer.costMicroseconds)), fields: trailer.fields,
            content: .memory(bytes.slice(0..<trailer.footer.contentByteCount)), verified: nil)
    }
}

/// The end of an entry, with a valid checksum.
private struct Trailer {
    let footer: EntryFooter
    let fields: [UInt8]

    /// Nil unless `tail`, the whole file or as long as fields and footer can be, ends with intact ones.
    init?(_ tail: UnsafeRawBufferPointer, fileByteCount: Int) {
        guard
            let footer = unsafe EntryFooter(Array(tail.suffix(EntryFooter.byteCount)), fileByteCount: fileByteCount),
            footer.fieldsByteCount + EntryFooter.byteCount <= tail.count
        else { return nil }
        let trailer = unsafe UnsafeRawBufferPointer(
            rebasing: tail.suffix(footer.fieldsByteCount + EntryFooter.byteCount))
        guard unsafe EntryFooter.isIntact(trailer) else { return nil }
        self.footer = footer
        fields = unsafe Array(trailer.prefix(footer.fieldsByteCount))
    }
}
