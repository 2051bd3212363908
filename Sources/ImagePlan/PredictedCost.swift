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

        private static func whole(_ number: Double) -> Int { Int(min(1e15, max(0, number.rounded(.up)))) }
    }

    /// The steps in order.
    package let steps: [Step]
    /// Frames or pages that the steps are carried out on.
    package let frameCount: Int

    /// CPU time of one core for everything.
    package var microseconds: Int { steps.reduce(0) { $0 + $1.microseconds } }

    /// The most octets that are held at a time: a step's own and those of the one before it.
    package let byteCount: Int

    /// The cost of `steps`, which follow each other and are carried out on `frameCount` frames.
    package init(steps: [Step], frameCount: Int) {
        self.steps = steps
        self.frameCount = frameCount
        let before = [Step("", nanoseconds: 0, octets: 0)] + steps
        byteCount = zip(steps, before).map { $0.byteCount + $1.byteCount }.max() ?? 0
    }

    private init(_ earlier: PredictedCost, _ later: PredictedCost) {
        steps = earlier.steps + later.steps
        frameCount = max(earlier.frameCount, later.frameCount)
        byteCount = max(earlier.byteCount, later.byteCount)
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
        return PredictedCost(steps: tally.steps, frameCount: frames)
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
        let pixels = stored * Double(octetsPerPixel)
        let whole = CostTable.isDecodedWhole(traits.format, octets: pixels) ? pixels : 0
        add(
            "decode \(traits.format.rawValue)",
            units: stored * CostTable.decode(traits.format, shrink: shrink) * passes,
            octets: whole)
        guard plan.resized != plan.extract.size else { return }
        let share = area(plan.extract.size) / max(1, area(plan.source))
        add(
            "resize",
            units: (loaded * share * CostTable.resampleSource + area(plan.resized) * CostTable.resampleResult)
                * Double(frameCount),
            octets: area(plan.resized) * Double(octetsPerPixel))
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
            if encoding.quality?.isAutomatic == true { units = units * 2 + CostTable.score }
            if isDrawing, format == .webp, encoding.leavesWebPOpen {
                units += CostTable.encode(.webp, Encoding(formats: [.webp], isLossless: true))
            }
            add("encode \(format.rawValue)", units: pixels * units, octets: pixels * CostTable.encoderOctets(format))
        }
    }

    private mutating func add(_ name: String, units: Double, octets: Double) {
        steps.append(PredictedCost.Step(name, nanoseconds: units * CostTable.unit, octets: octets))
    }

    private func area(_ size: PixelSize) -> Double { Double(size.widthPx) * Double(size.heightPx) }
}
