import Bytes

enum XMPPacket {
    /// Fits one JPEG segment.
    static let byteLimit = 32 << 10
    /// All that one segment holds beside its length and the name of XMP.
    static let segmentLimit = 0xffff - 2 - GainMapMetadata.xmpMark.utf8CodeUnitCount

    /// Nil if there are no credits. Over the limit whole texts are left out, the last of a list first.
    static func bytes(for credits: Credits) -> [UInt8]? {
        let head =
            "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF\(declaration(of: .rdf))>"
        let tail = "</rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
        let room = byteLimit - head.utf8.count - tail.utf8.count
        return description(properties(of: credits), XMPReader.Namespace.others, byteLimit: room).map {
            Array((head + $0 + tail).utf8)
        }
    }

    /// `packet` with what `credits` tells that the packet does not, in a description behind the others; as it is where it cannot
    /// be read. A packet that fits a segment of JPEG still does.
    static func filled(_ packet: [UInt8], from credits: Credits) -> [UInt8] {
        guard !credits.isEmpty, let reader = XMPReader(packet) else { return packet }
        // Names must not come twice: what is there but empty goes, and what is there but cannot be read stays.
        let missing = zip(properties(of: reader.credits), properties(of: credits)).filter { own, other in
            own.items.isEmpty && !other.items.isEmpty
                && reader.places.allSatisfy { $0.property != other.name || reader.isEmpty($0.range) }
        }.map(\.1)
        let room = segmentLimit - packet.count
        let names = XMPReader.Namespace.allCases
        guard let added = description(missing, names, byteLimit: room < 0 ? byteLimit : min(room, byteLimit)) else {
            return packet
        }
        var filled: [UInt8] = []
        filled.reserveCapacity(packet.count + added.utf8.count)
        var index = 0
        for (property, range) in reader.places where missing.contains(where: { $0.name == property }) {
            filled += packet[index..<range.lowerBound]
            index = range.upperBound
        }
        filled += packet[index..<reader.rootEnd]
        filled += added.utf8
        return filled + packet[reader.rootEnd...]
    }

    /// As many of `properties` as fit; nil if none does.
    private static func description(
        _ properties: [Property], _ namespaces: [XMPReader.Namespace], byteLimit: Int
    ) -> String? {
        let start = "<rdf:Description rdf:about=\"\"\(namespaces.map(declaration).joined())>"
        let end = "</rdf:Description>"
        let room = byteLimit - start.utf8.count - end.utf8.count
        var body = ""
        for property in properties { body += property.text(byteLimit: room - body.utf8.count) }
        return body.isEmpty ? nil : start + body + end
    }

    private static func declaration(of namespace: XMPReader.Namespace) -> String {
        " xmlns:\(namespace.prefix)=\"\(namespace.rawValue)\""
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
        let name: XMPReader.Property
        /// What its items stand in; empty: the property itself.
        var list = ""
        let items: [String]

        /// As many items as fit; empty if none does.
        func text(byteLimit: Int) -> String {
            let name = "\(name.name.namespace.prefix):\(name.name.local)"
            let start = "<\(name)>" + (list.isEmpty ? "" : "<rdf:\(list)>")
            let end = (list.isEmpty ? "" : "</rdf:\(list)>") + "</\(name)>"
            var text = start
            for item in items where text.utf8.count + item.utf8.count + end.utf8.count <= byteLimit { text += item }
            return text == start ? "" : text + end
        }
    }

    /// The elements, the most important first.
    private static func properties(of credits: Credits) -> [Property] {
        [
            Property(name: .creator, list: "Seq", items: credits.creators.map { item($0) }),
            Property(name: .rights, list: "Alt", items: items(credits.rights)),
            simple(.marked, credits.isMarked.map { $0 ? "True" : "False" }),
            simple(.webStatement, credits.webStatement),
            simple(.credit, credits.credit),
            simple(.source, credits.source),
            Property(name: .usageTerms, list: "Alt", items: items(credits.usageTerms)),
        ]
    }

    private static func simple(_ name: XMPReader.Property, _ text: String?) -> Property {
        Property(name: name, items: text.map { [Markup.escaped($0)] } ?? [])
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
