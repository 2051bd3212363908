import Foundation

/// Signs what a client asks of a server with keys.
public struct KeySigner: URLSigner {
    private let key: URLKey
    private let set: SignedSet?
    private let lifetime: Duration?

    /// Signs with `key` each URL by itself, or as part of `set`. With a lifetime signatures end between one and two of it from
    /// now, at times that are multiples of it, so that a URL stays the same for a while and caches find it.
    public init(_ key: URLKey, as set: SignedSet? = nil, lifetime: Duration? = nil) {
        (self.key, self.set, self.lifetime) = (key, set, lifetime)
    }

    /// `target` with its signature.
    public func sign(_ target: String) throws -> String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let url = BuiltURL(path: parts[0], query: parts.count > 1 ? parts[1] : "")
        let end = lifetime.map { Self.end(of: $0, from: .now) }
        return try set.map { url.signed(with: key, as: $0, until: end) }?.target
            ?? url.signed(with: key, until: end).target
    }

    static func end(of lifetime: Duration, from now: Date) -> Date {
        let step = Double(max(1, lifetime.components.seconds))
        return Date(timeIntervalSince1970: ((now.timeIntervalSince1970 / step).rounded(.up) + 1) * step)
    }
}
