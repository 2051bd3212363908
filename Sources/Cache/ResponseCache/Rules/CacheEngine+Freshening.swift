import HTTPMessage

extension CacheEngine {
    /// The most requests that one stored response is known to be for.
    private static let selectionLimit = 16

    /// Which stored responses a 304 updates, and which it stands for (RFC 9111 §4.3.3, §4.3.4).
    func freshen(_ exchange: UpstreamExchange, _ stored: [StoredExchange], _ validating: Int?) -> CacheOutcome {
        let identified = identify(exchange, stored, validating)
        guard !identified.isEmpty else { return .repeatWithoutConditions }
        let serving = best(identified, of: stored, validating)
        var updates: [Freshening] = []
        for index in identified {
            var entry = freshened(stored[index], by: exchange)
            if index == serving { select(&entry, for: exchange.request) }
            updates.append(Freshening(index: index, entry: entry, fate: fate(entry, exchange.request)))
        }
        return .update(updates, removing: [], serving: serving)
    }

    /// Applies an answer to HEAD to stored answers to GET (§4.3.5): freshens the same representation, removes others.
    func freshenByHead(_ exchange: UpstreamExchange, _ stored: [StoredExchange]) -> CacheOutcome {
        guard exchange.response.status == .ok, !exchange.request.directives.noStore, exchange.isComplete else {
            return .none(.method, removing: [])
        }
        var updates: [Freshening] = []
        var removed: [Int] = []
        for index in stored.indices where stored[index].status == .ok && stored[index].matches(exchange.request.fields)
        {
            guard isSameRepresentation(exchange, stored[index]) else {
                removed.append(index)
                continue
            }
            let entry = freshened(stored[index], by: exchange)
            updates.append(Freshening(index: index, entry: entry, fate: fate(entry, exchange.request)))
        }
        return .update(updates, removing: removed, serving: nil)
    }

    private func identify(_ exchange: UpstreamExchange, _ stored: [StoredExchange], _ validating: Int?) -> [Int] {
        let candidates = stored.indices.filter { stored[$0].status == .ok && mayBeShared(stored[$0]) }
        let fields = exchange.response.fields
        if let tag = fields.first(.entityTag).flatMap({ EntityTag($0) }) {
            let same = candidates.filter { index in
                guard let other = stored[index].entityTag else { return false }
                return other.opaque == tag.opaque && (tag.isWeak || !other.isWeak)
            }
            if !tag.isWeak || same.isEmpty { return same }
            return best(same, of: stored, validating).map { [$0] } ?? []
        }
        if let modified = StoredExchange.date(.lastModified, in: fields, now: exchange.responseTime) {
            let same = candidates.filter { stored[$0].lastModified == modified }
            return best(same, of: stored, validating).map { [$0] } ?? []
        }
        // Without a validator it can only be about the one response that was asked about.
        guard let validating, candidates.contains(validating) else {
            guard let only = candidates.first, candidates.count == 1, !stored[only].canBeValidated else { return [] }
            return [only]
        }
        let askedCount =
            stored[validating].entityTag == nil ? 1 : candidates.filter { stored[$0].entityTag != nil }.count
        return askedCount == 1 ? [validating] : []
    }

    /// The one of `indices` that was asked about, or else the most recent.
    private func best(_ indices: [Int], of stored: [StoredExchange], _ validating: Int?) -> Int? {
        if let validating, indices.contains(validating) { return validating }
        return indices.max { (stored[$0].date, $0) < (stored[$1].date, $1) }
    }

    /// Remembers that `entry` is also for requests like `request`.
    private func select(_ entry: inout StoredExchange, for request: CacheRequest) {
        guard !entry.matches(request.fields) else { return }
        let vary = entry.fields.names(listedIn: .vary)
        entry.selecting.append(request.fields.keeping(vary.names))
        if entry.selecting.count > Self.selectionLimit { entry.selecting.removeFirst() }
    }

    /// Whether the new fields and the request allow to store it.
    private func fate(_ entry: StoredExchange, _ request: CacheRequest) -> Freshening.Fate {
        if request.directives.noStore { return .unstored }
        if !Variation.canMatch(entry.fields.names(listedIn: .vary)) { return .removed }
        guard let refusal = sharingRefusal(entry, request) else { return .kept }
        return refusal == .authorization ? .unstored : .removed
    }

    private func isSameRepresentation(_ exchange: UpstreamExchange, _ entry: StoredExchange) -> Bool {
        let fields = exchange.response.fields
        if let text = fields.first(.entityTag), EntityTag(text) != entry.entityTag { return false }
        if let modified = StoredExchange.date(.lastModified, in: fields, now: exchange.responseTime),
            modified != entry.lastModified
        {
            return false
        }
        guard let length = fields.first(.contentLength) else { return true }
        return Int(length) == entry.contentByteCount
    }
}
