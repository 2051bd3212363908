import Bytes

struct StreamCommands {
    let number: Int?
    let isForm: Bool
    /// Nil when names refer to the resources of the caller.
    let resources: PDFValue?
    let byteCount: Int
    /// How often each name is drawn; unreadable names count as the empty one.
    private(set) var drawnNames: [String: Int] = [:]
    /// Pixels of the largest inline image.
    private(set) var picturePixelCount = 0

    /// `hidden` counts unreadable bytes. `spend` gets the bytes read in addition to the one pass over the content.
    init(
        _ content: [UInt8], number: Int?, isForm: Bool, resources: PDFValue?, hidden: Int = 0,
        spend: (Int) throws(ImageError) -> Void = { _ in }
    ) throws(ImageError) {
        (self.number, self.isForm, self.resources) = (number, isForm, resources)
        byteCount = content.count + hidden
        // `/Name Do` (ISO 32000-1 §8.8).
        var last: UInt8 = 0
        for (index, byte) in content.enumerated() {
            defer { last = byte }
            if byte == UInt8(ascii: "I"), last == UInt8(ascii: "B") {
                let (pixels, read) = Self.pixelCount(ofPictureIn: content, from: index + 1)
                picturePixelCount = max(picturePixelCount, pixels)
                try spend(read)
            }
            guard byte == UInt8(ascii: "o"), last == UInt8(ascii: "D") else { continue }
            try spend(0)
            let before = content[..<(index - 1)]
            guard before.last?.isBlank ?? true else { continue }
            drawnNames[Self.name(atEndOf: before), default: 0] += 1
        }
    }

    /// Pixels of the inline image whose dictionary begins at `start` (`BI`…`ID`, §8.9.7), and how many bytes were read.
    private static func pixelCount(ofPictureIn content: [UInt8], from start: Int) -> (pixels: Int, read: Int) {
        guard start < content.count, content[start].isBlank || content[start] == UInt8(ascii: "/") else {
            return (0, 0)
        }
        return unsafe content.withUnsafeBytes { text in
            var reader = unsafe PDFReader(text, at: start)
            var (width, height) = (0, 0)
            for _ in 0..<32 {
                guard case .name(let key)? = reader.value(), let value = reader.value() else { break }
                guard case .number(let number) = value else { continue }
                if key == "W" || key == "Width" { width = max(width, number) }
                if key == "H" || key == "Height" { height = max(height, number) }
            }
            return (width * height, reader.readByteCount)
        }
    }

    private static func name(atEndOf text: ArraySlice<UInt8>) -> String {
        let tail = text.suffix(300)
        guard let end = tail.lastIndex(where: { !$0.isBlank }) else { return "" }
        let word = tail[...end]
        guard let start = word.lastIndex(of: UInt8(ascii: "/")), !word[start...].contains(where: \.isBlank) else {
            return ""
        }
        return unsafe SharedBytes(Array(word[start...])).withUnsafeBytes { text in
            var reader = unsafe PDFReader(text, at: 0)
            return reader.name()
        }
    }
}

extension PDFInspector {
    private static let formDepthLimit = 32

    /// Command bytes of the costliest stream, with all forms it draws, and of all streams that no other draws.
    mutating func load() throws(ImageError) -> (largest: Double, all: Double) {
        var forms: [Int: [Int]] = [:]
        for (index, stream) in commands.enumerated() where stream.isForm {
            if let number = stream.number { forms[number, default: []].append(index) }
        }
        let named = formsByName(forms)
        var known = [Double?](repeating: nil, count: commands.count)
        var isEntered = [Bool](repeating: false, count: commands.count)
        var (largest, all) = (0.0, 0.0)
        for index in commands.indices {
            let load = try load(of: index, forms: forms, named: named, &known, &isEntered, depth: 0)
            largest = max(largest, load)
            if !commands[index].isForm { all += load }
        }
        let limit = Double(DrawingLimits.elements * Self.bytesPerElement)
        guard largest <= limit else { throw .tooComplex(.elements(limit: DrawingLimits.elements)) }
        return (largest, max(largest, all))
    }

    private mutating func load(
        of index: Int, forms: [Int: [Int]], named: [String: Set<Int>], _ known: inout [Double?],
        _ isEntered: inout [Bool], depth: Int
    ) throws(ImageError) -> Double {
        if let found = known[index] { return found }
        // A form that draws itself draws nothing.
        guard !isEntered[index] else { return 0 }
        guard depth < Self.formDepthLimit else { throw .tooComplex(.nesting(limit: Self.formDepthLimit)) }
        isEntered[index] = true
        let stream = commands[index]
        var sum = Double(stream.byteCount)
        for (name, times) in stream.drawnNames {
            let targets =
                if name.isEmpty {
                    Array(forms.keys)
                } else if let resources = stream.resources {
                    xObjects(called: name, in: resources)
                } else {
                    Array(named[name] ?? [])
                }
            try spend(16 * (targets.count + 1))
            var largest = 0.0
            for target in targets.flatMap({ forms[$0] ?? [] }) {
                largest = max(
                    largest, try load(of: target, forms: forms, named: named, &known, &isEntered, depth: depth + 1))
            }
            sum += Double(times) * largest
        }
        isEntered[index] = false
        known[index] = min(sum, 1e15)
        return min(sum, 1e15)
    }

    private func xObjects(called name: String, in resources: PDFValue) -> [Int] {
        resolved(resources).compactMap { $0["XObject"] }.flatMap(resolved).compactMap { $0[name] }.flatMap(\.references)
    }

    /// The forms under every name that any dictionary gives them.
    private func formsByName(_ forms: [Int: [Int]]) -> [String: Set<Int>] {
        var found: [String: Set<Int>] = [:]
        walkMembers { name, member in
            if case .reference(let number) = member, forms[number] != nil { found[name, default: []].insert(number) }
            return true
        }
        return found
    }
}
