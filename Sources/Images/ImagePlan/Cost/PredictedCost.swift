import Bytes
import Colors

/// The cost of a plan by the header alone, for scheduling and refusing work: CPU time of one core and memory for
/// pixels. Good to a factor of two if the header is true.
package struct PredictedCost: Equatable, Sendable, Codable {
    package struct Step: Equatable, Sendable, Codable {
        package let name: String
        /// CPU time of one core, for all frames.
        package let microseconds: Int
        package let byteCount: Int

        /// Both numbers saturate.
        package init(_ name: String, nanoseconds: Double, bytes: Double) {
            self.name = name
            microseconds = Self.whole(nanoseconds / 1000)
            byteCount = Self.whole(bytes)
        }

        fileprivate static let most = 1_000_000_000_000_000

        private static func whole(_ number: Double) -> Int { Int(held: number.rounded(.up), in: 0...most) }
    }

    package let steps: [Step]
    package let frameCount: Int

    package var microseconds: Int { steps.reduce(0) { $0 + $1.microseconds } }

    /// The most bytes held at a time: a step's and those of the one before it, and what is held throughout.
    package private(set) var byteCount: Int

    /// Whether a document is drawn, which cannot be stopped everywhere.
    package let isDrawing: Bool

    package init(steps: [Step], frameCount: Int, isDrawing: Bool = false) {
        (self.steps, self.frameCount, self.isDrawing) = (steps, frameCount, isDrawing)
        let before = [Step("", nanoseconds: 0, bytes: 0)] + steps
        byteCount = zip(steps, before).map { $0.byteCount + $1.byteCount }.max() ?? 0
    }

    private init(_ earlier: PredictedCost, _ later: PredictedCost) {
        steps = earlier.steps + later.steps
        frameCount = max(earlier.frameCount, later.frameCount)
        byteCount = max(earlier.byteCount, later.byteCount)
        isDrawing = earlier.isDrawing || later.isDrawing
    }

    /// The same while `count` more bytes are held throughout, such as those of a source.
    package func holding(_ count: Int) -> PredictedCost {
        var cost = self
        cost.byteCount = min(Step.most, byteCount + max(0, min(Step.most, count)))
        return cost
    }

    /// The cost of both in turn: the memory of `earlier` is free again when this begins.
    package func following(_ earlier: PredictedCost?) -> PredictedCost {
        guard let earlier else { return self }
        return PredictedCost(earlier, self)
    }

    /// The cost without the steps that both begin with. Memory is that of the whole.
    package func beyond(_ other: PredictedCost) -> PredictedCost {
        let sharedCount = zip(steps, other.steps).prefix { $0 == $1 }.count
        var rest = PredictedCost(
            steps: Array(steps.dropFirst(sharedCount)), frameCount: frameCount, isDrawing: isDrawing)
        rest.byteCount = byteCount
        return rest
    }

    /// Whether it must not delay others: more than about ten photographs (400 ms), or an animation of more than 50 ms.
    package var isLong: Bool { microseconds > (frameCount > 1 ? 50_000 : 400_000) }

    /// The most parts of a drawing that are counted (`DrawingLimits`), and the least bytes of one.
    private static let partLimit = 500_000.0
    private static let bytesPerPart = 4.0

    /// The cost of counting the parts of a drawing, by the length of the file.
    package static func counting(_ format: SourceFormat, byteCount: Int) -> PredictedCost {
        let count = Double(max(0, byteCount))
        let parts = min(partLimit, count / bytesPerPart)
        let units = count * (format == .pdf ? CostTable.countedDocumentByte : CostTable.countedByte)
        let step = Step(
            "count \(format.rawValue)", nanoseconds: units * CostTable.unit,
            bytes: count + parts * CostTable.countedPartBytes)
        return PredictedCost(steps: [step], frameCount: 1, isDrawing: true).holding(byteCount)
    }

    /// The cost of finding what matters in an image of `size`, beyond decoding it.
    package static func looking(for interest: Interest, in size: PixelSize) -> PredictedCost {
        let units = CostTally.area(size) * CostTable.interest
        let step = Step("look for \(interest.rawValue)", nanoseconds: units * CostTable.unit, bytes: 0)
        return PredictedCost(steps: [step], frameCount: 1)
    }

    /// The cost of reading a gain map and writing it at `size`.
    package static func conveying(_ map: GainMapHeader, at size: PixelSize) -> PredictedCost {
        var tally = CostTally(frameCount: 1, bytesPerPixel: map.isColor ? 3 : 1)
        tally.convey(map, at: size)
        return PredictedCost(steps: tally.steps, frameCount: 1)
    }

    /// The cost of coding a JPEG once more in segments. All coefficients are held, and the result three times for a moment.
    package static func splitting(_ header: ImageHeader, byteCount: Int) -> PredictedCost {
        let pixels = CostTally.area(header.size)
        let scans = Double(max(0, header.heldScanCount - 1)) * CostTable.heldScan
        let step = Step(
            "split jpeg", nanoseconds: pixels * (4 + scans) * CostTable.unit,
            bytes: pixels * 6 + 2 * Double(max(0, byteCount)))
        return PredictedCost(steps: [step], frameCount: 1).holding(byteCount)
    }

    /// The cost of keeping the planes of a part of a JPEG, of `size`, in `byteCount` bytes, which are held twice for a moment.
    package static func shrinking(_ size: PixelSize, to byteCount: Int) -> PredictedCost {
        let step = Step(
            "shrink jpeg", nanoseconds: CostTally.area(size) * CostTable.shrinkKept * CostTable.unit,
            bytes: 2 * Double(max(0, byteCount)))
        return PredictedCost(steps: [step], frameCount: 1)
    }

    /// The cost of parsing a drawing for its size, after counting.
    package static func parsing(_ drawing: DrawingComplexity, _ format: SourceFormat, byteCount: Int) -> PredictedCost {
        let count = Double(max(0, byteCount))
        let units =
            format == .pdf
            ? CostTable.parsedDocument + count * CostTable.parsedDocumentByte : count * CostTable.parsedByte
        let step = Step(
            "parse \(format.rawValue)", nanoseconds: units * CostTable.unit, bytes: Double(drawing.heldByteCount))
        return PredictedCost(steps: [step], frameCount: 1, isDrawing: true).holding(byteCount)
    }
}

