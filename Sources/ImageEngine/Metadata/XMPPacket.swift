/// Writes a packet of XMP that says who made a picture and who may use it, and nothing else (ISO 16684-1 §7).
enum XMPPacket {
    /// The most bytes that are written: fits one segment of JPEG.
    static let byteLimit = 32 << 10

    /// nil where there is nothing to say. A property for which there is no room any more is left out whole.
    static func octets(for credits: Credits) -> [UInt8]? {
        let head =
            "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            + "xmlns:xmpRights=\"http://ns.adobe.com/xap/1.0/rights/\" "
            + "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\">"
        let tail = "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
        var packet = Array(head.utf8)
        let room = byteLimit - tail.utf8.count
        for property in properties(of: credits) where packet.count + property.utf8.count <= room {
            packet += Array(property.utf8)
        }
        return packet.count > head.utf8.count ? packet + Array(tail.utf8) : nil
    }

    /// The elements, those that matter most first.
    private static func properties(of credits: Credits) -> [String] {
        var properties = [
            list("dc:creator", "Seq", credits.creators.map { item($0) }),
            list("dc:rights", "Alt", items(credits.rights)),
            simple("xmpRights:Marked", credits.isMarked.map { $0 ? "True" : "False" }),
            simple("xmpRights:WebStatement", credits.webStatement),
            simple("photoshop:Credit", credits.credit), simple("photoshop:Source", credits.source),
        ]
        properties.append(list("xmpRights:UsageTerms", "Alt", items(credits.usageTerms)))
        return properties.compactMap(\.self)
    }

    private static func simple(_ name: String, _ text: String?) -> String? {
        text.map { "<\(name)>\(escaped($0))</\(name)>" }
    }

    private static func list(_ name: String, _ kind: String, _ items: [String]) -> String? {
        items.isEmpty ? nil : "<\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>"
    }

    /// The default comes first (ISO 16684-1 §8.2.2.4).
    private static func items(_ translations: [Credits.Translation]) -> [String] {
        let (first, others) = (
            translations.filter { $0.language == "x-default" }, translations.filter { $0.language != "x-default" }
        )
        return (first + others).map { item($0.text, language: $0.language) }
    }

    private static func item(_ text: String, language: String? = nil) -> String {
        let attribute = language.map { " xml:lang=\"\(escaped($0))\"" } ?? ""
        return "<rdf:li\(attribute)>\(escaped(text))</rdf:li>"
    }

    private static func escaped(_ text: String) -> String {
        var octets: [UInt8] = []
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "&"): octets += Array("&amp;".utf8)
            case UInt8(ascii: "<"): octets += Array("&lt;".utf8)
            case UInt8(ascii: ">"): octets += Array("&gt;".utf8)
            case UInt8(ascii: "\""): octets += Array("&quot;".utf8)
            default: octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
