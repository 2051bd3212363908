/// Finds the small pictures in a packet of XMP: elements `Thumbnails`, and elements and attributes `image` of the namespace of
/// small pictures, whatever its prefix. What is broken is cut off up to the end, so that nothing of a picture is left.
struct XMPThumbnails: MarkupReader {
    let text: [UInt8]
    private static let namespace = "http://ns.adobe.com/xap/1.0/g/img/"

    /// The text without them. O(bytes).
    func removed() -> [UInt8] {
        let prefixes = self.prefixes()
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            kept += text[index..<start]
            if starts(with: "<!--", at: start) {
                index = end(of: "-->", from: start + 4)
                // One that is about pictures may hold one.
                let comment = String(decoding: text[start..<index], as: UTF8.self)
                if !comment.contains("Thumbnails"), !comment.contains("image") { kept += text[start..<index] }
                continue
            }
            let name = text[(start + 1)...].prefix {
                !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }
            guard let first = name.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!") else {
                index = end(of: ">", from: start + 1)
                kept += text[start..<index]
                continue
            }
            if local(name).elementsEqual("Thumbnails".utf8) || isPicture(name, prefixes) {
                index = end(ofElement: name, from: start)
                continue
            }
            index = end(ofTagFrom: start, into: &kept, but: prefixes)
        }
        return kept + text[index...]
    }

    /// Copies a tag without attributes that are pictures. Returns where it ends.
    private func end(ofTagFrom start: Int, into kept: inout [UInt8], but prefixes: Set<ArraySlice<UInt8>>) -> Int {
        let nameEnd = text[(start + 1)...].firstIndex { isSpace($0) || $0 == UInt8(ascii: ">") } ?? text.count
        var attributes = MarkupAttributes(text, from: nameEnd)
        var copied = start
        while let (name, value) = attributes.next() {
            guard isPicture(name, prefixes) else { continue }
            kept += text[copied..<name.startIndex]
            copied = min(text.count, value.endIndex + 1)
        }
        kept += text[min(copied, attributes.index)..<attributes.index]
        return attributes.index
    }

    private func isPicture(_ name: ArraySlice<UInt8>, _ prefixes: Set<ArraySlice<UInt8>>) -> Bool {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return name[(colon + 1)...].elementsEqual("image".utf8) && prefixes.contains(name[..<colon])
    }

    /// What stands for the namespace anywhere in the packet.
    private func prefixes() -> Set<ArraySlice<UInt8>> {
        var found: Set = [Array("xmpGImg".utf8)[...]]
        var index = 0
        while let start = text[index...].firstRange(of: Array("xmlns:".utf8)) {
            let prefix = text[start.upperBound...].prefix { !isSpace($0) && $0 != UInt8(ascii: "=") }
            let value = text[prefix.endIndex...].drop { isSpace($0) || "=\"'".utf8.contains($0) }
            if value.starts(with: Self.namespace.utf8) { found.insert(prefix) }
            index = prefix.endIndex
        }
        return found
    }

    /// Behind the end of the element `name` that begins at `start`; elements of its name inside it are part of it.
    private func end(ofElement name: ArraySlice<UInt8>, from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            let isEnd = open + 1 < text.count && text[open + 1] == UInt8(ascii: "/")
            let found = text[min(text.count, open + (isEnd ? 2 : 1))...].prefix {
                !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }
            guard found == name else {
                index = open + 1
                continue
            }
            if isEnd {
                depth -= 1
                index = end(of: ">", from: found.endIndex)
            } else {
                var attributes = MarkupAttributes(text, from: found.endIndex)
                while attributes.next() != nil {}
                index = attributes.index
                depth += attributes.isOpen ? 1 : 0
            }
            if depth <= 0 { return index }
        }
        return text.count
    }
}
