// A PDF's size says little of its cost: 200 kB may unpack to 100 MB of commands, and a form that draws a form ten
// times, six deep, is a million draws. The table of objects may lie, so all that begins like an object counts.

import Bytes
import Glibc
import ImagePlan

/// Counts the drawing commands of a PDF, or finds that there are too many.
@safe struct PDFInspector {
    /// Bytes of commands that cost about as much as one element of a drawing.
    static let bytesPerElement = 40

    struct Stream {
        /// Nil when the object number is unknown, so that anything may refer to it.
        let number: Int?
        let dictionary: PDFValue
        let start: Int
    }

    let file: UnsafeRawBufferPointer
    private(set) var streams: [Stream] = []
    /// All versions of each object, by number.
    private(set) var objects: [Int: [PDFValue]] = [:]
    let decoder = PDFStreamDecoder(room: DrawingLimits.commandByteCount)
    var unpackedByteCount = 0
    /// Pixels of the largest image, and bytes of the longest stream that may be a path.
    var picturePixelCount = 0
    var longestStream = 0
    /// Bytes that may still be read as objects, which may overlap and so be read more than once.
    private var workLeft: Int
    /// Memory left for objects, in units of about 60 bytes; a small object takes six.
    private var roomLeft = 6 * DrawingLimits.objects
    /// The last `endstream` found and where the search began: most come in order.
    var nextEnd = (from: Int.max, place: 0)
    private(set) var isEncrypted = false
    private let purpose: PDFPurpose
    /// Where the kept version of each object is. For labels only the last version counts.
    private var places: [Int: Int] = [:]
    var commands: [StreamCommands] = []
    private let context: RenderContext
    /// Objects, streams and kilobytes read since the last check for a stop.
    private var unaskedCount = 0

    /// Throws `tooComplex`, `outOfMemory`, and `cancelled` after a stop. O(unpacked bytes), which are bounded.
    static func complexity(
        of bytes: SharedBytes, in context: RenderContext = RenderContext()
    ) throws(ImageError) -> DrawingComplexity {
        defer { withExtendedLifetime(bytes) {} }
        return try unsafe bytes.withUnsafeBytes { (file) throws(ImageError) in
            var inspector = unsafe PDFInspector(file, in: context)
            return try inspector.complexity()
        }
    }

    init(_ file: UnsafeRawBufferPointer, for purpose: PDFPurpose = .drawing, in context: RenderContext) {
        unsafe self.file = unsafe file
        self.purpose = purpose
        self.context = context
        workLeft = 8 * file.count + (1 << 20)
    }

    /// Reads all objects, also packed ones.
    mutating func readFile() throws(ImageError) {
        isEncrypted = find("/Encrypt", from: 0) != nil
        try readObjects()
        streams.sort { $0.start < $1.start }
        for stream in streams where stream.dictionary["First"] != nil { try readObjects(in: stream) }
    }

    private mutating func complexity() throws(ImageError) -> DrawingComplexity {
        try readFile()
        let drawn = drawnNumbers()
        for stream in streams where stream.dictionary["First"] == nil {
            try context.checkStop()
            try count(stream, drawn)
        }
        let load = try load()
        var complexity = DrawingComplexity(elementCount: Self.elementCount(load.largest))
        complexity.documentElementCount = Self.elementCount(load.all)
        complexity.picturePixelCount = picturePixelCount
        // A whole stream may be one path.
        complexity.heldByteCount = unsafe 2 * file.count + DrawingLimits.heldBytesPerPathByte * longestStream
        return complexity
    }

    private static func elementCount(_ byteCount: Double) -> Int {
        Int(held: byteCount / Double(bytesPerElement), in: 0...1_000_000_000)
    }

    /// Reads whatever follows `obj`, and streams that no object precedes.
    private mutating func readObjects() throws(ImageError) {
        var index = 0
        var starts: Set<Int> = []
        while let place = find("obj", from: index) {
            index = place + 3
            guard !isEnd(place) else { continue }
            var reader = unsafe PDFReader(file, at: place + 3, for: purpose)
            let value = reader.value() ?? .other
            var start: Int?
            if case .dictionary = value {
                reader.skipSpace()
                if reader.skip("stream") {
                    reader.index = contentStart(reader.index)
                    start = reader.index
                }
            }
            try spend(3 + reader.readByteCount)
            try makeRoom(reader.keptSize + 2)
            let number = number(before: place)
            if let number { try keep(value, number, at: place) }
            guard let start, starts.insert(start).inserted else { continue }
            streams.append(Stream(number: number, dictionary: value, start: start))
        }
        try readLooseStreams(but: starts)
    }

    private mutating func checkStop(_ byteCount: Int) throws(ImageError) {
        unaskedCount += 1 + byteCount / 1024
        guard unaskedCount >= 4096 else { return }
        unaskedCount = 0
        try context.checkStop()
    }

    /// Counts bytes read. Throws `tooComplex` over a few times the file, and `cancelled`.
    mutating func spend(_ byteCount: Int) throws(ImageError) {
        try checkStop(byteCount)
        workLeft -= byteCount
        guard workLeft >= 0 else { throw .tooComplex(.expansion) }
    }

    /// Counts memory kept, in units of about 60 bytes.
    private mutating func makeRoom(_ size: Int) throws(ImageError) {
        roomLeft -= size
        guard roomLeft >= 0 else { throw .tooComplex(.objects(limit: DrawingLimits.objects)) }
    }

    private mutating func keep(_ value: PDFValue, _ number: Int, at place: Int) throws(ImageError) {
        if purpose == .labels {
            guard place >= places[number] ?? 0 else { return }
            places[number] = place
            objects[number] = [value]
            return
        }
        if case .other = value { return }
        objects[number, default: []].append(value)
        guard objects[number]?.count ?? 0 <= Self.versionLimit else { throw .tooComplex(.expansion) }
    }

    /// Versions of one object: each change of a document may append another.
    private static let versionLimit = 32

    /// Whether the word at `place` ends an object.
    private func isEnd(_ place: Int) -> Bool {
        unsafe place >= 3 && file[place - 3] == UInt8(ascii: "e") && file[place - 2] == UInt8(ascii: "n")
            && file[place - 1] == UInt8(ascii: "d")
    }

    /// Finds streams without an object before them that begin like zlib (RFC 1950 §2.2).
    private mutating func readLooseStreams(but known: Set<Int>) throws(ImageError) {
        var index = 0
        while let place = find("stream", from: index) {
            index = place + 6
            let start = contentStart(index)
            guard !known.contains(start), unsafe start + 2 < file.count, unsafe file[start] & 15 == 8,
                unsafe (Int(file[start]) << 8 | Int(file[start + 1])) % 31 == 0
            else { continue }
            try makeRoom(6)
            streams.append(Stream(number: nil, dictionary: .dictionary(["Filter": .name("FlateDecode")]), start: start))
        }
    }

    private func contentStart(_ index: Int) -> Int {
        var index = index
        while unsafe index < file.count, unsafe [10, 13, 32].contains(file[index]) { index += 1 }
        return index
    }

    func find(_ word: StaticString, from index: Int) -> Int? {
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

    /// The object number, the first of the two numbers before `obj`.
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

    /// Reads the objects packed in a stream (ISO 32000-1 §7.5.7).
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
                var reader = unsafe PDFReader(text, at: first + offset, for: purpose)
                let value = reader.value()
                try spend(reader.readByteCount + 16)
                try makeRoom(reader.keptSize + 2)
                if let value { try keep(value, number, at: stream.start) }
            }
        }
    }
}
