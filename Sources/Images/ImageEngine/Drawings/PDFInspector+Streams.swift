extension PDFInspector {
    /// The objects that are drawn as pages and glyphs.
    func drawnNumbers() -> Set<Int> {
        var numbers: Set<Int> = []
        func note(_ value: PDFValue, _ depth: Int) {
            for reference in value.references where numbers.insert(reference).inserted && depth < 3 {
                for case let target in objects[reference] ?? [] {
                    if case .array = target { note(target, depth + 1) }
                    if case .dictionary = target, depth == 0 { note(target, depth + 1) }
                }
            }
        }
        walkMembers { key, member in
            let isDrawn = key == "Contents" || key == "CharProcs"
            if isDrawn { note(member, 0) }
            return !isDrawn
        }
        return numbers
    }

    /// Calls `visit` with every member of every dictionary, and goes on inside those for which it returns true.
    func walkMembers(_ visit: (String, PDFValue) -> Bool) {
        func walk(_ value: PDFValue) {
            switch value {
            case .array(let elements): elements.forEach(walk)
            case .dictionary(let members): for (key, member) in members where visit(key, member) { walk(member) }
            case .name, .number, .reference, .text, .other: break
            }
        }
        for values in objects.values { values.forEach(walk) }
    }

    mutating func count(_ stream: Stream, _ drawn: Set<Int>) throws(ImageError) {
        let dictionary = stream.dictionary
        note(pictureOf: dictionary)
        let isForm = dictionary["BBox"] != nil
        let hasCommands = isForm || stream.number.map(drawn.contains) ?? true
        let isDrawn =
            hasCommands || dictionary["FunctionType"] != nil || dictionary["ShadingType"] != nil
            || (isEncrypted && dictionary["Subtype"].isNot("Image"))
        // Image decoders have bounds of their own, unless something draws the image as if it were commands.
        if !isDrawn, case .name("Image")? = dictionary["Subtype"] { return }
        guard let content = try content(of: stream) else {
            if isDrawn, !isForm || dictionary["Subtype"].isNot("Image") { throw .tooComplex(.expansion) }
            return
        }
        guard isDrawn else { return }
        if isEncrypted {
            // The content is unreadable; text compresses to about a sixth.
            let length = endOfStream(from: stream.start) - stream.start
            commands.append(
                try StreamCommands([], number: stream.number, isForm: isForm, resources: nil, hidden: 6 * length))
            return
        }
        let found = try StreamCommands(
            content, number: stream.number, isForm: isForm, resources: dictionary["Resources"],
            spend: { (byteCount) throws(ImageError) in try spend(byteCount) })
        picturePixelCount = max(picturePixelCount, found.picturePixelCount)
        // Functions and shadings draw no path.
        if hasCommands { longestStream = max(longestStream, content.count) }
        commands.append(found)
    }

    /// An image is decoded at its own size, however small it is drawn.
    private mutating func note(pictureOf dictionary: PDFValue) {
        func side(_ names: String...) -> Int {
            names.flatMap { name in dictionary[name].map(resolved) ?? [] }.reduce(0) { most, value in
                if case .number(let number) = value { max(most, number) } else { most }
            }
        }
        // Numbers have nine digits at most.
        picturePixelCount = max(picturePixelCount, side("Width", "W") * side("Height", "H"))
    }

    /// The unpacked content of a stream; nil for an image.
    mutating func content(of stream: Stream) throws(ImageError) -> [UInt8]? {
        let packed = unsafe UnsafeRawBufferPointer(rebasing: file[min(stream.start, file.count)...])
        var length = endOfStream(from: stream.start) - stream.start
        for case .number(let stated) in stream.dictionary["Length"].map(resolved) ?? [] { length = max(length, stated) }
        var filters: [String] = []
        if let filter = stream.dictionary["Filter"] ?? stream.dictionary["F"] { filters = try names(filter) }
        // Everything but a zlib stream is read up to its end.
        if filters.first != "FlateDecode", filters.first != "Fl" { try spend(min(length, packed.count)) }
        let content = try unsafe decoder.content(packed, length: length, filters)
        unpackedByteCount += content?.count ?? 0
        guard unsafe unpackedByteCount <= DrawingLimits.allCommandByteCount + 8 * file.count else {
            throw .tooComplex(.commands(limit: DrawingLimits.allCommandByteCount))
        }
        return content
    }

    private mutating func endOfStream(from start: Int) -> Int {
        if nextEnd.from <= start, start <= nextEnd.place { return nextEnd.place }
        nextEnd = unsafe (start, find("endstream", from: start) ?? max(start, file.count))
        return nextEnd.place
    }

    /// Values of one list of filters, with all that it refers to.
    private static let filterValueLimit = 16

    /// The names in a value, also by reference. Throws `tooComplex` for a value of more than 16 values.
    private mutating func names(_ value: PDFValue) throws(ImageError) -> [String] {
        var names: [String] = []
        var valuesLeft = Self.filterValueLimit
        try collect(value, depth: 0, into: &names, &valuesLeft)
        return names
    }

    private mutating func collect(
        _ value: PDFValue, depth: Int, into names: inout [String], _ valuesLeft: inout Int
    ) throws(ImageError) {
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw .tooComplex(.expansion) }
        try spend(1)
        guard depth < 4 else { return }
        switch value {
        case .name(let name): names.append(name)
        case .array(let elements):
            for element in elements { try collect(element, depth: depth + 1, into: &names, &valuesLeft) }
        case .reference:
            for target in resolved(value).prefix(4) { try collect(target, depth: depth + 1, into: &names, &valuesLeft) }
        case .dictionary, .number, .text, .other: break
        }
    }

    /// The objects that a reference stands for; any other value itself.
    func resolved(_ value: PDFValue) -> [PDFValue] {
        if case .reference(let number) = value { objects[number] ?? [] } else { [value] }
    }
}

extension PDFValue? {
    fileprivate func isNot(_ name: String) -> Bool { if case .name(name)? = self { false } else { true } }
}
