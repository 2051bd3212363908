import Bytes
import HTTPMessage
import Origin
import OriginCache
import ResponseCache
import Tiles

/// Reads tiles of one state of an archive: first directories, then tiles, each level with as few requests as possible.
struct ArchiveReading {
    let state: ArchiveState
    let access: RemoteAccess
    let url: OriginURL
    let fields: [RemoteField]
    /// Called when the origin has another state.
    let replaced: @Sendable (ArchiveState) -> Void
    let shouldStop: () -> Bool

    typealias Found = [TileID: Result<StoredTile?, FetchFailure>]

    func tiles(_ ids: [TileID]) -> Found {
        storedTiles(ids).mapValues { found in
            found.flatMap { stored in
                guard let stored else { return .success(nil) }
                do throws(TileError) {
                    return .success(StoredTile(content: try state.index.tile(stored.content), encoding: .identity))
                } catch {
                    return .failure(Self.unusable(error))
                }
            }
        }
    }

    func storedTiles(_ ids: [TileID]) -> Found {
        var found: Found = [:]
        var tileRanges: [TileID: Range<UInt64>] = [:]
        var open = ids.map { (id: $0, directory: state.index.root) }
        for _ in 0..<PMTilesIndex.depthLimit where !open.isEmpty {
            var leaves: [(id: TileID, range: Range<UInt64>)] = []
            for (id, directory) in open {
                do throws(TileError) {
                    switch try state.index.place(of: id, in: directory) {
                    case .absent: found[id] = .success(nil)
                    case .tile(let range): tileRanges[id] = range
                    case .leaf(let range): leaves.append((id, range))
                    }
                } catch {
                    found[id] = .failure(Self.unusable(error))
                }
            }
            let directories = self.directories(leaves.map(\.range))
            open = []
            for (id, range) in leaves {
                switch directories[range] {
                case .success(let directory)?: open.append((id, directory))
                case .failure(let failure)?: found[id] = .failure(failure)
                case nil: found[id] = .failure(.cancelled)
                }
            }
        }
        for (id, _) in open { found[id] = .failure(Self.unusable(.directoriesTooDeep)) }
        let data = data(tileRanges.values.map(\.self))
        let encoding = state.index.storesGzip ? TileEncoding.gzip : .identity
        for (id, range) in tileRanges {
            found[id] = (data[range] ?? .failure(.cancelled)).map { StoredTile(content: $0, encoding: encoding) }
        }
        return found
    }

    /// Unreadable metadata counts as none.
    func details() throws(FetchFailure) -> SourceDetails {
        if let details = state.details { return details }
        let details = SourceDetails(state.index, metadata: try metadata())
        state.keep(details)
        return details
    }

    /// Empty also if it is larger than anything that is read.
    private func metadata() throws(FetchFailure) -> String {
        let range = state.index.metadata
        guard !range.isEmpty else { return "" }
        var stored = state.beginning(range)
        if stored == nil {
            guard range.upperBound - range.lowerBound <= UInt64(access.rules.byteLimit) else { return "" }
            stored = try data([range])[range]?.get()
        }
        guard let stored else { throw .cancelled }
        return (try? state.index.metadataText(stored)) ?? ""
    }

    private static func unusable(_ error: TileError) -> FetchFailure { .unusable("it is damaged (\(error))") }

    private func directories(_ ranges: [Range<UInt64>]) -> [Range<UInt64>: Result<PMTilesDirectory, FetchFailure>] {
        var directories: [Range<UInt64>: Result<PMTilesDirectory, FetchFailure>] = [:]
        var missing: [Range<UInt64>] = []
        for range in Set(ranges) {
            if let known = state.index.leaf(at: range) {
                directories[range] = .success(known)
            } else {
                missing.append(range)
            }
        }
        for (range, stored) in data(missing) {
            directories[range] = stored.flatMap { stored in
                Result { () throws(TileError) in try state.index.readLeaf(stored, at: range) }.mapError(Self.unusable)
            }
        }
        return directories
    }

    // MARK: Bytes

