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

    /// Four system calls for a small entry: open, fstat, pread, close.
    func read(_ path: RelativePath, in folder: borrowing FileDescriptor) -> ReadOutcome {
        do throws(Errno) {
            let file = try folder.openFile(path)
            let state = try file.state()
            guard state.kind == .file, state.byteCount >= EntryFooter.byteCount else { return .corrupt }
            let wholeLimit = Self.memoryLimit + EntryFooter.fieldsLimit + EntryFooter.byteCount
            let found =
                state.byteCount <= wholeLimit
                ? try readWhole(file, byteCount: state.byteCount) : try readInPieces(file, byteCount: state.byteCount)
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

    private func readWhole(_ file: consuming FileDescriptor, byteCount: Int) throws(Errno) -> FoundEntry? {
        guard let memory = unsafe malloc(byteCount) else { throw Errno(code: ENOMEM) }
        var owned: UnsafeMutableRawPointer? = unsafe memory
        defer { unsafe free(owned) }
        let whole = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        guard try unsafe file.read(into: whole, at: 0) == byteCount,
            let trailer = unsafe Trailer(UnsafeRawBufferPointer(whole), fileByteCount: byteCount),
            isMine(trailer.footer)
        else { return nil }
        let contentByteCount = trailer.footer.contentByteCount
        var checksum = Checksum()
        unsafe checksum.update(UnsafeRawBufferPointer(rebasing: whole[..<contentByteCount]))
        guard checksum.value == trailer.footer.contentChecksum else { return nil }
        if contentByteCount > Self.memoryLimit {
            let shared = SharedFile(adopting: file, byteCount: contentByteCount)
            return entry(trailer, .file(shared))
        }
        // Gives the trailer's memory back; malloc shrinks in place.
        if contentByteCount > 0, let shrunk = unsafe realloc(memory, contentByteCount) { unsafe owned = shrunk }
        let content = unsafe SharedBytes(
            adopting: owned, count: contentByteCount, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) })
        unsafe owned = nil
        return entry(trailer, .memory(content))
    }

    private func readInPieces(_ file: consuming FileDescriptor, byteCount: Int) throws(Errno) -> FoundEntry? {
        let capacity = Self.memoryLimit
        guard let memory = unsafe malloc(capacity) else { throw Errno(code: ENOMEM) }
        defer { unsafe free(memory) }
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let tailByteCount = EntryFooter.fieldsLimit + EntryFooter.byteCount
        let tail = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<tailByteCount])
        guard try unsafe file.read(into: tail, at: byteCount - tailByteCount) == tailByteCount,
            let trailer = unsafe Trailer(UnsafeRawBufferPointer(tail), fileByteCount: byteCount), isMine(trailer.footer)
        else { return nil }
        let contentByteCount = trailer.footer.contentByteCount
        var checksum = Checksum()
        var offset = 0
        while offset < contentByteCount {
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: room[..<min(capacity, contentByteCount - offset)])
            guard try unsafe file.read(into: piece, at: offset) == piece.count else { return nil }
            unsafe checksum.update(UnsafeRawBufferPointer(piece))
            offset += piece.count
        }
        guard checksum.value == trailer.footer.contentChecksum else { return nil }
        return entry(trailer, .file(SharedFile(adopting: file, byteCount: contentByteCount)))
    }

    private func isMine(_ footer: EntryFooter) -> Bool { footer.key == key && footer.tag == tag }

    private func entry(_ trailer: Trailer, _ content: FoundContent) -> FoundEntry {
        FoundEntry(
            status: trailer.footer.status, storedUnixSeconds: trailer.footer.storedUnixSeconds,
            cost: .microseconds(Int64(clamping: trailer.footer.costMicroseconds)), fields: trailer.fields,
            content: content)
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
            content: .memory(bytes.slice(0..<trailer.footer.contentByteCount)))
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
