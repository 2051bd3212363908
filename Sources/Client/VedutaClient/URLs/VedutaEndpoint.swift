public import Foundation

/// A Veduta server and how to ask it.
public struct VedutaEndpoint: Sendable {
    /// Where it answers, such as `https://images.example.com`; a path is kept before `/asset`, `/map` and others.
    public let base: URL
    /// The name in `asset://NAME/?…`; `default` is meant where a URL has none.
    public let name: String
    /// Makes the bearer tokens of uploads, deletions and purges; nil for a reader.
    public let token: (any TokenSource)?
    /// Signs the URLs of images; nil where the server asks for no signatures.
    public let signer: (any URLSigner)?

    /// Describes a server; nothing is sent.
    public init(
        _ base: URL, name: String = "default", token: (any TokenSource)? = nil, signer: (any URLSigner)? = nil
    ) {
        self.base = base
        self.name = name
        self.token = token
        self.signer = signer
    }

    /// The absolute URL of `target`, a path that begins with `/` and may have a query, both encoded.
    func url(_ target: String) throws(VedutaError) -> URL {
        var text = base.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        guard let url = URL(string: text + target) else { throw .invalidURL([]) }
        return url
    }
}

/// Gives bearer tokens (RFC 6750). Clients ask it once for many requests that need one at the same time.
public protocol TokenSource: Sendable {
    /// A token to send; `refused` is the one that the server has just answered with 401, or nil for the first.
    func token(replacing refused: String?) async throws -> String
}

/// A token that never changes.
public struct FixedToken: TokenSource {
    private let token: String

    /// Always gives `token`.
    public init(_ token: String) { self.token = token }

    /// The token; a refused one is given again.
    public func token(replacing refused: String?) -> String { token }
}

/// Signs what is asked of a server that only serves URLs of its own site.
public protocol URLSigner: Sendable {
    /// `target`, an encoded path and query such as `/asset?id=lagoon.jpg`, with its signature added.
    func sign(_ target: String) throws -> String
}

/// The address of a picture: ``AssetURL``, ``MapURL``, ``AvatarURL``, ``PollURL``, or a plain `URL` (`http`, `https`, or one of
/// the schemes of these).
public protocol PictureURL: Sendable {
    /// The URL to fetch from `service`. Throws every fault of the parameters, before anything is sent.
    func url(for service: VedutaEndpoint) throws(VedutaError) -> URL
}

extension VedutaEndpoint {
    func signed(_ target: String) throws(VedutaError) -> String {
        guard let signer else { return target }
        do { return try signer.sign(target) } catch { throw VedutaError.wrapping(error) }
    }
}
