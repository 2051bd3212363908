import Bytes
import ResponseCache

struct ProxyState: Sendable {
    typealias Variants = StoredVariants<SharedBytes>

    /// Content of a request or an answer, in bytes.
    static let contentLimit = 64 << 20
    static let storeLimit = 512 << 20

    /// For each request under way, itself and those who wait for its answer.
    var waiting: [TargetURI: [@Sendable () -> Void]] = [:]
    var unshared = UnsharedURIs()
    private var held: [TargetURI: Variants] = [:]
    private var heldByteCount = 0

    func variants(of uri: TargetURI) -> Variants { held[uri] ?? Variants() }

    /// Does what `engine` says about an answer; returns the entry that now stands for it, if any.
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

    private static func cost(_ variants: Variants) -> Int {
        variants.variants.reduce(0) { $0 + $1.content.count + 4_096 }
    }
}
