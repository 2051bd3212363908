import Bytes

enum XMPPacket {
    /// Fits one JPEG segment.
    static let byteLimit = 32 << 10

    /// Nil if there are no credits. Over the limit whole texts are left out, the last of a list first.
    static func bytes(for credits: Credits) -> [UInt8]? {
        let head =
            "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            + "xmlns:xmpRights=\"http://ns.adobe.com/xap/1.0/rights/\" "
            + "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\">"
        let tail = "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
        var body = ""
        let room = byteLimit - head.utf8.count - tail.utf8.count
        for property in properties(of: credits) { body += property.text(byteLimit: room - body.utf8.count) }
        return body.isEmpty ? nil : Array((head + body + tail).utf8)
    }

    static func upright(_ packet: [UInt8]) -> [UInt8] {
        let name = Array("tiff:Orientation".utf8)
        var upright = packet
        var index = 0
        while let start = packet[index...].firstIndex(of: UInt8(ascii: "O")) {
            index = start + 1
            let end = start + name.count - 5
            guard start >= 5, end < packet.count, packet[(start - 5)..<end].elementsEqual(name) else { continue }
            // An attribute, or an element.
            let value = packet[end...].prefix(16).firstIndex { !$0.isBlank && !"=>\"'".utf8.contains($0) }
            if let value, (UInt8(ascii: "2")...UInt8(ascii: "8")).contains(packet[value]) {
                upright[value] = UInt8(ascii: "1")
            }
        }
        return upright
    }

    /// Without embedded thumbnails (XMP part 2 §1.2.2.4), which show the picture before it was cropped.
    static func withoutThumbnails(_ packet: [UInt8]) -> [UInt8] { XMPThumbnails(text: packet).removed() }

    private struct Property {
        let start: String
        let items: [String]
        let end: String

        /// As many items as fit; empty if none does.
        func text(byteLimit: Int) -> String {
            var text = start
            for item in items where text.utf8.count + item.utf8.count + end.utf8.count <= byteLimit { text += item }
            return text == start ? "" : text + end
        }
    }

    /// The elements, the most important first.
    private static func properties(of credits: Credits) -> [Property] {
        [
            list("dc:creator", "Seq", credits.creators.map { item($0) }),
            list("dc:rights", "Alt", items(credits.rights)),
            simple("xmpRights:Marked", credits.isMarked.map { $0 ? "True" : "False" }),
            simple("xmpRights:WebStatement", credits.webStatement),
            simple("photoshop:Credit", credits.credit),
            simple("photoshop:Source", credits.source),
            list("xmpRights:UsageTerms", "Alt", items(credits.usageTerms)),
        ]
    }

    private static func simple(_ name: String, _ text: String?) -> Property {
        Property(start: "<\(name)>", items: text.map { [Markup.escaped($0)] } ?? [], end: "</\(name)>")
    }

    private static func list(_ name: String, _ kind: String, _ items: [String]) -> Property {
        Property(start: "<\(name)><rdf:\(kind)>", items: items, end: "</rdf:\(kind)></\(name)>")
    }

    /// The default comes first (ISO 16684-1 §8.2.2.4).
    private static func items(_ translations: [Credits.Translation]) -> [String] {
        let defaults = translations.filter { $0.language == "x-default" }
        return (defaults + translations.filter { $0.language != "x-default" }).map {
            item($0.text, language: $0.language)
        }
    }

    private static func item(_ text: String, language: String? = nil) -> String {
        let attribute = language.map { " xml:lang=\"\(Markup.escaped($0))\"" } ?? ""
        return "<rdf:li\(attribute)>\(Markup.escaped(text))</rdf:li>"
    }
}
