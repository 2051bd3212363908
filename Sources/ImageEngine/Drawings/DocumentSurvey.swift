// What a PDF asks for does not show in its size: 200 kB may be 100 MB of commands once they are unpacked, and a form that
// draws a form ten times, six deep, is a million. The file is read without its table of objects, which may lie: whatever
// begins like an object is one.

import Bytes
import ImagePlan

#if canImport(Glibc)
    import Glibc
#endif

/// Counts the drawing commands of a PDF, or finds that there are too many.
@safe struct DocumentSurvey {
    /// Bytes of commands that come to as much as one element of a drawing.
    static let bytesPerElement = 40

    /// A stream of the file.
    struct Stream {
        /// The number of its object; nil where that cannot be told, so that anything may refer to it.
        let number: Int?
        let dictionary: PDFValue
        /// Where its content begins in the file.
        let start: Int
    }

    private let file: UnsafeRawBufferPointer
    private(set) var streams: [Stream] = []
    /// Objects by their numbers; where a number comes again, all of them count.
    private(set) var objects: [Int: [PDFValue]] = [:]
    private let decoder = StreamDecoder(room: DrawingLimits.commandByteCount)
    private var unpackedByteCount = 0
    /// Bytes that may still be read as objects: they may lie inside one another, so that each is read more than once.
    private var workLeft: Int
    /// What may still be kept of objects, in some 60 bytes: six for a small one.
    private var roomLeft = 6 * DrawingLimits.objects
    /// The last end of a stream that was looked for, and from where: most come in order.
    private var nextEnd = (from: Int.max, place: 0)
    /// What is encrypted is told by nothing but the words in the open.
    private var isEncrypted = false
    var commands: [StreamCommands] = []

    /// Reads `bytes`. Throws `tooComplex`, `outOfMemory`. O(unpacked bytes), which are bounded.
    static func traits(of bytes: SharedBytes) throws(ImageError) -> DrawingTraits {
        defer { withExtendedLifetime(bytes) {} }
        return try unsafe bytes.withUnsafeBytes { (file) throws(ImageError) in
            var survey = unsafe DocumentSurvey(file)
            return try survey.traits()
        }
    }

    private init(_ file: UnsafeRawBufferPointer) {
        unsafe self.file = unsafe file
        workLeft = 8 * file.count + (1 << 20)
    }

    private mutating func traits() throws(ImageError) -> DrawingTraits {
        isEncrypted = find("/Encrypt", from: 0) != nil
        try readObjects()
        streams.sort { $0.start < $1.start }
        for stream in streams where stream.dictionary["First"] != nil { try readObjects(in: stream) }
        let drawn = drawnNumbers()
        for stream in streams where stream.dictionary["First"] == nil { try count(stream, drawn) }
        let load = try load()
        var traits = DrawingTraits(elementCount: Self.elementCount(load.largest))
        traits.documentElementCount = Self.elementCount(load.all)
        return traits
    }

    private static func elementCount(_ byteCount: Double) -> Int {
        Int(held: byteCount / Double(bytesPerElement), in: 0...1_000_000_000)
    }

    // MARK: Objects

    /// Finds whatever begins with `obj`, and what stands before `stream` nowhere else.
    private mutating func readObjects() throws(ImageError) {
        var index = 0
        var starts: Set<Int> = []
        while let place = find("obj", from: index) {
            index = place + 3
            guard !isEnd(place) else { continue }
            var reader = unsafe PDFReader(file, at: place + 3)
            let value = reader.value() ?? .other
            try spend(reader.index - place)
            try makeRoom(reader.keptSize + 2)
            let number = number(before: place)
            if let number { try keep(value, number) }
            reader.skipSpace()
            guard case .dictionary = value, reader.skip("stream") else { continue }
            let start = contentStart(reader.index)
            guard starts.insert(start).inserted else { continue }
            streams.append(Stream(number: number, dictionary: value, start: start))
        }
        try readLooseStreams(but: starts)
    }

    /// Counts work, in bytes that are read. Throws where it is more than a few times the file.
    mutating func spend(_ byteCount: Int) throws(ImageError) {
        workLeft -= byteCount
        guard workLeft >= 0 else { throw .tooComplex(.expansion) }
    }