    /// The bytes of `ranges` as they are stored.
    private func data(_ ranges: [Range<UInt64>]) -> [Range<UInt64>: Result<SharedBytes, FetchFailure>] {
        var data: [Range<UInt64>: Result<SharedBytes, FetchFailure>] = [:]
        let ranges = Set(ranges)
        if let whole = state.whole {
            for range in ranges { data[range] = Self.slice(whole, range) }
            return data
        }
        let items = ranges.sorted { $0.lowerBound < $1.lowerBound }.map { range in
            let part = "\(state.validator) \(range.lowerBound) \(range.upperBound)"
            return (range, OriginItem.map(url, fields, part: part))
        }
        let sections = Dictionary(items.map { ($1.key, $0) }) { first, _ in first }
        let outcomes = access.cache.obtain(items.map(\.1), shouldStop: shouldStop) { requests($0, sections) }
        for (range, item) in items {
            switch outcomes[item.key] {
            case .found(let answer)?: data[range] = .success(answer.bytes ?? SharedBytes([]))
            case .absent?: data[range] = .failure(.origin(.notFound))
            case .failed(let failure)?: data[range] = .failure(failure)
            case nil: data[range] = .failure(.cancelled)
            }
        }
        return data
    }

    private static func slice(_ whole: SharedBytes, _ range: Range<UInt64>) -> Result<SharedBytes, FetchFailure> {
        guard range.upperBound <= UInt64(whole.count) else { return .failure(truncated(range)) }
        return .success(whole.slice(Int(range.lowerBound)..<Int(range.upperBound)))
    }

    private static func truncated(_ range: Range<UInt64>) -> FetchFailure {
        unusable(.truncatedArchive(offset: range.lowerBound, byteCount: range.upperBound - range.lowerBound))
    }

    /// Requests for the sections that `assignments` name.
    private func requests(_ assignments: [Assignment], _ sections: [CacheKey: Range<UInt64>]) -> [PlannedFetch] {
        let ranges = assignments.map { sections[$0.item.key] ?? 0..<1 }
        return ArchivePart.joining(ranges, gap: access.rules.gap, byteLimit: access.rules.partByteCount).map { part in
            let first = Int(clamping: part.range.lowerBound)
            let end = max(first + 1, Int(clamping: part.range.upperBound))
            var request = FetchRequest(url, byteLimit: end - first)
            request.range = FetchRange(first..<end)
            request.fields.append(state.identity.preconditions)
            request.originFields = Fields(fields)
            let sections = part.members.map { ranges[$0] }
            let (state, replaced) = (state, replaced)
            return PlannedFetch(part.members.map { assignments[$0] }, request) { answer in
                let results = Self.results(answer, sections, from: part.range.lowerBound, of: state)
                if case .failed(.replaced)? = results.first { replaced(state) }
                return results
            }
        }
    }

    /// On the fetch thread.
    private static func results(
        _ answer: FetchAnswer, _ sections: [Range<UInt64>], from start: UInt64, of state: ArchiveState
    ) -> [FetchResult] {
        func all(_ failure: FetchFailure) -> [FetchResult] { sections.map { _ in .failed(failure) } }
        switch answer.result {
        case .failure(.status(412)), .failure(.status(416)): return all(.replaced)
        case .failure(let error): return all(.origin(error))
        case .success(let fetched):
            let identity = ArchiveIdentity(fetched.head, contentByteCount: fetched.byteCount)
            guard state.identity.allows(identity) else { return all(.replaced) }
            let exchange = StoredExchange.fixed(for: Int(Int32.max), from: answer.responseTime)
            let content = answer.bytes
            return sections.map { section in
                let (from, to) = (Int(section.lowerBound - start), Int(section.upperBound - start))
                // Nothing comes from beyond the end of an archive whose length is unknown.
                guard to <= content.count else { return .failed(truncated(section)) }
                // Copied, so that one tile in use does not keep everything that came with it in memory.
                let data = content.withUnsafeBytes { SharedBytes(Array($0[from..<to])) }
                return .keep(CachedAnswer(exchange, .memory(data)))
            }
        }
    }
}
