import Bytes

/// The most that encoding an image costs, by what is known before its pixels.
struct EncodingCost {
    struct Candidate {
        let format: OutputFormat
        let isLossless: Bool

        var name: String { isLossless && !format.isAlwaysLossless ? "\(format.rawValue) lossless" : format.rawValue }
    }

    struct Step {
        let name: String
        let units: Double
        let bytes: Double
    }

    let encoding: Encoding
    let framePixels: Double
    let frameCount: Int
    let bytesPerPixel: Double
    /// Then it is scored on two grounds.
    let mayHaveAlpha: Bool
    let sourcePixels: Double
    let triesExactWebP: Bool
    /// Whether lossless WebP may be the answer, as far as is known.
    let writesExactWebP: Bool

    private var pixels: Double { framePixels * Double(frameCount) }
    private var isSmall: Bool { pixels <= Double(EncodingSearch.smallPixelCount) }
    private var trials: Double {
        Double(EncodingSearch.trialLimit(pixelCount: Int(held: pixels, in: 0...1_000_000_000_000)))
    }
    private var seeksScore: Bool { encoding.quality?.isAutomatic == true }

    /// How often a small copy of the source is decoded and searched: once per format written at a score.
    var referenceCount: Int {
        let lossy = candidates.count { !$0.isLossless }
        return seeksScore ? (encodesAll ? lossy : min(1, lossy)) : 0
    }

    private var candidates: [Candidate] {
        let named = encoding.formats.map {
            Candidate(format: $0, isLossless: encoding.isLossless || $0.isAlwaysLossless)
        }
        return triesExactWebP ? named + [Candidate(format: .webp, isLossless: true)] : named
    }

    /// With a byte limit candidates are tried until one fits.
    private var encodesAll: Bool { isSmall || encoding.byteLimit != nil }

    /// All encodings. For larger images the candidates are tried on a sample, and only the best is encoded.
    var steps: [Step] {
        let open = candidates
        let whole = open.filter { $0.format != .webp || !$0.isLossless || encoding.isLossless || writesExactWebP }
        let full = whole.map(step)
        guard !encodesAll, open.count > 1 else { return full }
        let dearest = full.max { $0.units < $1.units }
        let bytes = full.reduce(0) { max($0, $1.bytes) }
        let sample = EncodingSearch.sampleSize
        let samplePixels = min(framePixels, Double(sample.widthPx * sample.heightPx))
        let trial = open.reduce(0) { $0 + samplePixels * units($1) }
        return dearest.map { [Step(name: $0.name, units: $0.units + trial, bytes: bytes)] } ?? []
    }

    private func step(_ candidate: Candidate) -> Step {
        var units = once(candidate)
        if encoding.colorCount != nil { units += CostTable.quantizeOnce }
        var bytes = bytes(candidate, pixels: pixels)
        guard !candidate.isLossless else { return Step(name: "encode \(candidate.name)", units: units, bytes: bytes) }
        var count = 1.0
        if seeksScore {
            // An unsuccessful search encodes its best again; the image itself is analysed as well.
            count = trials + 1
            let seen = framePixels * sightCount
            let reference = min(sourcePixels, Double(EncodingSearch.referencePixelCount))
            let thorough = Double(EncodingSearch.trialLimit)
            let look = seen * CostTable.score + decodedFrames * CostTable.decode(.webp, shrink: 1)
            units = units * count + (count + 1) * look
            units += reference * (thorough * self.units(candidate) + (thorough + 1) * CostTable.score * groundCount)
            bytes += CostTable.scoreBytes(pixels: framePixels, sightCount: sightCount)
        }
        if encoding.byteLimit != nil {
            units += trials * once(candidate)
            count += trials
        }
        // One trial is kept while the next is made.
        if count > 1 { bytes += pixels }
        return Step(name: "encode \(candidate.name)", units: units, bytes: bytes)
    }

    /// Of all frames.
    private func once(_ candidate: Candidate) -> Double {
        pixels * units(candidate) + Double(frameCount) * CostTable.encodeFrame(candidate.format)
    }

    /// Of a pixel.
    private func units(_ candidate: Candidate) -> Double {
        var units = CostTable.encode(
            candidate.format, isLossless: candidate.isLossless, hasAlpha: mayHaveAlpha, encoding)
        // More than four bytes: samples of 16 bits.
        if bytesPerPixel > 4, encoding.mayHold16Bits { units *= CostTable.wideSample }
        let isTriedAsFlat = candidate.format == .webp && candidate.isLossless && !encoding.isLossless
        return isTriedAsFlat ? units * CostTable.flatShare : units
    }

    private func bytes(_ candidate: Candidate, pixels: Double) -> Double {
        let own = CostTable.encoderBytes(
            candidate.format, isLossless: candidate.isLossless, encoding, pixels: pixels, bytesPerPixel: bytesPerPixel)
        // Pages are joined before they are written. The first is that of the step before.
        return candidate.format == .tiff ? own + (pixels - framePixels) * bytesPerPixel : own
    }

    private var groundCount: Double { mayHaveAlpha ? 2 : 1 }

    /// Scored views: the first, middle and last frame on each ground.
    private var sightCount: Double { Double(min(3, frameCount)) * groundCount }
    private var decodedFrames: Double { frameCount > 1 ? 1.5 * pixels * groundCount : 0 }
}
