import HTTPMessage
import ResponseCache

/// Noon of some day, as text and as the number that it is: the time of most tests.
let noon: Int64 = 784_900_800
/// The same as HTTP says it.
let noonText = HTTPDate.text(noon)

/// Fields from lines such as `Age: 5`.
func fields(_ lines: [String]) -> Fields {
    var fields = Fields()
    for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard let first = parts.first, let name = FieldName(String(first)) else { continue }
        fields.append(name, parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    return fields
}

/// A request with the field `lines`.
func request(
    _ method: Method = .get, _ lines: [String] = [], uri: String = "http://origin.test/a", hasContent: Bool = false
) -> CacheRequest {
    guard let uri = TargetURI(uri) ?? TargetURI("http://origin.test/") else { preconditionFailure("no URI") }
    return CacheRequest(method, uri, fields(lines), hasContent: hasContent)
}

/// An answer at `noon` to `request`, with Date if `lines` have none.
func exchange(
    _ status: Int = 200, _ lines: [String], to request: CacheRequest = request(), at time: Int64 = noon,
    isComplete: Bool = true, contentByteCount: Int = 4
) -> UpstreamExchange {
    var all = fields(lines)
    if !all.contains(.date) { all.append(.date, HTTPDate.text(time)) }
    return UpstreamExchange(
        request, ResponseHead(Status(code: status), all), requestTime: time, responseTime: time,
        contentByteCount: contentByteCount, isComplete: isComplete)
}

/// What is stored of an answer, or nil.
func stored(
    _ status: Int = 200, _ lines: [String], to request: CacheRequest = request(), at time: Int64 = noon,
    by engine: CacheEngine = CacheEngine()
) -> StoredExchange? {
    guard case .store(let entry, _) = engine.record(exchange(status, lines, to: request, at: time), []) else {
        return nil
    }
    return entry
}

extension CacheDecision {
    /// What is served, if anything is.
    var serving: Serving? {
        if case .serve(let serving) = self { serving } else { nil }
    }

    /// What is sent to validate, if anything is.
    var validation: Validation? {
        if case .validate(let validation) = self { validation } else { nil }
    }

    /// In a word or two, for tables: `hit`, `stale`, `stale+`, `validate stale`, `forward uri-miss`, `504`.
    var word: String {
        switch self {
        case .serve(let serving) where serving.isStale: serving.refresh == .background ? "stale+" : "stale"
        case .serve(let serving): serving.refresh == .early ? "hit+" : "hit"
        case .validate(let validation): "validate \(validation.why.rawValue)"
        case .forward(let why): "forward \(why.rawValue)"
        case .unavailable: "504"
        }
    }
}

extension CacheOutcome {
    /// Why an answer is not stored, if it is not.
    var refusal: StorageRefusal? {
        if case .none(let refusal, _) = self { refusal } else { nil }
    }
}