    /// Counts what is kept, in some 60 bytes.
    private mutating func makeRoom(_ size: Int) throws(ImageError) {
        roomLeft -= size
        guard roomLeft >= 0 else { throw .tooComplex(.objects(limit: DrawingLimits.objects)) }
    }

    private mutating func keep(_ value: PDFValue, _ number: Int) throws(ImageError) {
        if case .other = value { return }
        objects[number, default: []].append(value)
        guard objects[number]?.count ?? 0 <= Self.versionLimit else { throw .tooComplex(.expansion) }
    }

    /// How often an object may come again: each change of a document may append another.
    private static let versionLimit = 32

    /// Whether the word at `place` ends an object.
    private func isEnd(_ place: Int) -> Bool {
        unsafe place >= 3 && file[place - 3] == UInt8(ascii: "e") && file[place - 2] == UInt8(ascii: "n")
            && file[place - 1] == UInt8(ascii: "d")
    }

    /// Streams before which no object was found, but that begin like zlib (RFC 1950 §2.2).
    private mutating func readLooseStreams(but known: Set<Int>) throws(ImageError) {
        var index = 0
        while let place = find("stream", from: index) {
            index = place + 6
            let start = contentStart(index)
            guard !known.contains(start), unsafe start + 2 < file.count, unsafe file[start] & 15 == 8,
                unsafe (Int(file[start]) << 8 | Int(file[start + 1])) % 31 == 0
            else { continue }
            try makeRoom(6)
            streams.append(
                Stream(number: nil, dictionary: .dictionary(["Filter": .name("FlateDecode")]), start: start))
        }
    }

    private func contentStart(_ index: Int) -> Int {
        var index = index
        while unsafe index < file.count, unsafe file[index] == 13 || file[index] == 10 || file[index] == 32 {
            index += 1
        }
        return index
    }

    private func find(_ word: StaticString, from index: Int) -> Int? {
        guard let base = unsafe file.baseAddress else { return nil }
        let (first, count) = unsafe (Int32(word.utf8Start.pointee), word.utf8CodeUnitCount)
        var index = index
        while unsafe index + count <= file.count,
            let found = unsafe memchr(base + index, first, file.count - index - count + 1)
        {
            let place = unsafe UnsafeRawPointer(found) - base
            if unsafe memcmp(found, word.utf8Start, count) == 0 { return place }
            index = place + 1
        }
        return nil
    }

    /// The first of the two numbers that stand before `obj`.
    private func number(before place: Int) -> Int? {
        var index = place
        func isDigit() -> Bool { unsafe index > 0 && (0x30...0x39).contains(file[index - 1]) }
        func isSpace() -> Bool { unsafe index > 0 && file[index - 1] <= 0x20 }
        while isSpace() { index -= 1 }
        guard isDigit() else { return nil }
        while isDigit() { index -= 1 }
        guard isSpace() else { return nil }
        while isSpace() { index -= 1 }
        let end = index
        while isDigit(), end - index < 10 { index -= 1 }
        var reader = unsafe PDFReader(file, at: index)
        return reader.wholeNumber()
    }

    /// The objects that are packed in a stream (ISO 32000-1 §7.5.7).
    private mutating func readObjects(in stream: Stream) throws(ImageError) {
        guard let content = try content(of: stream), case .number(let first)? = stream.dictionary["First"] else {
            return
        }
        let packed = SharedBytes(content)
        try unsafe packed.withUnsafeBytes { (text) throws(ImageError) in
            var head = unsafe PDFReader(text, at: 0)
            while head.index < first {
                head.skipSpace()
                guard let number = head.wholeNumber() else { break }
                head.skipSpace()
                guard let offset = head.wholeNumber() else { break }
                guard offset <= text.count - first else { continue }
                var reader = unsafe PDFReader(text, at: first + offset)
                let value = reader.value()
                try spend(reader.index - first - offset + 16)
                try makeRoom(reader.keptSize + 2)
                if let value { try keep(value, number) }
            }
        }
    }

    // MARK: Streams

