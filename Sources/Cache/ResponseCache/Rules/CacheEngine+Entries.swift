import HTTPMessage

extension CacheEngine {
    /// The response as it is stored (RFC 9111 §3.1, §5.2.2.4, §5.2.2.7).
    func makeEntry(_ exchange: UpstreamExchange) -> StoredExchange {
        let fields = keptFields(exchange.response.fields, responseTime: exchange.responseTime)
        return StoredExchange(
            selecting: [exchange.request.fields.keeping(fields.names(listedIn: .vary).names)],
            status: exchange.response.status, fields: fields, requestTime: exchange.requestTime,
            responseTime: exchange.responseTime, contentByteCount: exchange.contentByteCount)
    }

    /// Whether other fields would mean something else without it. It stays even if a directive or Connection names it.
    func isEssential(_ name: FieldName) -> Bool { Self.essentialFields.contains(name) || targets.contains(name) }

    private static let essentialFields: [FieldName] = [
        .age, .cacheControl, .contentEncoding, .contentRange, .contentType, .date, .expires, .vary,
    ]

    private func keptFields(_ fields: Fields, responseTime: Int64) -> Fields {
        let directives = directives(of: fields)
        let named = (directives.noCacheFields + directives.privateFields).filter { !isEssential($0) }
        var kept = fields.removingConnectionFields(kept: Self.essentialFields + targets)
            .removing([.contentLength] + named)
        // RFC 9110 §6.6.1: without a readable date, the time of receipt is the response's.
        if StoredExchange.date(.date, in: kept, now: responseTime) == nil || kept.count(of: .date) > 1 {
            kept = kept.removing([.date])
            kept.append(.date, HTTPDate.text(responseTime))
        }
        return kept
    }

    /// With the fields of a 304 or an answer to HEAD (§3.2), but its own coding and range; Age is the new one's or none.
    func freshened(_ entry: StoredExchange, by exchange: UpstreamExchange) -> StoredExchange {
        let news = keptFields(exchange.response.fields, responseTime: exchange.responseTime)
            .removing(Self.fieldsOfContent)
        let replaced = news.lines.compactMap { FieldName($0.name) }
        var entry = entry
        let variation = entry.fields.combined(.vary)
        entry.fields = entry.fields.removing(replaced + [.age])
        entry.fields.append(news)
        (entry.requestTime, entry.responseTime) = (exchange.requestTime, exchange.responseTime)
        let selecting = exchange.request.fields.keeping(entry.fields.names(listedIn: .vary).names)
        if entry.fields.combined(.vary) != variation { entry.selecting = [selecting] }
        return entry
    }

    private static let fieldsOfContent: [FieldName] = [.contentEncoding, .contentRange]
}
