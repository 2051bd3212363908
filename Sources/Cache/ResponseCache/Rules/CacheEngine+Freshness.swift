import HTTPMessage

extension CacheEngine {
    /// How fresh `stored` is at `now` (RFC 9111 §4.2).
    package func freshness(of stored: StoredExchange, now: Int64) -> Freshness {
        let directives = directives(of: stored.fields)
        var freshness = Freshness(
            age: initialAge(of: stored).saturatingPlus(Self.seconds(from: stored.responseTime, to: now)),
            lifetime: lifetime(of: stored, directives),
            staleWhileRevalidate: directives.staleWhileRevalidate ?? 0, staleIfError: directives.staleIfError ?? 0,
            mustRevalidate: directives.mustRevalidate || directives.proxyRevalidate || directives.sharedMaxAge != nil,
            needsValidation: directives.noCache || directives.noCacheFields.contains(where: isEssential),
            isImmutable: directives.immutable)
        // With a clock that went back the age is unknown: the origin has to tell.
        if Self.seconds(from: now, to: stored.responseTime) > clockTolerance { freshness.needsValidation = true }
        return freshness
    }

    func directives(of fields: Fields) -> ResponseDirectives { ResponseDirectives(fields, targets: targets) }

    /// RFC 9111 §4.2.3, up to the time of the response.
    private func initialAge(of stored: StoredExchange) -> Int {
        let apparent = Self.seconds(from: stored.date, to: stored.responseTime)
        let delay = Self.seconds(from: stored.requestTime, to: stored.responseTime)
        return max(apparent, Self.ageField(of: stored.fields).saturatingPlus(delay))
    }

    /// The first element of Age, 0 if it is no number (§5.1).
    private static func ageField(of fields: Fields) -> Int {
        guard let value = fields.first(.age)?.utf8.prefix(while: { $0 != UInt8(ascii: ",") }) else { return 0 }
        var seconds = 0
        var end = value.endIndex
        while end > value.startIndex, value[value.index(before: end)] == 0x20 { end = value.index(before: end) }
        for byte in value[..<end] {
            guard (0x30...0x39).contains(byte) else { return 0 }
            seconds = min(seconds * 10 + Int(byte) - 0x30, 1 << 31)
        }
        return seconds
    }

    /// §4.2.1; a heuristic one, where allowed, without the origin's.
    private func lifetime(of stored: StoredExchange, _ directives: ResponseDirectives) -> Int {
        if let seconds = directives.sharedMaxAge ?? directives.maxAge { return seconds }
        if !directives.isTargeted, stored.fields.contains(.expires) { return expiry(of: stored) }
        guard directives.isPublic || StatusRules.isHeuristicallyCacheable(stored.status),
            let modified = stored.lastModified
        else { return 0 }
        return min(Self.seconds(from: modified, to: stored.date) / 10, heuristicLimit)
    }

    /// The lifetime by Expires: the earliest of several lines; what is no date is in the past (§5.3).
    private func expiry(of stored: StoredExchange) -> Int {
        var shortest = 1 << 31
        stored.fields.forEachLine(.expires) { value in
            let date = HTTPDate.parse(value, now: stored.responseTime)
            shortest = min(shortest, date.map { Self.seconds(from: stored.date, to: $0) } ?? 0)
        }
        return shortest
    }

    /// 0 if `end` is before `start`.
    private static func seconds(from start: Int64, to end: Int64) -> Int {
        max(0, Int(clamping: end).saturatingMinus(Int(clamping: start)))
    }
}
