import Bytes

/// Sums up the costs of steps; saturates, because a header may claim anything.
struct CostTally {
    let frameCount: Int
    let bytesPerPixel: Int
    var steps: [PredictedCost.Step] = []

    mutating func decode(_ plan: ImagePlan, _ header: ImageHeader, inLinearLight isLinear: Bool) {
        let stored = Double(header.widthPx) * Double(header.heightPx)
        let limit = plan.loadShrinkLimit * (stored / max(1, Self.area(plan.source))).squareRoot()
        let shrink = [8, 4, 2].first { header.format == .jpeg && !isLinear && limit >= Double($0) * 2 } ?? 1
        let loaded = stored / Double(shrink * shrink)
        // Frames need those before them, so a later page costs those too.
        var passes = Double(frameCount)
        if case .one(let index) = plan.pages, header.isAnimated { passes += Double(index) }
        if let drawing = header.drawing {
            draw(drawing, header.format, plan, stored: stored)
        } else {
            let pixels = stored * Double(bytesPerPixel)
            let decoded = max(stored, Double(header.partPixelCount))
            let isWhole = header.heldScanCount > 0 || CostTable.isDecodedWhole(header.format, bytes: pixels)
            let held = CostTable.decoderBytes(header, bytesPerPixel: Double(bytesPerPixel))
            let scans = Double(max(0, header.heldScanCount - 1)) * CostTable.heldScan
            let pages = header.format == .tiff || header.isAnimated ? passes : 0
            let directories =
                header.format == .tiff
                ? Double(header.pageCount) * CostTable.passedDirectory
                    + CostTable.directory(entryCount: header.entryCount)
                : 0
            add(
                "decode \(header.format.rawValue)",
                units: decoded * (CostTable.decode(header.format, shrink: shrink) + scans) * passes
                    * CostTable.unpacking(header)
                    + pages * (CostTable.decodePage(header.format) + directories),
                bytes: (isWhole ? decoded * held : 0) + Double(header.heldByteCount))
        }
        guard plan.resized != plan.extract.size else { return }
        let share = Self.area(plan.extract.size) / max(1, Self.area(plan.source))
        var (source, held) = (CostTable.resampleSource, 0.0)
        if header.bitDepth == 16, plan.encoding.mayHold16Bits {
            let samples = header.hasAlpha ? 4.0 : 3
            let light = isLinear && plan.loadShrinkLimit > 1 ? CostTable.resampleWideLight : 0
            source = samples * (CostTable.resampleWide + light)
            held =
                4 * samples * Double(plan.extract.widthPx)
                * min(Double(plan.extract.heightPx), CostTable.resampledWideRows)
        }
        add(
            "resize",
            units: (loaded * share * source + Self.area(plan.resized) * CostTable.resampleResult)
                * Double(frameCount),
            bytes: Self.area(plan.resized) * Double(bytesPerPixel) + held)
    }

    /// Drawing at about the requested size, at most `ImageLimits.wholePixelCount`.
    private mutating func draw(_ drawing: DrawingComplexity, _ format: SourceFormat, _ plan: ImagePlan, stored: Double)
    {
        let density = (Self.area(plan.source) / max(1, stored)).squareRoot()
        let factor = density * (plan.resized == plan.extract.size ? 1 : max(plan.horizontalScale, plan.verticalScale))
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
        // Layers are held one inside another.
        let surfaces = 1 + Double(min(8, drawing.layerCount)) + Double(min(8, drawing.filterCount))
        add(
            "decode \(format.rawValue)", units: units * Double(frameCount),
            bytes: pixels
                * CostTable.decoderBytes(ImageHeader(format: format, widthPx: 1, heightPx: 1), bytesPerPixel: 4)
                * surfaces + pictures * 8 + Double(drawing.heldByteCount))
    }

    /// Adds a step that costs `units` per pixel of `size` in every frame.
    mutating func add(_ name: String, _ size: PixelSize, _ units: Double) {
        add(name, units: Self.area(size) * units * Double(frameCount), bytes: Self.area(size) * Double(bytesPerPixel))
    }

    /// Adds reducing the image and enlarging it to the canvas, on which it is laid; both are held, and a copy of each.
    mutating func surround(_ size: PixelSize, on canvas: PixelSize) {
        let units =
            Self.area(size) * (CostTable.resampleSource + 2 * CostTable.copy)
            + Self.area(canvas) * (CostTable.resampleResult + CostTable.copy)
        add(
            "surround", units: units * Double(frameCount),
            bytes: 2 * (Self.area(size) + Self.area(canvas)) * Double(bytesPerPixel))
    }

    /// Adds an overlay, the `count`th of the image. All of them are held until the last is drawn; one that is turned or tiled also
    /// as it was before, at up to twice the size of the image. A text is drawn whole, also what juts out of the image.
    mutating func lay(_ overlay: Overlay, on size: PixelSize, count: Int) {
        let area = Self.area(size)
        var units = area * CostTable.overlay * Double(frameCount)
        if overlay.isTransformed { units += area * CostTable.turn }
        if let text = overlay.text {
            units += area * CostTable.text + Double(text.words.unicodeScalars.count) * CostTable.character
        }
        let held = Double(count) + (overlay.isTransformed ? 2 : 0)
        var bytes = area * Double(bytesPerPixel) * held
        if let text = overlay.text {
            let beyond = max(0, TextMeasures(text, on: size).pixelCount - area)
            units += beyond * (CostTable.overlay + CostTable.text)
            bytes += beyond * CostTable.textBytes
        }
        add(overlay.text == nil ? "overlay" : "text", units: units, bytes: bytes)
    }

    /// Adds reading a gain map and writing it at another size.
    mutating func convey(_ map: GainMapHeader, at size: PixelSize) {
        let stored = Self.area(map.size)
        let bands = map.isColor ? 3.0 : 1
        let scans = 1 + Double(max(0, map.heldScanCount - 1)) * CostTable.heldScan
        let encoded = CostTable.encode(.jpeg, isLossless: false, hasAlpha: false, Encoding(formats: [.jpeg]))
        add(
            "gain map",
            units: stored * (scans + CostTable.resampleSource)
                + Self.area(size) * (CostTable.resampleResult + CostTable.copy + encoded),
            bytes: (map.heldScanCount > 0 ? stored * 2 * bands : 0) + Self.area(size) * 2 * bands)
    }

    /// Adds decoding a small copy of the first page, the reference of a score search.
    mutating func decodeReference(_ header: ImageHeader) {
        let whole = header.size
        let share = (Double(EncodingSearch.referencePixelCount) / max(1, Self.area(whole))).squareRoot()
        func side(_ count: Int) -> Int {
            Int(held: Double(count) * min(1, share), in: 1...EncodingSearch.referencePixelCount)
        }
        let small = PixelSize(widthPx: side(whole.widthPx), heightPx: side(whole.heightPx))
        var first = CostTally(frameCount: 1, bytesPerPixel: bytesPerPixel)
        let plan = ImagePlan(source: whole, steps: [.resize(small)], output: small, encoding: Encoding(formats: []))
        first.decode(plan, header, inLinearLight: false)
        steps += first.steps
    }

    mutating func encode(_ cost: EncodingCost) {
        for step in cost.steps { add(step.name, units: step.units, bytes: step.bytes) }
    }

    private mutating func add(_ name: String, units: Double, bytes: Double) {
        steps.append(PredictedCost.Step(name, nanoseconds: units * CostTable.unit, bytes: bytes))
    }

    static func area(_ size: PixelSize) -> Double { Double(size.widthPx) * Double(size.heightPx) }
}
