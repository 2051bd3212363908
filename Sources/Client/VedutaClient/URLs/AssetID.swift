public import Foundation

/// Names an asset: a path in the library, `~` and a digest, or the URL of an image of another server.
public struct AssetID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The text as it stands in `id`.
    public let rawValue: String

    /// Takes any text; the server refuses what is no id.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes any text; the server refuses what is no id.
    public init(_ text: String) { rawValue = text }

    /// Takes any text; the server refuses what is no id.
    public init(stringLiteral value: String) { rawValue = value }

    /// The id of an upload without a name: `~` and the SHA-256 of `content` in base64url.
    public init(contentOf content: Data) { self.init(digest: SHA256.digest(of: content)) }

    init(digest: [UInt8]) { rawValue = "~" + Data(digest).base64URL }

    /// The text.
    public var description: String { rawValue }
}
