/// A color of a URL: `"red"`, `"ff0000"`, `"#ff000080"`, `"transparent"`, or by its parts.
public struct URLColor: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String

    /// A CSS name, or hexadecimal digits with or without `#`.
    public init(stringLiteral value: String) { text = value }

    /// A CSS name, or hexadecimal digits with or without `#`.
    public init(_ text: String) { self.text = text }

    /// sRGB with straight alpha.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        text = [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
