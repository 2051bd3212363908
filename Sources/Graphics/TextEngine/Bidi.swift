import CText

/// The order in which text of both directions is read and drawn, by the Unicode bidirectional algorithm.
package enum Bidi {
    package struct VisualCharacter: Equatable, Sendable {
        package var index: Int
        /// In right-to-left text brackets are mirrored.
        package var character: UInt32
    }

    package struct Run: Equatable, Sendable {
        package var range: Range<Int>
        package var isRightToLeft: Bool

        package init(range: Range<Int>, isRightToLeft: Bool) {
            (self.range, self.isRightToLeft) = (range, isRightToLeft)
        }
    }

    /// From left to right, without marks that only steer. `ends` of lines ascend; paragraphs end lines too. O(characters).
    package static func visualLines(_ text: [UInt32], ends: [Int]) -> [[VisualCharacter]] {
        if !mayReorder(text) {
            return lines(text, ends: ends).map { line in
                line.compactMap { index in
                    isControl(text[index]) ? nil : VisualCharacter(index: index, character: text[index])
                }
            }
        }
        return reorder(text, ends: ends) { isRightToLeft, order in
            order.compactMap { index in
                if isControl(text[index]) { return nil }
                return VisualCharacter(
                    index: index, character: isRightToLeft(index) ? ctext_mirror(text[index]) : text[index])
            }
        }
    }

    /// From left to right. O(characters).
    package static func visualRuns(_ text: [UInt32], ends: [Int]) -> [[Run]] {
        if !mayReorder(text) {
            return lines(text, ends: ends).map { $0.isEmpty ? [] : [Run(range: $0, isRightToLeft: false)] }
        }
        return reorder(text, ends: ends) { isRightToLeft, order in
            var runs: [Run] = []
            for index in order {
                let isLeftwards = isRightToLeft(index)
                if let last = runs.last, last.isRightToLeft == isLeftwards,
                    index == (isLeftwards ? last.range.lowerBound - 1 : last.range.upperBound)
                {
                    runs[runs.count - 1].range =
                        min(index, last.range.lowerBound)..<max(index + 1, last.range.upperBound)
                } else {
                    runs.append(Run(range: index..<(index + 1), isRightToLeft: isLeftwards))
                }
            }
            return runs
        }
    }

    /// Replaces Arabic letters by their presentation forms and joins lam and alef, which may shorten the text. Returns
    /// the characters with their index in `text`; nil when nothing changes.
    package static func arabicForms(_ text: [UInt32]) -> [VisualCharacter]? {
        guard text.contains(where: { (0x0600...0x06FF).contains($0) }) else { return nil }
        var shaped = text
        let isDone = unsafe shaped.withUnsafeMutableBufferPointer { buffer in
            unsafe ctext_shape_arabic(buffer.baseAddress, Int32(buffer.count))
        }
        guard isDone, shaped != text else { return nil }
        return shaped.indices.compactMap { index in
            shaped[index] == CTEXT_VANISHED && text[index] != CTEXT_VANISHED
                ? nil : VisualCharacter(index: index, character: shaped[index])
        }
    }

    /// Whether a character only steers directions and joins, and is not drawn.
    package static func isControl(_ character: UInt32) -> Bool {
        switch character {
        case 0x061C, 0x200C...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    package static func endsParagraph(_ character: UInt32) -> Bool {
        switch character {
        case 0x0A, 0x0D, 0x1C...0x1E, 0x85, 0x2029: true
        default: false
        }
    }

    private static func mayReorder(_ text: [UInt32]) -> Bool {
        text.contains { character in
            switch character {
            case 0..<0x0590: false
            case 0x0590...0x08FF, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF: true
            case 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }

    private static func lines(_ text: [UInt32], ends: [Int]) -> [Range<Int>] {
        paragraphs(text).flatMap { lines(of: $0, ends: ends) }
    }

    private static func paragraphs(_ text: [UInt32]) -> [Range<Int>] {
        var paragraphs: [Range<Int>] = []
        var start = 0
        for index in text.indices where endsParagraph(text[index]) {
            if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { continue }
            paragraphs.append(start..<(index + 1))
            start = index + 1
        }
        if start < text.count { paragraphs.append(start..<text.count) }
        return paragraphs
    }

    /// Of the ascending `ends` those in the paragraph, and its own.
    private static func lines(of paragraph: Range<Int>, ends: [Int]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = paragraph.lowerBound
        // The first end behind the start, by halving: a label may have as many paragraphs as letters.
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= start { low = middle + 1 } else { high = middle }
        }
        while low < ends.count, ends[low] < paragraph.upperBound {
            if ends[low] > start {
                lines.append(start..<ends[low])
                start = ends[low]
            }
            low += 1
        }
        return lines + [start..<paragraph.upperBound]
    }

    /// Calls `body` for each line with the direction and the visual order of its characters; indexes are those in the text.
    private static func reorder<Line>(
        _ text: [UInt32], ends: [Int], _ body: (_ isRightToLeft: (Int) -> Bool, _ order: [Int]) -> Line
    ) -> [Line] {
        var result: [Line] = []
        for paragraph in paragraphs(text) {
            var levels = [Int8](repeating: 0, count: paragraph.count)
            var isRightToLeft = false
            let characters = Array(text[paragraph])
            let isDone = unsafe characters.withUnsafeBufferPointer { characters in
                unsafe levels.withUnsafeMutableBufferPointer { levels in
                    unsafe ctext_bidi_levels(
                        characters.baseAddress, Int32(characters.count), levels.baseAddress, &isRightToLeft)
                }
            }
            for line in lines(of: paragraph, ends: ends) {
                let (start, end) = (line.lowerBound - paragraph.lowerBound, line.upperBound - paragraph.lowerBound)
                var order = (0..<(end - start)).map(Int32.init)
                // Of the line alone: a paragraph may have as many lines as characters.
                let lineCharacters = Array(characters[start..<end])
                var lineLevels = Array(levels[start..<end])
                if isDone {
                    _ = unsafe lineCharacters.withUnsafeBufferPointer { characters in
                        unsafe lineLevels.withUnsafeMutableBufferPointer { levels in
                            unsafe order.withUnsafeMutableBufferPointer { order in
                                unsafe ctext_bidi_order(
                                    characters.baseAddress, Int32(characters.count), isRightToLeft, levels.baseAddress,
                                    order.baseAddress)
                            }
                        }
                    }
                }
                let first = line.lowerBound
                result.append(body({ lineLevels[$0 - first] & 1 != 0 }, order.map { Int($0) + first }))
            }
        }
        return result
    }
}
