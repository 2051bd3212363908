import Bytes
import Glibc
import HTTPMessage
import Origin
import Reactor
import Synchronization
import Tiles

/// `veduta map extract`: the tiles of an area out of a remote PMTiles archive, by range requests.
package final class ArchiveExtract {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case url(String)
        case threads(cause: String)
        case origin(String)
        case changed
        case noRanges
        case archive(String)
        case empty
        case tooManyTiles(Int)
        case tooLarge(byteCount: UInt64, limit: Int)
        case file(String, cause: String)

        package var description: String {
            switch self {
            case .url(let text): "\(text) is not the URL of an archive; it must begin with https:// or http://"
            case .threads(let cause): "cannot start fetching: \(cause)"
            case .origin(let error): "the server does not give the archive: \(error)"
            case .changed: "the archive changed while it was read; start again"
            case .noRanges: "the server of the archive answers no requests for parts of it"
            case .archive(let error): "the archive cannot be read: \(error)"
            case .empty: "the archive has no tiles there"
            case .tooManyTiles(let count):
                "the area has \(count) tiles and may have \(ArchiveExtract.tileLimit); take a smaller one or a lower --max-zoom"
            case .tooLarge(let byteCount, let limit):
                "the tiles have \(byteCount) bytes and may have \(limit); take a smaller area, or raise --max-bytes"
            case .file(let path, let cause): "cannot write \(path): \(cause)"
            }
        }
    }

    package struct Result: Equatable, Sendable {
        package let tileCount: Int
        package let byteCount: UInt64
        package let requestCount: Int
    }

    package static let tileLimit = 4_000_000
    /// Of one request, and the gap between two pieces that is read with them.
    private static let requestByteCount: UInt64 = 8 << 20
    private static let gapByteCount: UInt64 = 128 << 10

    private let url: OriginURL
    private let fetcher: Fetcher
    private var requestCount = 0
    /// Size and entity tag of the archive; the same in all answers.
    private var state: (byteCount: Int, tag: String?)?

    /// Whoever names a URL on a command line may reach it, also inside.
    package init(_ text: String) throws(Failure) {
        do throws(OriginURLFault) { url = try OriginURL(text) } catch { throw .url(text) }
        guard Fetcher.prepareProcess() else { throw .threads(cause: "libcurl cannot be used") }
        var settings = Fetcher.Settings()
        settings.origins = OriginList.none.adding(url.origin)
        settings.addresses = AddressPolicy(exceptions: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        settings.limits.total = .seconds(300)
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        do throws(Errno) { fetcher = try Fetcher(settings) } catch { throw .threads(cause: "\(error)") }
    }

    deinit { fetcher.stop() }

    /// Writes the tiles of `area` to `path`, which is replaced at the end; `progress` gets bytes read and all that are to be
    /// read. At most `byteLimit` bytes of tiles.
    package func run(
        _ wanted: ExtractArea, to path: String, byteLimit: Int, progress: (_ done: Int, _ all: Int) -> Void
    ) throws(Failure) -> Result {
        let area = wanted.tiles
        let index = try readIndex()
        let zooms =
            max(
                area.zooms.lowerBound, index.minZoom)...max(
                max(area.zooms.lowerBound, index.minZoom), min(area.zooms.upperBound, index.maxZoom))
        let bounds = area.bounds
        guard
            let area = TileArea(
                west: bounds.west, south: bounds.south, east: bounds.east, north: bounds.north, zooms: zooms)
        else { throw .empty }
        guard area.tileCount <= Self.tileLimit else { throw .tooManyTiles(area.tileCount) }
        let pieces = try pieces(of: area, index)
        guard !pieces.isEmpty else { throw .empty }
        let contents = Set(pieces.map(\.range)).sorted { $0.lowerBound < $1.lowerBound }
        let byteCount = contents.reduce(UInt64(0)) { $0 + UInt64($1.count) }
        guard byteCount <= UInt64(max(0, byteLimit)) else { throw .tooLarge(byteCount: byteCount, limit: byteLimit) }
        let layout = PMTilesLayout(pieces, of: index, area: area, metadata: try metadata(index))
        try write(layout, contents, to: path, progress: progress)
        return Result(
            tileCount: pieces.reduce(0) { $0 + Int($1.count) }, byteCount: layout.byteCount,
            requestCount: requestCount)
    }

    // MARK: What is where

    private func readIndex() throws(Failure) -> PMTilesIndex {
        let beginning = try read(0..<UInt64(PMTilesIndex.beginningByteCount))
        guard let state else { throw .noRanges }
        return try Self.understood { () throws(TileError) in
            try PMTilesIndex(beginning: beginning, archiveByteCount: UInt64(state.byteCount))
        }
    }

    private func metadata(_ index: PMTilesIndex) throws(Failure) -> String {
        guard !index.metadata.isEmpty, index.metadata.count <= 8 << 20 else { return "{}" }
        let stored = try read(index.metadata)
        return try Self.understood { () throws(TileError) in try index.metadataText(stored) }
    }

    /// By ascending ids.
    private func pieces(of area: TileArea, _ index: PMTilesIndex) throws(Failure) -> [PMTilesPiece] {
        var pieces: [PMTilesPiece] = []
        try gather(area.pmtilesIDs[...], index.root, index, depth: 1, into: &pieces)
        return pieces.sorted { $0.id < $1.id }
    }

    /// Holds one directory of each depth at a time.
    private func gather(
        _ wanted: ArraySlice<UInt64>, _ directory: PMTilesDirectory, _ index: PMTilesIndex, depth: Int,
        into pieces: inout [PMTilesPiece]
    ) throws(Failure) {
        let found = try Self.understood { () throws(TileError) in try index.selection(of: wanted, in: directory) }
        pieces += found.pieces
        guard found.leaves.isEmpty || depth < PMTilesIndex.depthLimit else {
            throw .archive("its directories are too deep")
        }
        for (range, wanted) in found.leaves {
            let stored = try read(range)
            let leaf = try Self.understood { () throws(TileError) in try index.readLeaf(stored, at: range) }
            try gather(wanted, leaf, index, depth: depth + 1, into: &pieces)
        }
    }

    private static func understood<Value>(_ body: () throws(TileError) -> Value) throws(Failure) -> Value {
        do throws(TileError) { return try body() } catch { throw .archive("\(error)") }
    }

    // MARK: Content

    private func write(
        _ layout: PMTilesLayout, _ contents: [Range<UInt64>], to path: String,
        progress: (_ done: Int, _ all: Int) -> Void
    ) throws(Failure) {
        let part = path + ".part-\(getpid())"
        let number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw .file(path, cause: "\(Errno(code: errno))") }
        let file = FileDescriptor(adopting: number)
        do throws(Failure) {
            let parts = Self.joined(contents)
            let all = parts.reduce(0) { $0 + $1.range.count }
            var done = 0
            for (range, contents) in parts {
                let bytes = try read(range)
                for content in contents {
                    guard let place = layout.places[content.lowerBound] else { continue }
                    let start = Int(content.lowerBound - range.lowerBound)
                    let slice = bytes.slice(start..<(start + content.count))
                    if let error = slice.withUnsafeBytes({ Self.put($0, at: place, in: file) }) {
                        throw .file(path, cause: "\(error)")
                    }
                }
                done += range.count
                progress(done, all)
            }
            // The header comes last: without it, this is no archive.
            if let error = layout.beginning.withUnsafeBytes({ Self.put($0, at: 0, in: file) }) {
                throw .file(path, cause: "\(error)")
            }
            guard fsync(file.rawValue) == 0, rename(part, path) == 0 else {
                throw .file(path, cause: "\(Errno(code: errno))")
            }
        } catch {
            unlink(part)
            throw error
        }
    }

    /// nil: all of `bytes` is written.
    private static func put(
        _ bytes: UnsafeRawBufferPointer, at place: UInt64, in file: borrowing FileDescriptor
    ) -> Errno? {
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                file.rawValue, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                off_t(clamping: place) + off_t(written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return Errno(code: errno)
            }
        }
        return nil
    }

    /// Requests for `contents`, which are ascending: what is near another is read with it.
    static func joined(_ contents: [Range<UInt64>]) -> [(range: Range<UInt64>, contents: [Range<UInt64>])] {
        var parts: [(range: Range<UInt64>, contents: [Range<UInt64>])] = []
        for content in contents {
            if let last = parts.last?.range, content.lowerBound >= last.lowerBound,
                content.lowerBound <= last.upperBound + gapByteCount,
                max(content.upperBound, last.upperBound) - last.lowerBound <= requestByteCount
            {
                parts[parts.count - 1].range = last.lowerBound..<max(content.upperBound, last.upperBound)
                parts[parts.count - 1].contents.append(content)
            } else {
                parts.append((content, [content]))
            }
        }
        return parts
    }

    /// Waits for the bytes of `range`; fewer where the archive ends.
    private func read(_ range: Range<UInt64>) throws(Failure) -> SharedBytes {
        guard let start = Int(exactly: range.lowerBound), let end = Int(exactly: range.upperBound) else {
            throw .archive("it is too large")
        }
        var request = FetchRequest(url, byteLimit: range.count)
        request.range = FetchRange(start..<end)
        requestCount += 1
        let sink = GatheredContent()
        let outcome = Monitor<Swift.Result<Fetched, OriginError>?>(nil)
        fetcher.fetch(request, into: sink) { result in
            outcome.withLock { $0 = result }
            outcome.signal()
        }
        switch outcome.wait(until: { $0 }) {
        case .failure(.status(200)): throw .noRanges
        case .failure(let error): throw .origin(Problem(error).detail)
        case .success(let fetched):
            let fields = fetched.head.fields
            guard let whole = fields.first(.contentRange).flatMap({ ContentRange($0) })?.wholeCount else {
                throw .noRanges
            }
            let tag = fields.first(.entityTag)
            if let state, state.byteCount != whole || state.tag != tag { throw .changed }
            state = (whole, tag)
            let bytes = sink.whole
            guard bytes.count == min(range.count, max(0, whole - start)) else { throw .changed }
            return bytes
        }
    }
}

private final class GatheredContent: FetchSink {
    private let bytes = Mutex<[UInt8]>([])

    var whole: SharedBytes { SharedBytes(bytes.withLock { $0 }) }

    func began(_ head: ResponseHead) -> Bool {
        bytes.withLock { $0.removeAll(keepingCapacity: true) }
        return true
    }

    func received(_ part: RawSpan) -> Bool {
        bytes.withLock { bytes in part.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return true
    }
}
