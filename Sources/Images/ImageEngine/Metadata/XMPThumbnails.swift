/// Removes thumbnails from an XMP packet: elements `Thumbnails`, and elements and attributes `image` in their
/// namespace. A malformed one is cut to the end, so that nothing of a picture is left. Also removes what is said of pictures behind
/// the first one, which is no longer true: the directory of the file, and gain maps.
struct XMPThumbnails: MarkupReader {
    let text: [UInt8]
    private static let namespace = "http://ns.adobe.com/xap/1.0/g/img/"
    private static let container = "http://ns.google.com/photos/1.0/container/"

    private struct Prefixes {
        var images: Set<ArraySlice<UInt8>>
        var gainMaps: Set<ArraySlice<UInt8>>
        var containers: Set<ArraySlice<UInt8>>
    }

    func removed() -> [UInt8] {
        var prefixes = Prefixes(
            images: prefixes(of: Self.namespace), gainMaps: prefixes(of: GainMapXMP.namespace),
            containers: prefixes(of: Self.container))
        prefixes.images.insert(Array("xmpGImg".utf8)[...])
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            kept += text[index..<start]
            if starts(with: "<!--", at: start) {
                index = end(of: "-->", from: start + 4)
                // A comment about pictures may contain one.
                let comment = String(decoding: text[start..<index], as: UTF8.self)
                if !comment.contains("Thumbnails"), !comment.contains("image") { kept += text[start..<index] }
                continue
            }
            let name = text[(start + 1)...].prefix(while: isNameByte)
            guard let first = name.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!") else {
                // Behind a stray sign a tag may begin.
                let isStray = start + 1 < text.count && text[start + 1] == UInt8(ascii: "<")
                index = isStray ? start + 1 : end(of: ">", from: start + 1)
                kept += text[start..<index]
                continue
            }
            if local(name).elementsEqual("Thumbnails".utf8) || isPicture(name, prefixes) || isDirectory(name, prefixes)
            {
                index = end(ofElement: name, from: start)
                continue
            }
            index = end(ofTagFrom: start, into: &kept, but: prefixes)
        }
        return kept + text[index...]
    }

    /// Copies a tag without thumbnail attributes; returns its end.
    private func end(ofTagFrom start: Int, into kept: inout [UInt8], but prefixes: Prefixes) -> Int {
        let nameEnd = text[(start + 1)...].firstIndex { $0.isBlank || $0 == UInt8(ascii: ">") } ?? text.count
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

    private func isPicture(_ name: ArraySlice<UInt8>, _ prefixes: Prefixes) -> Bool {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return name[(colon + 1)...].elementsEqual("image".utf8) && prefixes.images.contains(name[..<colon])
            || prefixes.gainMaps.contains(name[..<colon])
    }

    private func isDirectory(_ name: ArraySlice<UInt8>, _ prefixes: Prefixes) -> Bool {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return name[(colon + 1)...].elementsEqual("Directory".utf8) && prefixes.containers.contains(name[..<colon])
    }

    /// Names end before the next tag, so that no byte is read for more than one of them.
    private func isNameByte(_ byte: UInt8) -> Bool {
        !byte.isBlank && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }

    private func prefixes(of namespace: String) -> Set<ArraySlice<UInt8>> {
        var found: Set<ArraySlice<UInt8>> = []
        var index = 0
        while let start = text[index...].firstRange(of: Array("xmlns:".utf8)) {
            let prefix = text[start.upperBound...].prefix { !$0.isBlank && $0 != UInt8(ascii: "=") }
            let value = text[prefix.endIndex...].drop { $0.isBlank || "=\"'".utf8.contains($0) }
            if value.starts(with: namespace.utf8) { found.insert(prefix) }
            index = prefix.endIndex
        }
        return found
    }

    /// The index after the element `name` that begins at `start`, nested elements of the same name included.
    private func end(ofElement name: ArraySlice<UInt8>, from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            let isEnd = open + 1 < text.count && text[open + 1] == UInt8(ascii: "/")
            let found = text[min(text.count, open + (isEnd ? 2 : 1))...].prefix(while: isNameByte)
            // A closing tag that is broken closes nothing.
            let isBroken = isEnd && found.endIndex < text.count && text[found.endIndex] == UInt8(ascii: "<")
            guard found == name, !isBroken else {
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
