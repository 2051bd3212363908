/// How much of a request is read before it is refused; counts are bytes unless they say otherwise.
package struct HTTPLimits: Sendable, Equatable {
    /// Longest method; a longer one is none that we know (501).
    package var methodByteCount = 128
    /// Longest request target (414).
    package var targetByteCount = 8192
    /// Longest head: request line, fields and the empty line (431).
    package var headByteCount = 32768
    /// Most field lines (431).
    package var fieldCount = 100
    /// Longest field line, name, colon and white space included (431).
    package var fieldByteCount = 16384
    /// Empty lines that are passed over before a request line (RFC 9112 §2.2 asks for at least one).
    package var leadingEmptyLineCount = 4
    /// Longest chunk-size line with its extensions (400).
    package var chunkLineByteCount = 1024
    /// All chunk extensions of one content together (400).
    package var chunkExtensionByteCount = 16384
    /// The trailer section (431).
    package var trailerByteCount = 8192

    /// The limits that a server starts with.
    package init() {}
}