extension ImagePlan {
    /// O(steps). In linear light no decoder shrinks. `writesExactWebP` nil decides by the header.
    package func predictedCost(
        _ header: ImageHeader, decoding level: ImageHeader? = nil, inLinearLight isLinear: Bool = false,
        writesExactWebP: Bool? = nil
    ) -> PredictedCost {
        let frames = max(1, pages.count)
        // 16-bit samples stay so through all steps.
        let sample = header.bitDepth > 8 && encoding.formats.contains(where: \.holds16Bits) ? 2 : 1
        var tally = CostTally(frameCount: frames, bytesPerPixel: (header.hasAlpha ? 4 : 3) * sample)
        tally.decode(self, level ?? header, inLinearLight: isLinear)
        var size = resized
        var overlayCount = 0
        for step in self.steps {
            switch step {
            case .extract, .resize: break
            case .crop(let rect): size = rect.size
            case .orient(let orientation):
                size = orientation.applied(to: size)
                tally.add("orient", size, CostTable.copy)
            case .pad(let canvas, _, _, _):
                size = canvas
                tally.add("pad", size, CostTable.copy)
            case .surround(let canvas, _, _):
                tally.surround(size, on: canvas)
                size = canvas
            case .rotate(_, let canvas, _):
                size = canvas
                tally.add("rotate", size, CostTable.turn)
            case .filter(let filter): tally.add("filter \(filter.canonical)", size, CostTable.units(filter, in: size))
            case .overlay(let overlay):
                overlayCount += 1
                tally.lay(overlay, on: size, count: overlayCount)
            case .mask: tally.add("mask", size, CostTable.copy)
            case .flatten: tally.add("flatten", size, CostTable.copy)
            }
        }
        let cost = encodingCost(size, level ?? header, tally, writesExactWebP: writesExactWebP)
        for _ in 0..<cost.referenceCount { tally.decodeReference(level ?? header) }
        tally.encode(cost)
        if case .keep(let size)? = encoding.gainMap, let map = header.gainMap { tally.convey(map, at: size) }
        return PredictedCost(steps: tally.steps, frameCount: frames, isDrawing: (level ?? header).drawing != nil)
    }

    private func encodingCost(
        _ size: PixelSize, _ decoded: ImageHeader, _ tally: CostTally, writesExactWebP: Bool?
    ) -> EncodingCost {
        let pixels = CostTally.area(size)
        let count = Int(held: pixels, in: 0...1_000_000_000_000)
        return EncodingCost(
            encoding: encoding, framePixels: pixels, frameCount: tally.frameCount,
            bytesPerPixel: Double(tally.bytesPerPixel),
            mayHaveAlpha: decoded.hasAlpha || steps.contains(where: \.mayClear),
            sourcePixels: Double(decoded.widthPx) * Double(decoded.heightPx),
            triesExactWebP: encoding.triesExactWebP(
                isFlatByHeader: decoded.isFlat, isAnimation: tally.frameCount > 1, pixelCount: count),
            writesExactWebP: writesExactWebP
                ?? encoding.isExactWebPPriced(isFlatByHeader: decoded.isFlat, pixelCount: count))
    }
}

extension ImageStep {
    fileprivate var mayClear: Bool {
        switch self {
        case .mask: true
        case .pad(_, _, _, let background), .rotate(_, _, let background): !background.isOpaque
        case .extract, .resize, .crop, .orient, .surround, .filter, .overlay, .flatten: false
        }
    }
}

extension PredictedCost {
    package static func drawn(
        by steps: [Step], _ size: PixelSize, filters: [ImageFilter], encodedAs output: OutputFormat
    ) -> PredictedCost {
        var tally = CostTally(frameCount: 1, bytesPerPixel: 4)
        tally.steps = steps
        for filter in filters { tally.add("filter \(filter.canonical)", size, CostTable.units(filter, in: size)) }
        if output == .png {
            tally.add("encode png", size, CostTable.encodeDrawnPNG)
        } else {
            let pixels = CostTally.area(size)
            tally.encode(
                EncodingCost(
                    encoding: Encoding(formats: [output]), framePixels: pixels, frameCount: 1, bytesPerPixel: 4,
                    mayHaveAlpha: false, sourcePixels: pixels, triesExactWebP: false, writesExactWebP: false))
        }
        return PredictedCost(steps: tally.steps, frameCount: 1)
    }
}
