/// Author and rights of a picture from XMP and IPTC. Every text is bounded and valid in XML.
struct Credits: Equatable, Sendable {
    struct Translation: Equatable, Sendable {
        var language: String
        var text: String
    }

    /// `dc:creator`, IPTC 2:80 By-line; in order.
    var creators: [String] = []
    /// `dc:rights`, IPTC 2:116 Copyright Notice; one per language.
    var rights: [Translation] = []
    var usageTerms: [Translation] = []
    /// `xmpRights:WebStatement`, a URL.
    var webStatement: String?
    /// `xmpRights:Marked`: whether rights are reserved.
    var isMarked: Bool?
    /// `photoshop:Credit`, IPTC 2:110 Credit.
    var credit: String?
    /// `photoshop:Source`, IPTC 2:115 Source.
    var source: String?

    /// UTF-8 bytes of one text; the rest is cut off.
    static let textByteLimit = 4000
    static let creatorLimit = 16
    static let languageLimit = 8

    var isEmpty: Bool { self == Credits() }

    func filled(from other: Credits) -> Credits {
        var all = self
        if all.creators.isEmpty { all.creators = other.creators }
        if all.rights.isEmpty { all.rights = other.rights }
        if all.usageTerms.isEmpty { all.usageTerms = other.usageTerms }
        all.webStatement = webStatement ?? other.webStatement
        all.isMarked = isMarked ?? other.isMarked
        all.credit = credit ?? other.credit
        all.source = source ?? other.source
        return all
    }

    /// Without control characters and surrounding blanks, at most `byteLimit` bytes of whole characters.
    static func text(_ bytes: [UInt8], byteLimit: Int = textByteLimit) -> String? {
        let whole = String(decoding: bytes, as: UTF8.self).unicodeScalars
        var kept = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in whole.lazy.map({ isBreak($0) ? " " : $0 }).filter(isVisible).drop(while: { $0 == " " }) {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteLimit else { break }
            kept.append(scalar)
        }
        while kept.last == " " { kept.removeLast() }
        return kept.isEmpty ? nil : String(kept)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { (9...13).contains(scalar.value) }

    /// No control characters, and none that XML forbids (XML 1.0 §2.2).
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value) && scalar.value & 0xfffe != 0xfffe
    }
}
