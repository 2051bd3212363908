import Bytes
import Parameters

/// What carrying out a plan will cost, by its header alone: CPU time of one core and memory for pixels.
///
/// An estimate for deciding what to run when, and what not at all; good to a factor of two where the source is what its
/// header says. Times are those of the machine that `CostTable` was measured on, scaled by `CostTable.unit`.
package struct PredictedCost: Equatable, Sendable {
    /// One step of the way.
    package struct Step: Equatable, Sendable {
        /// `decode jpeg`, `resize`, `filter blur:2`, `encode webp`…
        package let name: String
        /// CPU time of one core, for all frames.
        package let microseconds: Int
        /// Octets for pixels that it holds at most.
        package let byteCount: Int

        /// A step that takes so many nanoseconds and holds so many octets; both saturate.
        package init(_ name: String, nanoseconds: Double, octets: Double) {
            self.name = name
            microseconds = Self.whole(nanoseconds / 1000)
            byteCount = Self.whole(octets)
        }

        fileprivate static let most = 1_000_000_000_000_000

        private static func whole(_ number: Double) -> Int { Int(held: number.rounded(.up), in: 0...most) }
    }

    /// The steps in order.
    package let steps: [Step]
    /// Frames or pages that the steps are carried out on.
    package let frameCount: Int

    /// CPU time of one core for everything.
    package var microseconds: Int { steps.reduce(0) { $0 + $1.microseconds } }

    /// The most octets that are held at a time: a step's own and those of the one before it, and what is held throughout.
    package private(set) var byteCount: Int

    /// Whether a document is drawn on the way, which cannot be stopped at every place.
    package let isDrawing: Bool

    /// The cost of `steps`, which follow each other and are carried out on `frameCount` frames.
    package init(steps: [Step], frameCount: Int, isDrawing: Bool = false) {
        self.steps = steps
        self.frameCount = frameCount
        self.isDrawing = isDrawing
        let before = [Step("", nanoseconds: 0, octets: 0)] + steps
        byteCount = zip(steps, before).map { $0.byteCount + $1.byteCount }.max() ?? 0
    }

    private init(_ earlier: PredictedCost, _ later: PredictedCost) {
        steps = earlier.steps + later.steps
        frameCount = max(earlier.frameCount, later.frameCount)
        byteCount = max(earlier.byteCount, later.byteCount)
        isDrawing = earlier.isDrawing || later.isDrawing
    }

    /// The same while `count` octets are held from the beginning to the end, such as those of a source.
    package func holding(_ count: Int) -> PredictedCost {
        var cost = self
        cost.byteCount = min(Step.most, byteCount + max(0, min(Step.most, count)))
        return cost
    }

    /// The cost of both, one after the other: what `earlier` held is free again when this begins.
    package func following(_ earlier: PredictedCost?) -> PredictedCost {
        guard let earlier else { return self }
        return PredictedCost(earlier, self)
    }

    /// Whether it takes so long that it must not stand in the way of others: more than about ten photographs (400 ms), or an
    /// animation of more than 50 ms.
    package var isLong: Bool { microseconds > (frameCount > 1 ? 50_000 : 400_000) }
}

extension ImagePlan {
    /// What carrying out this plan on a source of `traits` will cost. O(steps). In linear light no decoder shrinks.
    package func predictedCost(
        _ traits: SourceTraits, decoding level: SourceTraits? = nil, inLinearLight isLinear: Bool = false
    ) -> PredictedCost {
        let frames =
            switch pages {
            case .one: 1
            case .first(let count): max(1, count)
            }
        // A sample of 16 bits passes through all steps as such.
        let sample = traits.bitDepth > 8 && encoding.formats.contains(where: \.holds16Bits) ? 2 : 1
        var tally = CostTally(frameCount: frames, octetsPerPixel: (traits.hasAlpha ? 4 : 3) * sample)
        tally.decode(self, level ?? traits, inLinearLight: isLinear)
        var size = resized
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
            case .rotate(_, let canvas, _):
                size = canvas
                tally.add("rotate", size, CostTable.turn)
            case .filter(let filter): tally.add("filter \(filter.canonical)", size, CostTable.units(filter))
            case .overlay: tally.add("overlay", size, CostTable.overlay)
            case .mask: tally.add("mask", size, CostTable.copy)
            case .flatten: tally.add("flatten", size, CostTable.copy)
            }
        }
        tally.encode(encoding, size, isDrawing: traits.isFlat && frames == 1)
        return PredictedCost(steps: tally.steps, frameCount: frames, isDrawing: (level ?? traits).drawing != nil)
    }
}

extension PredictedCost {
    /// The cost of a picture of `size` that `steps` draw, whose pixels are then filtered and encoded.
    package static func drawn(
        by steps: [Step], _ size: PixelSize, filters: [ImageFilter], encodedAs output: OutputFormat
    ) -> PredictedCost {
        var tally = CostTally(frameCount: 1, octetsPerPixel: 4)
        tally.steps = steps
        for filter in filters { tally.add("filter \(filter.canonical)", size, CostTable.units(filter)) }
        if output == .png {
            tally.add("encode png", size, CostTable.encodeDrawnPNG)
        } else {
            tally.encode(Encoding(formats: [output]), size)
        }
        return PredictedCost(steps: tally.steps, frameCount: 1)
    }
}

