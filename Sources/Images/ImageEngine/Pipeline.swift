import Bytes
import CVips
import ImagePlan
import Parameters

/// The list of steps from a source to the pixels that are encoded.
struct Pipeline: ~Copyable {
    private let plan: ImagePlan
    private let traits: SourceTraits
    private let sources: RenderSources
    private let options: RenderOptions
    /// Samples of what is read per pixel of what was planned for.
    private let scale: GridScale
    private let shouldStop: @Sendable () -> Bool
    /// Which colors the steps work in.
    let colors: WorkingColors
    /// Whether samples come out as others than those of the source, although no step touches them.
    let changesColors: Bool
    /// What was done so far; of several frames, each step once with the time of all.
    private(set) var steps: [StepReport] = []
    /// By how much the loader shrank the source.
    private(set) var loadShrink = 1
    private var overlay: DrawnOverlay?
    private var stepIndex = 0
    private var opened: Source?

    /// Prepares to carry out `plan`. `shouldStop` is asked throughout, by this thread and by those of libvips.
    init(
        _ plan: ImagePlan, _ opened: consuming Source, _ sources: RenderSources, scale: GridScale = .one,
        options: RenderOptions, isNamed: Bool, shouldStop: @escaping @Sendable () -> Bool
    ) {
        self.plan = plan
        self.scale = scale
        self.sources = sources
        self.options = options
        self.shouldStop = shouldStop
        traits = opened.traits
        colors = WorkingColors(plan, source: opened.image, traits: opened.traits, isNamed: isNamed)
        changesColors = colors.changes(opened.image, of: traits)
        overlay = nil
        self.opened = .some(consume opened)
    }

    /// The finished pixels; of several frames or pages one tall picture. Memory: the result, and one frame at a time.
    mutating func run() throws(ImageError) -> VipsImage {
        let frames = try Frames(plan, sources.picture, traits, shouldStop: shouldStop)
        var image = try finished(frame: 0, of: frames)
        guard frames.count > 1 else { return image }
        // All frames have the bands of the first, but for those that a later one may need.
        if image.model == CVIPS_GREY { image = try image.inSRGB() }
        let isOpaque = plan.steps.contains { if case .flatten = $0 { true } else { false } }
        if traits.hasAlpha, !isOpaque, !image.hasAlpha { image = try image.withAlpha() }
        let first = try PixelBuffer(image, shouldStop: shouldStop)
        let height = first.size.heightPx.multipliedReportingOverflow(by: frames.count)
        guard !height.overflow else { throw .operationFailed(log: "too many frames") }
        let joined = try PixelBuffer(like: first, size: first.size, rowCount: height.partialValue)
        try joined.copy(first, toRow: 0)
        for index in 1..<frames.count {
            if shouldStop() { throw .cancelled }
            var frame = try finished(frame: index, of: frames)
            if frame.model == CVIPS_GREY { frame = try frame.inSRGB() }
            if joined.hasAlpha, !frame.hasAlpha { frame = try frame.withAlpha() }
            if !joined.hasAlpha, frame.hasAlpha { frame = try frame.flattened(on: .white) }
            try joined.copy(PixelBuffer(frame, shouldStop: shouldStop), toRow: index * first.size.heightPx)
        }
        return try joined.image()
    }

    /// How `image`, which `run` gave, is cut into frames or pages; nil where there is but one.
    func timing(of image: borrowing VipsImage) throws(ImageError) -> FrameTiming? {
        guard case .first(let count) = plan.pages else { return nil }
        let header = try Source.load(sources.picture, traits.format, page: 0, pageCount: traits.isAnimated ? count : 1)
        return FrameTiming(
            delaysMs: Array(header.delaysMs.prefix(count)), loopCount: header.loopCount,
            pageHeightPx: image.heightPx / max(1, count))
    }

    private mutating func finished(frame index: Int, of frames: borrowing Frames) throws(ImageError) -> VipsImage {
        stepIndex = 0
        let started = ContinuousClock.now
        var image = try decoded(frame: index, of: frames)
        note("decode \(traits.format.rawValue)", image, since: started)
        var filters: [ImageFilter] = []
        for (position, step) in plan.steps.enumerated() {
            let started = ContinuousClock.now
            switch step {
            case .extract, .resize, .crop: continue
            case .filter(let filter):
                // Filters that follow each other are handed over together: those of one pixel become one pass.
                filters.append(filter)
                if position + 1 < plan.steps.count, case .filter = plan.steps[position + 1] { continue }
                image = try Filters.apply(filters, to: image, shouldStop: shouldStop)
                note("filter \(filters.map(\.canonical).joined(separator: ","))", image, since: started)
                filters = []
            default:
                image = try apply(step, to: image)
                note(step.name, image, since: started)
            }
        }
        if image.hasAlpha, !plan.encoding.formats.contains(where: \.holdsAlpha) {
            image = try image.flattened(on: .white)
        }
        return image
    }

