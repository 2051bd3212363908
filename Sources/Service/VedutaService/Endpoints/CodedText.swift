import Bytes
import Compression
import Digest
import HTTPMessage
import HTTPServer

/// Text as it is sent: JSON, YAML, XML or HTML, with gzip (RFC 9110 §8.4.1.3) where the client takes it.
///
/// Short text is never compressed, so its answers do not vary. A megabyte takes some 15 ms, or 5 in haste: loops
/// compress only problems, which are short, and constant text is compressed at start.
struct CodedText: Sendable {
    /// Below this, coding would save less than a packet.
    static let leastByteCount = 1024

    let content: SharedBytes
    let isGzip: Bool
    /// Another client may get another coding.
    let varies: Bool

    enum Haste: Int {
        case onLoop = 1
        case onWorker = 6
        case atStart = 9
    }

    init(_ text: String, gzip isTaken: Bool, _ haste: Haste = .onWorker) {
        self.init(SharedBytes(Array(text.utf8)), gzip: isTaken, haste)
    }

    init(_ text: String, for head: RequestHead, _ haste: Haste = .onWorker) {
        self.init(text, gzip: AcceptEncoding.takesGzip(head.fields), haste)
    }

    init(_ plain: SharedBytes, gzip isTaken: Bool, _ haste: Haste) {
        varies = plain.count >= Self.leastByteCount
        let packed = varies && isTaken ? Gzip.compress(plain, level: haste.rawValue) : nil
        content = packed ?? plain
        isGzip = packed != nil
    }

    /// `Vary`, with further fields `names`, and `Content-Encoding`.
    func append(to fields: inout FieldLines, varyingWith names: String = "") {
        appendVary(to: &fields, with: names)
        appendCoding(to: &fields)
    }

    /// For 304, which has no content.
    func appendVary(to fields: inout FieldLines, with names: String = "") {
        let all = [names, varies && !names.contains(Self.field) ? Self.field : ""].filter { !$0.isEmpty }
        if !all.isEmpty { fields.append(.vary, all.joined(separator: ", ")) }
    }

    func appendCoding(to fields: inout FieldLines) {
        if isGzip { fields.append(.contentEncoding, literal: "gzip") }
    }

    /// Strong: 128 bits of the digest of what is sent, so that each coding has its own (RFC 9110 §8.8.3.3).
    var tag: EntityTag? { EntityTag(opaque: SHA256.digest(of: content).base64URL(byteCount: 16)) }

    static let field = "Accept-Encoding"

    /// Names a coding of descriptions in keys and entity tags.
    static func variant(_ takesGzip: Bool) -> String { takesGzip ? "json gzip" : "json" }

    /// All but `Vary`.
    var codingFields: FieldLines {
        var fields = FieldLines()
        appendCoding(to: &fields)
        return fields
    }
}

/// A constant text, in both codings.
struct FixedText: Sendable {
    private let plain, packed: (text: CodedText, tag: EntityTag?)

    init(_ content: SharedBytes) {
        let coded = { (takesGzip: Bool) in
            let text = CodedText(content, gzip: takesGzip, .atStart)
            return (text: text, tag: text.tag)
        }
        (plain, packed) = (coded(false), coded(true))
    }

    func coded(for head: RequestHead) -> (text: CodedText, tag: EntityTag?) {
        AcceptEncoding.takesGzip(head.fields) ? packed : plain
    }
}
