import HTTPMessage

/// Byte ranges: what is selected is what was asked for, once.
enum RangeInput {
    static func check(_ text: String, byteCount: Int) throws(BrokenInvariant) {
        guard let field = RangeField(text) else { return }
        var asked = [Bool](repeating: false, count: byteCount)
        for spec in field.specs {
            switch spec {
            case .positions(let first, let last):
                guard first < byteCount else { continue }
                for index in first...min(last ?? byteCount - 1, byteCount - 1) { asked[index] = true }
            case .suffix(let count):
                for index in max(0, byteCount - min(count, byteCount))..<byteCount { asked[index] = true }
            }
        }
        switch field.selection(of: byteCount) {
        case .whole: try BrokenInvariant.require(byteCount == 0, "\(text) selects the whole of \(byteCount)")
        case .unsatisfiable: try BrokenInvariant.require(!asked.contains(true), "\(text) selects nothing")
        case .single(let range): try check([range], asked, text)
        case .multiple(let ranges):
            try BrokenInvariant.require(ranges.count > 1, "\(text) has \(ranges.count) parts")
            try check(ranges, asked, text)
        }
    }

    private static func check(_ ranges: [Range<Int>], _ asked: [Bool], _ text: String) throws(BrokenInvariant) {
        var selected = [Bool](repeating: false, count: asked.count)
        for range in ranges {
            try BrokenInvariant.require(
                !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= asked.count, "\(text): \(range)")
            for index in range {
                try BrokenInvariant.require(!selected[index], "\(text) selects \(index) twice")
                selected[index] = true
            }
        }
        try BrokenInvariant.require(selected == asked, "\(text) selects other bytes than it asks for")
        let ordered = ranges.sorted { $0.lowerBound < $1.lowerBound }
        for (left, right) in zip(ordered, ordered.dropFirst()) {
            try BrokenInvariant.require(left.upperBound < right.lowerBound, "\(text): ranges touch")
        }
    }
}