    private mutating func note(_ name: String, _ image: borrowing VipsImage, since started: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - started
        defer { stepIndex += 1 }
        guard stepIndex == steps.count else {
            steps[stepIndex].duration += duration
            return
        }
        let data = image.widthPx * image.heightPx * image.bands * (image.is16Bit ? 2 : 1)
        steps.append(
            StepReport(
                name, widthPx: image.widthPx, heightPx: image.heightPx, duration: duration, byteCount: data))
    }

    /// The leading steps are one walk over the source: what is cut off after resizing is never computed.
    private mutating func decoded(frame index: Int, of frames: borrowing Frames) throws(ImageError) -> VipsImage {
        if colors.is16Bit {
            let frame = try frames.frame(index).in16Bits()
            return try colors.applied(to: Decoding.resizedIn16Bits(frame, plan: plan, shouldStop: shouldStop))
        }
        if plan.resized == plan.extract.size, traits.format != .jpeg {
            // Weighing alpha in and out again would cost a level here and there.
            let image = try Decoding.cut(frames.frame(index), plan: plan, shouldStop: shouldStop)
            return try colors.applied(to: image)
        }
        if traits.format == .pdf || traits.format == .svg {
            return try colors.applied(to: drawn(frame: index, of: frames))
        }
        guard frames.count == 1, plan.pages == .one(0), let opened = opened.take() else {
            let image = try Decoding.resized(
                frames.frame(index), plan, options: options, shouldStop: shouldStop)
            return try colors.applied(to: image)
        }
        let resized = try Decoding.resized(
            opened, sources.picture, plan, scale: scale, options: options, shouldStop: shouldStop)
        loadShrink = resized.loadShrink
        return try colors.applied(to: resized.image)
    }

    /// A drawing is drawn at about the size that is asked for: sharp where it grows, and no more work than that where it
    /// shrinks. Never at more pixels than a picture that is decoded as a whole may have: nobody can be asked whether to stop
    /// while a piece of it is drawn.
    private func drawn(frame index: Int, of frames: borrowing Frames) throws(ImageError) -> VipsImage {
        let factor = options.limits.drawingScale(
            wanted: max(plan.horizontalScale, plan.verticalScale), widthPx: traits.widthPx, heightPx: traits.heightPx)
        let image = try frames.frame(index, scale: factor)
        let grid = GridScale(
            across: Double(image.widthPx) / Double(traits.widthPx),
            down: Double(image.heightPx) / Double(traits.heightPx))
        return try Decoding.resized(image, plan, scale: grid, options: options, shouldStop: shouldStop)
    }

    private mutating func apply(_ step: ImageStep, to image: consuming VipsImage) throws(ImageError) -> VipsImage {
        switch step {
        case .extract, .resize, .crop, .filter: return image
        case .orient(let orientation): return try image.oriented(orientation)
        case .pad(let canvas, let x, let y, let background):
            let image = try image.holding(background)
            let ink = try colors.ink(background, for: image).map { Double($0) * image.fullLevel }
            return try image.padded(to: canvas, x: x, y: y, background: ink)
        case .rotate(let degrees, let canvas, let background):
            let image = try image.holding(background)
            let ink = try colors.ink(background, for: image)
            return try image.turned(degrees: degrees, canvas: canvas, background: ink, shouldStop: shouldStop)
        case .overlay(let overlay): return try laid(overlay, on: image)
        case .mask(let outline): return try image.masked(by: outline, shouldStop: shouldStop)
        case .flatten(let color):
            guard image.hasAlpha else { return image }
            let image = image.model == CVIPS_GREY && !color.isGrey ? try image.inSRGB() : image
            return try image.flattened(on: colors.ink(color, for: image.withoutAlpha()).map { Double($0) * 255 })
        }
    }

    private mutating func laid(_ step: Overlay, on image: consuming VipsImage) throws(ImageError) -> VipsImage {
        guard let bytes = sources.overlay else { throw .operationFailed(log: "the overlay is missing") }
        if overlay == nil {
            overlay = try DrawnOverlay.make(
                step, bytes, on: image.size, is16Bit: image.is16Bit, colors: colors, options: options,
                shouldStop: shouldStop)
        }
        switch overlay {
        case .some(let overlay): return try overlay.laid(on: image, shouldStop: shouldStop)
        case .none: return image
        }
    }
}

extension VipsImage {
    /// With the bands that it takes to show `color`: those of RGB where it has a hue, alpha where something shows through.
    consuming func holding(_ color: Color) throws(ImageError) -> VipsImage {
        var image = consume self
        if image.model == CVIPS_GREY, !color.isGrey { image = try image.inSRGB() }
        if !color.isOpaque, !image.hasAlpha { image = try image.withAlpha() }
        return image
    }
}

extension ImageStep {
    /// What `explain` calls it.
    var name: String {
        switch self {
        case .extract: "extract"
        case .resize: "resize"
        case .crop: "crop"
        case .orient(let orientation):
            "orient\(orientation.isMirrored ? " mirrored" : "") \(orientation.quarterTurns * 90)"
        case .pad: "pad"
        case .rotate(let degrees, _, _): "rotate \(degrees)"
        case .filter: "filter"
        case .overlay: "overlay"
        case .mask: "mask"
        case .flatten: "flatten"
        }
    }
}
