import Bytes
import Colors
import ImagePlan
import JSON

/// The answer of `/srcset`, as JSON and as HTML.
struct SrcsetText {
    static let htmlMediaType = "text/html; charset=utf-8"
    /// The page shows images of this server, and its own style.
    static let contentSecurityPolicy: StaticString =
        "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    struct Candidate: Sendable {
        let format: OutputFormat
        let size: PixelSize
        let address: String
    }

    private let options: SrcsetOptions
    private let look: SrcsetLook
    private let id: String
    private let candidates: [Candidate]

    init(_ options: SrcsetOptions, _ look: SrcsetLook, id: String, _ candidates: [Candidate]) {
        (self.options, self.look, self.id, self.candidates) = (options, look, id, candidates)
    }

    private func candidates(_ format: OutputFormat) -> [Candidate] { candidates.filter { $0.format == format } }

    private func srcset(_ format: OutputFormat) -> String {
        candidates(format).map { "\($0.address) \($0.size.widthPx)w" }.joined(separator: ", ")
    }

    /// A line.
    var json: String {
        JSONText.line { json in
            json.member("id", id)
            if let fallback = candidates.last { json.size(fallback.size) }
            json.member("src", candidates.last?.address)
            json.member("sizes", options.sizes)
            json.member("alt", options.alt)
            json.member("dominantColor", look.dominantColor?.canonical)
            json.member("thumbHash", look.thumbHash)
            json.member("preview", look.preview)
            json.array("sources", of: options.formats) { json, format in
                json.object { json in
                    json.member("format", format.rawValue)
                    json.member("mediaType", format.mediaType)
                    json.member("srcset", srcset(format))
                    json.array("images", of: candidates(format)) { json, candidate in
                        json.object { json in
                            json.member("url", candidate.address)
                            json.size(candidate.size)
                        }
                    }
                }
            }
        }
    }

    /// A `<picture>`: a source for each format but the last, which `<img>` has.
    var html: String {
        let sizes = Self.attribute("sizes", options.sizes)
        var html = "<picture>\n"
        for format in options.formats.dropLast() {
            html += "<source\(Self.attribute("type", format.mediaType))\(Self.attribute("srcset", srcset(format)))"
            html += "\(sizes)>\n"
        }
        if let format = options.formats.last, let fallback = candidates.last {
            let color = look.dominantColor.map { "#\($0.canonical) " } ?? ""
            html += "<img\(Self.attribute("src", fallback.address))\(Self.attribute("srcset", srcset(format)))\(sizes)"
            html += " width=\"\(fallback.size.widthPx)\" height=\"\(fallback.size.heightPx)\""
            html += Self.attribute("alt", options.alt) + " loading=\"lazy\" decoding=\"async\""
            html += Self.attribute("style", "background:\(color)url(\(look.preview)) center/cover no-repeat") + ">\n"
        }
        return html + "</picture>\n"
    }

    private static func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(Markup.escaped(value))\"" }
}