/// Adds up what steps cost; everything saturates, for a header may claim anything.
private struct CostTally {
    let frameCount: Int
    let octetsPerPixel: Int
    var steps: [PredictedCost.Step] = []

    /// Decoding and resampling, which are one walk over the source.
    mutating func decode(_ plan: ImagePlan, _ traits: SourceTraits, inLinearLight isLinear: Bool) {
        let stored = Double(traits.widthPx) * Double(traits.heightPx)
        let limit = plan.loadShrinkLimit * (stored / max(1, area(plan.source))).squareRoot()
        let shrink = [8, 4, 2].first { traits.format == .jpeg && !isLinear && limit >= Double($0) * 2 } ?? 1
        let loaded = stored / Double(shrink * shrink)
        // Frames hang on the ones before them: a page further on costs those too.
        var passes = Double(frameCount)
        if case .one(let index) = plan.pages, traits.isAnimated { passes += Double(index) }
        if let drawing = traits.drawing {
            draw(drawing, traits.format, plan, stored: stored)
        } else {
            let pixels = stored * Double(octetsPerPixel)
            let isWhole = traits.heldScanCount > 0 || CostTable.isDecodedWhole(traits.format, octets: pixels)
            let held = CostTable.decoderOctets(traits, octetsPerPixel: Double(octetsPerPixel))
            let scans = Double(max(0, traits.heldScanCount - 1)) * CostTable.heldScan
            add(
                "decode \(traits.format.rawValue)",
                units: stored * (CostTable.decode(traits.format, shrink: shrink) + scans) * passes,
                octets: isWhole ? stored * held : 0)
        }
        guard plan.resized != plan.extract.size else { return }
        let share = area(plan.extract.size) / max(1, area(plan.source))
        add(
            "resize",
            units: (loaded * share * CostTable.resampleSource + area(plan.resized) * CostTable.resampleResult)
                * Double(frameCount),
            octets: area(plan.resized) * Double(octetsPerPixel))
    }

    /// Drawing at about the size that is asked for, up to that of `ImageLimits.wholePixelCount`.
    private mutating func draw(_ drawing: DrawingTraits, _ format: SourceFormat, _ plan: ImagePlan, stored: Double) {
        let factor = plan.resized == plan.extract.size ? 1 : max(plan.horizontalScale, plan.verticalScale)
        let pixels = min(stored * factor * factor, max(stored, CostTable.drawnPixelLimit))
        let squares = max(1, (pixels / (CostTable.drawnSquareSide * CostTable.drawnSquareSide)).rounded(.up))
        let pictures = Double(drawing.picturePixelCount)
        let units =
            pictures * CostTable.embeddedPixel
            + pixels
            * (CostTable.decode(format, shrink: 1) + Double(drawing.layerCount) * CostTable.drawnLayer
                + Double(drawing.filterCount) * CostTable.drawnFilter)
            + (Double(drawing.elementCount) * CostTable.drawnElement
                + drawing.lineLength * (2 * pixels).squareRoot() * CostTable.drawnLine) * squares
        // Surfaces of its own are held one inside another.
        let surfaces = 1 + Double(min(8, drawing.layerCount)) + Double(min(8, drawing.filterCount))
        add(
            "decode \(format.rawValue)", units: units * Double(frameCount),
            octets: pixels
                * CostTable.decoderOctets(SourceTraits(format: format, widthPx: 1, heightPx: 1), octetsPerPixel: 4)
                * surfaces + pictures * 8)
    }

    /// One step that costs `units` for each of the pixels of `size` in every frame.
    mutating func add(_ name: String, _ size: PixelSize, _ units: Double) {
        add(name, units: area(size) * units * Double(frameCount), octets: area(size) * Double(octetsPerPixel))
    }

    /// All encodings that may be tried; of a drawing WebP without loss too.
    mutating func encode(_ encoding: Encoding, _ size: PixelSize, isDrawing: Bool = false) {
        let pixels = area(size) * Double(frameCount)
        let trials = encoding.byteLimit != nil ? CostTable.byteLimitTrials : 1
        for format in encoding.formats {
            var units = CostTable.encode(format, encoding) * trials
            var octets = CostTable.encoderOctets(
                format, encoding, pixels: pixels, octetsPerPixel: Double(octetsPerPixel))
            if encoding.quality?.isAutomatic == true {
                units = units * 2 + CostTable.score
                octets += CostTable.scoreOctets(pixels: pixels)
            }
            if isDrawing, format == .webp, encoding.leavesWebPOpen {
                units += CostTable.encode(.webp, Encoding(formats: [.webp], isLossless: true))
            }
            add("encode \(format.rawValue)", units: pixels * units, octets: octets)
        }
    }

    private mutating func add(_ name: String, units: Double, octets: Double) {
        steps.append(PredictedCost.Step(name, nanoseconds: units * CostTable.unit, octets: octets))
    }

    private func area(_ size: PixelSize) -> Double { Double(size.widthPx) * Double(size.heightPx) }
}
