import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters

/// The field lines that belong to the bytes of one picture: how it came out, and under what name it is saved.
enum ImageFields {
    /// The lines for `picture`, which was made for `request`.
    static func lines(_ picture: RenderedImage, _ request: ImageRequest) -> FieldLines {
        var lines = FieldLines()
        if let quality = qualityText(picture, request) { lines.append("Veduta-Quality", quality) }
        if let frames = framesText(picture) { lines.append("Veduta-Frames", frames) }
        if let name = request.downloadName {
            lines.append(.contentDisposition, ContentDisposition.attachment(named: name, format: picture.format))
        }
        return lines
    }

    /// `72;score=80.4`: the number that the encoder was given and, where a score was asked for, what was reached, with
    /// `;missed` where that is less; nil for what is encoded without loss.
    static func qualityText(_ picture: RenderedImage, _ request: ImageRequest) -> String? {
        guard let quality = picture.quality else { return nil }
        guard let score = picture.score else { return String(quality) }
        var text = "\(quality);score=\(decimal(score))"
        if case .auto(let target)? = request.quality, score < target.double { text += ";missed" }
        return text
    }

    /// `1;omitted=limit`: how many frames or pages there are, and why there are no more of them; nil for one of one.
    static func framesText(_ picture: RenderedImage) -> String? {
        guard picture.frameCount > 1 || picture.omission != nil else { return nil }
        return "\(picture.frameCount)" + (picture.omission.map { ";omitted=\($0.rawValue)" } ?? "")
    }

    /// A number with one decimal, as a structured field has it (RFC 8941 §3.3.2).
    static func decimal(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1_000_000 else { return "0.0" }
        let tenths = Int((number * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// `Content-Disposition` (RFC 6266).
enum ContentDisposition {
    /// A picture that browsers save as `name`, with the ending of `format` where the name has none.
    ///
    /// The name stands there twice: in ASCII for old clients, and as it is (RFC 8187). Path separators become `_`.
    static func attachment(named name: String, format: OutputFormat?) -> String {
        var name = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "/" || $0 == "\\" ? "_" : $0 }))
        if let format, !hasEnding(name) { name += "." + (format == .jpeg ? "jpg" : format.rawValue) }
        let ascii = String(
            name.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "\"", "%": "_"
                case " "..."~": Character(scalar)
                default: "_"
                }
            })
        var text = "attachment; filename=\"\(ascii)\""
        if ascii != name { text += "; filename*=UTF-8''" + extendedValue(name) }
        return text
    }

    private static func hasEnding(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let ending = name[name.index(after: dot)...]
        return (1...5).contains(ending.count) && ending.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// `value-chars` of RFC 8187 §3.2.1: `attr-char` as they are, all else as escapes.
    private static func extendedValue(_ text: String) -> String {
        let plain = Set("!#$&+-.^_`|~".utf8)
        var value = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                value.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where plain.contains(byte): value.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                value += "%" + (byte < 16 ? "0" : "") + digits
            }
        }
        return value
    }
}
