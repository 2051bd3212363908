import Bytes
import ImagePlan

/// What one stream of commands draws.
struct StreamCommands {
    let number: Int?
    let isForm: Bool
    /// What its names stand for; nil where they are those of whoever draws it.
    let resources: PDFValue?
    let byteCount: Int
    /// How often it draws what has which name; the empty name is one that cannot be told.
    private(set) var drawnNames: [String: Int] = [:]
    /// Pixels of the largest picture that stands among the commands.
    private(set) var picturePixelCount = 0

    /// `hidden` are bytes beside those that are there. `spend` is told how many bytes are read beside the one walk over all of
    /// them, and may end the call.
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
            guard before.last.map({ $0 <= 0x20 }) ?? true else { continue }
            drawnNames[Self.name(atEndOf: before), default: 0] += 1
        }
    }

    /// Columns × rows of the picture whose keys stand from `start` on, between `BI` and `ID` (§8.9.7), 0 where there is none;
    /// and how many bytes were read, which may be all that are left.
    private static func pixelCount(ofPictureIn content: [UInt8], from start: Int) -> (pixels: Int, read: Int) {
        guard start < content.count, content[start] <= 0x20 || content[start] == UInt8(ascii: "/") else {
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
            return (width * height, reader.index - start)
        }
    }

    private static func name(atEndOf text: ArraySlice<UInt8>) -> String {
        let tail = text.suffix(300)
        guard let end = tail.lastIndex(where: { $0 > 0x20 }) else { return "" }
        let word = tail[...end]
        guard let start = word.lastIndex(of: UInt8(ascii: "/")), word[start...].allSatisfy({ $0 > 0x20 }) else {
            return ""
        }
        return unsafe SharedBytes(Array(word[start...])).withUnsafeBytes { text in
            var reader = unsafe PDFReader(text, at: 0)
            return reader.name()
        }
    }
}

extension PDFInspector {
    /// Forms inside one another that are drawn.
    private static let formDepthLimit = 32

    /// The bytes of commands of the stream that comes to the most, with all that it draws again, and those of all streams that
    /// no other draws. Throws `tooComplex`.
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
        // What draws itself draws nothing.
        guard !isEntered[index] else { return 0 }
        guard depth < Self.formDepthLimit else { throw .tooComplex(.nesting(limit: Self.formDepthLimit)) }
        isEntered[index] = true
        let stream = commands[index]
        var sum = Double(stream.byteCount)
        for (name, times) in stream.drawnNames {
            let targets: [Int]
            if name.isEmpty {
                targets = Array(forms.keys)
            } else if let resources = stream.resources {
                targets = xObjects(called: name, in: resources)
            } else {
                targets = Array(named[name] ?? [])
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

    /// The objects that a name stands for with these resources.
    private func xObjects(called name: String, in resources: PDFValue) -> [Int] {
        resolved(resources).compactMap { $0["XObject"] }.flatMap(resolved).compactMap { $0[name] }.flatMap(\.references)
    }

    /// All names anywhere under which forms are known.
    private func formsByName(_ forms: [Int: [Int]]) -> [String: Set<Int>] {
        var found: [String: Set<Int>] = [:]
        func walk(_ value: PDFValue) {
            switch value {
            case .array(let elements): elements.forEach(walk)
            case .dictionary(let members):
                for (name, member) in members {
                    if case .reference(let number) = member {
                        if forms[number] != nil { found[name, default: []].insert(number) }
                    } else {
                        walk(member)
                    }
                }
            case .name, .number, .reference, .other: break
            }
        }
        for values in objects.values { values.forEach(walk) }
        return found
    }
}
