import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters

/// The field lines of one image: how it came out, and the name to save it under.
enum ImageFields {
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
    /// `;missed` where that is less; nil for lossless images.
    static func qualityText(_ picture: RenderedImage, _ request: ImageRequest) -> String? {
        guard let quality = picture.quality else { return nil }
        guard let score = picture.score else { return String(quality) }
        var text = "\(quality);score=\(decimal(score))"
        if case .auto(let target)? = request.quality, score < target.double { text += ";missed" }
        return text
    }

    /// `1;omitted=limit`: the number of frames or pages, and why there are no more; nil for one of one.
    static func framesText(_ picture: RenderedImage) -> String? {
        guard picture.frameCount > 1 || picture.omission != nil else { return nil }
        return "\(picture.frameCount)" + (picture.omission.map { ";omitted=\($0.rawValue)" } ?? "")
    }

    /// One decimal, as a structured field has it (RFC 8941 §3.3.2).
    static func decimal(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1_000_000 else { return "0.0" }
        let tenths = Int((number * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// `Content-Disposition` (RFC 6266).
enum ContentDisposition {
    /// Browsers save it as `name`, with the extension of `format` if the name has none.
    ///
    /// The name is there twice: in ASCII for old clients, and as it is (RFC 8187). Path separators become `_`.
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

    /// `value-chars` of RFC 8187 §3.2.1: `attr-char` as they are, all else escaped.
    private static func extendedValue(_ text: String) -> String { PercentEncoding.encoded(text, keeping: "!#$&+^`|") }
}
