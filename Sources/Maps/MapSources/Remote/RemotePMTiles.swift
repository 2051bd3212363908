// The header and the root directory come with one request, leaf directories and tiles in parts, of which neighbours are
// joined. An answer of another state of the archive (412, another tag, another length) drops the known state, and the
// call starts over. When the freshness that the origin stated is over, a new state is looked for in the background.
package import Bytes
package import HTTPMessage
package import MapRender
package import MapStyle
import Origin
import OriginCache
import Reactor
import ResponseCache
import Synchronization
import Tiles

/// A PMTiles archive on another server, read by range requests (RFC 9110 §14). Shared by threads. Call `open` first.
package final class RemotePMTiles: SourceArchive {
    private struct Known: Sendable {
        var state: ArchiveState?
        /// When to check for a change; seconds since 1970.
        var checkTime: Int64 = .min
        /// Whether the disk was searched for the beginning.
        var wasRestored = false
    }

    private let url: OriginURL
    private let name: String
    private let fields: [RemoteField]
    private let access: RemoteAccess
    private let number: UInt64
    /// The beginning as it is fetched, and as it is stored on disk.
    private let beginning: OriginItem
    private let storedBeginning: OriginItem
    private let known = Mutex(Known())
    /// The number of the state whose missing metadata was logged.
    private let loggedState = Atomic<UInt64>(0)

    /// How often a call starts over because the archive was replaced meanwhile.
    private static let attemptLimit = 3
    private static let nextNumber = Atomic<UInt64>(0)

    /// Contacts no server yet. Errors and the log call the archive `name`; `fields` go with every request.
    package init(_ url: OriginURL, name: String, fields: [RemoteField] = [], access: RemoteAccess) {
        self.url = url
        self.name = name
        self.fields = fields
        self.access = access
        number = Self.makeNumber()
        beginning = .map(url, fields, part: "beginning \(number)", isPersistent: false)
        storedBeginning = .map(url, fields, part: "beginning")
    }

    private static func makeNumber() -> UInt64 { nextNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    // MARK: What is known

    private var state: ArchiveState? { known.withLock { $0.state } }

    /// Names the known state. Does not wait: a due check goes on in the background.
    package var validator: String {
        let now = access.cache.clock.unixSeconds()
        let (state, isDue) = known.withLock { known in (known.state, known.checkTime <= now) }
        if isDue { check(waits: false) { false } }
        guard let state else { return "unopened \(Self.process) \(number)" }
        // Images without its attribution differ from those with it.
        let lacksMetadata = state.details == nil && loggedState.load(ordering: .relaxed) == state.number
        return state.validator + (lacksMetadata ? " without metadata" : "")
    }

    /// Tells processes apart: images of an archive that was not open are of no use to the next process.
    private static let process = UInt64.random(in: 0...UInt64.max)

    package var zooms: ClosedRange<Int> {
        state.map { $0.index.minZoom...max($0.index.minZoom, $0.index.maxZoom) } ?? 0...0
    }

    package var bounds: [Double]? { state?.details?.bounds }
    package var attribution: String? { state?.details?.attribution }

    /// Waits for one request the first time, for another if the metadata is not at the beginning; later it costs
    /// nothing. If the metadata is out of reach, the archive is used without it, and the log says so once.
    package func open(shouldStop: () -> Bool) throws(ResourceError) {
        do throws(ResourceError) {
            _ = try details(shouldStop: shouldStop)
        } catch {
            guard let cause = error.cause, let state else { throw error }
            let wasLogged = loggedState.exchange(state.number, ordering: .relaxed) == state.number
            if !wasLogged { access.cache.log("used without its metadata: \(cause)") }
        }
    }

    package func details() throws(ResourceError) -> SourceDetails { try details(shouldStop: { false }) }

    package func details(shouldStop: () -> Bool) throws(ResourceError) -> SourceDetails {
        for attempt in 1...Self.attemptLimit {
            do throws(FetchFailure) {
                return try reading(shouldStop) { reading throws(FetchFailure) in try reading.details() }
            } catch {
                if error != .replaced || attempt == Self.attemptLimit { throw error.resourceError(name) }
            }
        }
        throw FetchFailure.replaced.resourceError(name)
    }

    private func opened(_ shouldStop: () -> Bool) throws(FetchFailure) -> ArchiveState {
        if let state = state ?? restored() { return state }
        let outcome = check(waits: true, shouldStop)
        if let state { return state }
        switch outcome {
        case .failed(let failure)?: throw failure
        case .absent?: throw .origin(.notFound)
        case .found?: throw .replaced
        case nil: throw .cancelled
        }
    }

    // MARK: The beginning

    /// The state that an earlier run left on disk. Waits for the disk, once.
    private func restored() -> ArchiveState? {
        let isFirst = known.withLock { known in
            defer { known.wasRestored = true }
            return !known.wasRestored
        }
        guard isFirst, let answer = access.cache.stored(storedBeginning), let content = answer.bytes else { return nil }
        let exchange = answer.exchange
        let status: Status = exchange.fields.contains(.contentRange) ? .partialContent : .ok
        let head = ResponseHead(status, exchange.fields)
        guard let state = try? ArchiveState(number: Self.makeNumber(), head, content) else { return nil }
        replace(nil, by: state)
        schedule(head, requestTime: exchange.requestTime, responseTime: exchange.responseTime)
        return state
    }

    /// Fetches the beginning, in the background unless it `waits`.
    @discardableResult
    private func check(waits: Bool, _ shouldStop: () -> Bool) -> FetchOutcome? {
        access.cache.obtain([beginning], waits: waits, shouldStop: shouldStop) { $0.map(fetchBeginning) }[beginning.key]
    }

    private func fetchBeginning(_ assignment: Assignment) -> PlannedFetch {
        let held = state
        let wholeLimit = access.rules.wholeArchiveByteCount
        var request = FetchRequest(url, byteLimit: wholeLimit)
        request.originFields = Fields(fields)
        request.range = FetchRange(0..<PMTilesIndex.beginningByteCount, wholeLimit: wholeLimit)
        if let held { request.fields.append(held.identity.conditions) }
        let epoch = access.cache.epoch
        return PlannedFetch([assignment], request) { [self] answer in [learn(answer, held, since: epoch)] }
    }

    /// On the fetch thread; takes well under a millisecond, except for an archive that came whole.
    private func learn(_ answer: FetchAnswer, _ held: ArchiveState?, since epoch: PurgeEpoch?) -> FetchResult {
        let fetched: Fetched
        do throws(OriginError) {
            fetched = try answer.result.get()
        } catch {
            // The known state stays in use, however long.
            known.withLock { $0.checkTime = answer.responseTime + Int64(access.rules.checks.lowerBound) }
            return .failed(.origin(error))
        }
        let exchange = StoredExchange(
            selecting: [access.cache.rules.fields], status: .ok,
            fields: fetched.head.fields.keeping(ArchiveState.tellingFields), requestTime: answer.requestTime,
            responseTime: answer.responseTime, contentByteCount: fetched.byteCount)
        let found = CachedAnswer(exchange, .memory(answer.bytes))
        if !fetched.isNotModified {
            do throws(TileError) {
                try replace(held, by: ArchiveState(number: Self.makeNumber(), fetched.head, answer.bytes))
            } catch {
                return .failed(.unusable("it is not a readable archive (\(error))"))
            }
            access.cache.write(storedBeginning, found, since: epoch)
        }
        schedule(fetched.head, requestTime: answer.requestTime, responseTime: answer.responseTime)
        return .pass(found)
    }

    private func replace(_ held: ArchiveState?, by state: ArchiveState) {
        let isNew = known.withLock { known in
            // An origin that does not support conditions sends the same state again.
            if known.state?.validator == state.validator { return false }
            known.state = state
            return true
        }
        if isNew, held != nil { access.cache.log("\(name) has been replaced") }
    }

    private func schedule(_ head: ResponseHead, requestTime: Int64, responseTime: Int64) {
        let rules = access.rules
        let lifetime = BoundedLifetime(
            head.fields, requestTime: requestTime, responseTime: responseTime, access.cache.rules)
        let seconds = lifetime.isStated ? lifetime.seconds : rules.check
        let wait = min(max(seconds, rules.checks.lowerBound), rules.checks.upperBound)
        known.withLock { $0.checkTime = responseTime + Int64(wait) }
    }

    /// Forgets a state that the origin no longer has.
    private func drop(_ state: ArchiveState) {
        known.withLock { known in
            guard known.state === state else { return }
            known.state = nil
            known.checkTime = .min
        }
    }

    // MARK: Tiles

    package func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        try tiles([id], ratio: 1, shouldStop: { false })[id]?.get() ?? nil
    }

    package func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        read(ids, shouldStop) { $0.tiles($1) }.mapValues { $0.map { $0?.content } }
    }

    package func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        read(ids, shouldStop) { $0.storedTiles($1) }.mapValues { $0.map { $0?.content } }
    }

    package func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        try read([id], shouldStop) { $0.storedTiles($1) }[id]?.get() ?? nil
    }

    private func read(
        _ ids: [TileCoordinate], _ shouldStop: () -> Bool, _ body: (ArchiveReading, [TileID]) -> ArchiveReading.Found
    ) -> [TileCoordinate: Result<StoredTile?, ResourceError>] {
        var results: [TileCoordinate: Result<StoredTile?, ResourceError>] = [:]
        var open: [TileID] = []
        for id in ids {
            if let id = TileID(z: id.z, x: id.x, y: id.y) { open.append(id) } else { results[id] = .success(nil) }
        }
        for attempt in 1...Self.attemptLimit where !open.isEmpty {
            let found: ArchiveReading.Found
            do throws(FetchFailure) {
                found = try reading(shouldStop) { body($0, open) }
            } catch {
                found = Dictionary(open.map { ($0, .failure(error)) }) { first, _ in first }
            }
            var replaced: [TileID] = []
            for id in open {
                if attempt < Self.attemptLimit, case .failure(.replaced)? = found[id] {
                    replaced.append(id)
                    continue
                }
                let result = found[id] ?? .failure(.cancelled)
                results[TileCoordinate(z: id.z, x: id.x, y: id.y)] = result.mapError {
                    $0.resourceError("\(name) \(id)")
                }
            }
            open = replaced
        }
        return results
    }

    private func reading<Result>(
        _ shouldStop: () -> Bool, _ body: (ArchiveReading) throws(FetchFailure) -> Result
    ) throws(FetchFailure) -> Result {
        let state = try opened(shouldStop)
        return try withoutActuallyEscaping(shouldStop) { shouldStop throws(FetchFailure) in
            try body(
                ArchiveReading(
                    state: state, access: access, url: url, fields: fields,
                    replaced: { [weak self] in self?.drop($0) }, shouldStop: shouldStop))
        }
    }
}