    /// What is drawn as pages and glyphs; nil where that cannot be told.
    private func drawnNumbers() -> Set<Int> {
        var numbers: Set<Int> = []
        func note(_ value: PDFValue, _ depth: Int) {
            for reference in value.references where numbers.insert(reference).inserted && depth < 3 {
                for case let target in objects[reference] ?? [] {
                    if case .array = target { note(target, depth + 1) }
                    if case .dictionary = target, depth == 0 { note(target, depth + 1) }
                }
            }
        }
        func walk(_ value: PDFValue) {
            switch value {
            case .array(let elements): elements.forEach(walk)
            case .dictionary(let members):
                for (key, member) in members {
                    if key == "Contents" || key == "CharProcs" { note(member, 0) } else { walk(member) }
                }
            case .name, .number, .reference, .other: break
            }
        }
        for values in objects.values { values.forEach(walk) }
        return numbers
    }

    private mutating func count(_ stream: Stream, _ drawn: Set<Int>) throws(ImageError) {
        let dictionary = stream.dictionary
        let isForm = dictionary["BBox"] != nil
        let isDrawn =
            isForm || stream.number.map(drawn.contains) ?? true || dictionary["FunctionType"] != nil
            || dictionary["ShadingType"] != nil || (isEncrypted && dictionary["Subtype"].isNot("Image"))
        // Pictures are bounded by their own decoders, as long as nothing draws them as if they were commands.
        if !isDrawn, case .name("Image")? = dictionary["Subtype"] { return }
        guard let content = try content(of: stream) else {
            if isDrawn, !isForm || dictionary["Subtype"].isNot("Image") { throw .tooComplex(.expansion) }
            return
        }
        guard isDrawn else { return }
        if isEncrypted {
            // It cannot be told; text packs to a sixth or so.
            let length = endOfStream(from: stream.start) - stream.start
            commands.append(
                StreamCommands([], number: stream.number, isForm: isForm, resources: nil, hidden: 6 * length))
            return
        }
        commands.append(
            StreamCommands(
                content, number: stream.number, isForm: isForm, resources: dictionary["Resources"]))
    }

    /// What is packed in a stream; nil where it is a picture.
    private mutating func content(of stream: Stream) throws(ImageError) -> [UInt8]? {
        let packed = unsafe UnsafeRawBufferPointer(rebasing: file[min(stream.start, file.count)...])
        var length = endOfStream(from: stream.start) - stream.start
        for case .number(let stated) in stream.dictionary["Length"].map(resolved) ?? [] { length = max(length, stated) }
        let filters = (stream.dictionary["Filter"] ?? stream.dictionary["F"]).map { names($0) } ?? []
        // What is no stream of zlib is read up to its end.
        if filters.first != "FlateDecode", filters.first != "Fl" { try spend(min(length, packed.count)) }
        let content = try unsafe decoder.content(packed, length: length, filters)
        unpackedByteCount += content?.count ?? 0
        guard unsafe unpackedByteCount <= DrawingLimits.allCommandByteCount + 8 * file.count else {
            throw .tooComplex(.commands(limit: DrawingLimits.allCommandByteCount))
        }
        return content
    }

    /// Where `endstream` comes next, or the end of the file.
    private mutating func endOfStream(from start: Int) -> Int {
        if nextEnd.from <= start, start <= nextEnd.place { return nextEnd.place }
        nextEnd = unsafe (start, find("endstream", from: start) ?? max(start, file.count))
        return nextEnd.place
    }

    /// The names in a value, which may stand in objects of their own.
    private func names(_ value: PDFValue, depth: Int = 0) -> [String] {
        guard depth < 4 else { return [] }
        switch value {
        case .name(let name): return [name]
        case .array(let elements): return elements.prefix(16).flatMap { names($0, depth: depth + 1) }
        case .reference: return resolved(value).prefix(4).flatMap { names($0, depth: depth + 1) }
        case .dictionary, .number, .other: return []
        }
    }

    /// What a reference stands for; any other value itself.
    func resolved(_ value: PDFValue) -> [PDFValue] {
        if case .reference(let number) = value { objects[number] ?? [] } else { [value] }
    }
}

extension PDFValue? {
    fileprivate func isNot(_ name: String) -> Bool {
        if case .name(name)? = self { false } else { true }
    }
}
