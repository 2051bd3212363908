import HTTPMessage

/// What bounds how answers to one request are kept, whatever the configuration says of answers in general.
struct KeepingBound: Equatable, Sendable {
    /// Seconds after which nothing may be kept any more; nil: any.
    var seconds: Int?
    /// Whether the answer is for clients with the token, or of one proxy, alone, so that no shared cache may hand it to others.
    var isPrivate = false

    static let none = KeepingBound()

    /// Whether an answer may be kept for this many seconds.
    func allows(seconds wanted: Int) -> Bool { !isPrivate && (seconds ?? .max) > wanted }

    /// `cacheControl`, so that no cache keeps the answer for longer, nor for other clients.
    func applied(to cacheControl: String) -> String {
        guard self != .none else { return cacheControl }
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        let said = ResponseDirectives(fields)
        if said.noStore { return cacheControl }
        if isPrivate { return "private, no-cache" }
        guard let seconds, !said.noCache else { return cacheControl }
        let fresh = said.sharedMaxAge.map { max($0, said.maxAge ?? $0) } ?? said.maxAge
        let stale = max(said.staleWhileRevalidate ?? 0, said.staleIfError ?? 0)
        if let fresh, case let (whole, overflows) = fresh.addingReportingOverflow(stale), !overflows, whole <= seconds {
            return cacheControl
        }
        var parts = said.isPrivate ? ["private"] : []
        parts.append("max-age=\(max(0, min(said.maxAge ?? seconds, seconds)))")
        if let shared = said.sharedMaxAge { parts.append("s-maxage=\(max(0, min(shared, seconds)))") }
        return (parts + ["must-revalidate"]).joined(separator: ", ")
    }
}
