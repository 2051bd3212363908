import Foundation

// The content first, then what is known of it as JSON, then a footer of fixed length: a 304 writes the last two again and
// leaves the content alone. A file that a crash cut is known by its footer.

/// The format of a file of the disk cache.
enum CacheFile {
    private static let magic = Array("VDTCACH1".utf8)
    private static let footerByteCount = 20
    /// The most that is said of one answer.
    private static let headByteLimit = 1 << 20

    private static func tail(of head: StoredResponse.Head, contentByteCount: Int) throws -> Data {
        var data = try JSONEncoder().encode(head)
        let headByteCount = UInt32(clamping: data.count)
        data.append(contentsOf: magic)
        withUnsafeBytes(of: UInt64(contentByteCount).bigEndian) { data.append(contentsOf: $0) }
        withUnsafeBytes(of: headByteCount.bigEndian) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes a file whole, or not at all; its length.
    static func write(_ response: StoredResponse, to file: URL) throws -> Int {
        let data = response.content + (try tail(of: response.head, contentByteCount: response.content.count))
        try data.write(to: file, options: .atomic)
        return data.count
    }

    /// What a file holds; nil where it is not whole.
    static func read(_ file: URL) -> StoredResponse? {
        guard let data = try? Data(contentsOf: file), let layout = layout(data.suffix(footerByteCount), of: data.count),
            let head = try? JSONDecoder().decode(StoredResponse.Head.self, from: data[layout.head])
        else { return nil }
        return StoredResponse(head: head, content: data.subdata(in: 0..<layout.head.lowerBound))
    }

    /// What is said of the content; nil where the file is not whole.
    static func head(of file: URL) -> StoredResponse.Head? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        return (try? head(in: handle))?.head
    }

    /// What is said of the content, and how long the content is.
    private static func head(in handle: FileHandle) throws -> (head: StoredResponse.Head, contentByteCount: Int)? {
        let length = Int(clamping: try handle.seekToEnd())
        guard length >= footerByteCount else { return nil }
        try handle.seek(toOffset: UInt64(length - footerByteCount))
        guard let footer = try handle.readToEnd(), let layout = layout(footer, of: length) else { return nil }
        try handle.seek(toOffset: UInt64(layout.head.lowerBound))
        guard let data = try handle.read(upToCount: layout.head.count) else { return nil }
        return (try JSONDecoder().decode(StoredResponse.Head.self, from: data), layout.head.lowerBound)
    }

    /// Replaces what is said of the content, unless that is another one by now: another load, or another process, may have written
    /// the file. Gives its length.
    static func renew(_ head: StoredResponse.Head, in file: URL) throws -> Int? {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        guard let known = try Self.head(in: handle), known.head.tag == head.tag else { return nil }
        let tail = try tail(of: head, contentByteCount: known.contentByteCount)
        try handle.truncate(atOffset: UInt64(known.contentByteCount))
        try handle.write(contentsOf: tail)
        return known.contentByteCount + tail.count
    }

    private static func layout(_ footer: Data, of length: Int) -> (head: Range<Int>, Void)? {
        let bytes = Array(footer)
        guard bytes.count == footerByteCount, Array(bytes.prefix(8)) == magic else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let (content, head) = (Int(clamping: number(8..<16)), Int(clamping: number(16..<20)))
        guard head <= headByteLimit, content <= length, content + head + footerByteCount == length else { return nil }
        return (content..<content + head, ())
    }
}
