import Bytes
import HTTPMessage
import ResponseCache

/// What the proxy keeps.
struct ProxyState: Sendable {
    typealias Variants = StoredVariants<SharedBytes>

    /// The most bytes of content of a request or an answer.
    static let contentLimit = 64 << 20
    /// The most bytes that are kept; of more, some of the rest goes.
    static let storeLimit = 512 << 20

    /// For each request that is under way, itself and who waits for its answer.
    var waiting: [TargetURI: [@Sendable () -> Void]] = [:]
    var unshared = UnsharedURIs()
    private var held: [TargetURI: Variants] = [:]
    private var heldByteCount = 0

    /// All that is kept for `uri`.
    func variants(of uri: TargetURI) -> Variants { held[uri] ?? Variants() }

    /// Does what `engine` says about an answer; returns the entry that stands for it now, if there is one.
    mutating func record(
        _ exchange: UpstreamExchange, _ content: [UInt8], validating: Int?, by engine: CacheEngine
    ) -> (CacheOutcome, Variants.Variant?) {
        let uri = exchange.request.uri
        var variants = variants(of: uri)
        let outcome = engine.record(exchange, variants.entries, validating: validating)
        unshared.note(outcome, of: exchange, by: engine)
        var kept = variants.take(outcome, content: SharedBytes(content))
        if case .store = outcome { kept = variants.variants.last }
        set(variants, for: uri)
        if case .invalidate(let uris) = outcome { for uri in uris { set(Variants(), for: uri) } }
        while heldByteCount > Self.storeLimit, let other = held.keys.first(where: { $0 != uri }) {
            set(Variants(), for: other)
        }
        return (outcome, kept)
    }

    private mutating func set(_ variants: Variants, for uri: TargetURI) {
        heldByteCount += Self.cost(variants) - Self.cost(held[uri] ?? Variants())
        held[uri] = variants.isEmpty ? nil : variants
    }

    /// Content, and a guess at what the rest costs.
    private static func cost(_ variants: Variants) -> Int {
        variants.variants.reduce(0) { $0 + $1.content.count + 4_096 }
    }
}
