import CVips
import Colors
import ImagePlan

/// Decodes a source and applies a list of stages, frame by frame.
struct Pipeline: ~Copyable {
    private let plan: ImagePlan
    private let context: RenderContext
    let colors: WorkingColors
    /// Whether samples differ from those of the source although no step touches them.
    let changesColors: Bool
    let isWorthMaster: Bool
    let metadata: ImageMetadata
    private let sources: RenderSources
    /// The steps so far; for several frames each step once, with its total time.
    private(set) var steps: [StepReport] = []
    private(set) var loadShrink = 1
    private let header: ImageHeader
    /// The size of the image that is read relative to the planned one.
    private let scale: GridScale
    private let window: RegionWindow?
    private var opened: Source?
    private var work: StageWork
    private var stepIndex = 0

    /// `isNamed`: the request names the format.
    init(_ planned: PlannedImage, _ source: consuming Source, isNamed: Bool, in context: RenderContext) {
        let (header, plan) = (planned.header, planned.plan)
        // Everything is computed before the first assignment: Swift 6.2 frees parts twice in an initialiser that reads
        // its own properties and consumes a noncopyable value.
        let colors = WorkingColors(plan, source: source.image, header: header, isNamed: isNamed)
        let changesColors = colors.changes(source.image, of: header)
        let isWorthMaster = planned.used.header != nil || Master.isWorthwhile(header, model: source.image.model)
        let metadata = ImageMetadata(
            of: source.image, in: planned.sources.picture, header.format, policy: plan.encoding.metadata)
        self.plan = plan
        self.context = context
        self.colors = colors
        self.changesColors = changesColors
        self.isWorthMaster = isWorthMaster
        self.metadata = metadata
        sources = planned.used.sources
        work = StageWork(colors: colors, sources: planned.used.sources, context: context)
        scale = planned.used.scale
        window = planned.used.window
        self.header = header
        opened = .some(consume source)
    }

    /// The finished pixels; frames or pages are stacked in one image. Memory: the result, and one frame at a time.
    mutating func run(_ stages: [any PixelStage.Type]) throws(ImageError) -> VipsImage {
        let frames = try Frames(plan, sources.picture, header, in: context)
        var image = try finished(frame: 0, of: frames, stages)
        guard frames.count > 1 else { return image }
        // All frames get the bands of the first, and those that a later one may need.
        if image.model == CVIPS_GREY { image = try image.inSRGB() }
        if header.hasAlpha, FlattenStage(plan) == nil, !image.hasAlpha { image = try image.withAlpha() }
        let first = try PixelBuffer(image, in: context)
        let height = first.size.heightPx.multipliedReportingOverflow(by: frames.count)
        guard !height.overflow else { throw .operationFailed(log: "too many frames") }
        let joined = try PixelBuffer(like: first, size: first.size, rowCount: height.partialValue)
        try joined.copy(first, toRow: 0)
        for index in 1..<frames.count {
            try context.checkStop()
            var frame = try finished(frame: index, of: frames, stages)
            if frame.model == CVIPS_GREY { frame = try frame.inSRGB() }
            if joined.hasAlpha, !frame.hasAlpha { frame = try frame.withAlpha() }
            if !joined.hasAlpha, frame.hasAlpha { frame = try frame.flattened(on: .white) }
            try joined.copy(PixelBuffer(frame, in: context), toRow: index * first.size.heightPx)
        }
        return try joined.image()
    }

    /// Whether `run` gives `pixels` too, which are those of `other`, whose plan asks for another encoding.
    borrowing func gives(_ pixels: borrowing VipsImage, of other: borrowing Pipeline) -> Bool {
        let encoding = other.plan.encoding
        guard plan.encoding.holdsAlpha == encoding.holdsAlpha || encoding.holdsAlpha && !pixels.hasAlpha else {
            return false
        }
        return
            plan.source == other.plan.source && plan.pages == other.plan.pages && plan.omission == other.plan.omission
            && plan.steps == other.plan.steps && plan.encoding.wantsExactPixels == encoding.wantsExactPixels
            && colors == other.colors
            && changesColors == other.changesColors
    }

    /// Reports the work of `other`, whose pixels are encoded.
    mutating func report(asIn other: borrowing Pipeline) { (steps, loadShrink) = (other.steps, other.loadShrink) }

    /// The frames or pages in `image`, the result of `run`; nil for a single one.
    func timing(of image: borrowing VipsImage) throws(ImageError) -> FrameTiming? {
        guard case .first(let count) = plan.pages else { return nil }
        let loaded = try Source.load(sources.picture, header.format, pageCount: header.isAnimated ? count : 1)
        return FrameTiming(
            delaysMs: Array(loaded.delaysMs.prefix(count)), loopCount: loaded.loopCount,
            pageHeightPx: image.heightPx / max(1, count))
    }

    private mutating func finished(
        frame index: Int, of frames: borrowing Frames, _ stages: [any PixelStage.Type]
    ) throws(ImageError) -> VipsImage {
        stepIndex = 0
        var started = ContinuousClock.now
        var image = try colors.applied(to: decoded(frame: index, of: frames))
        note("decode \(header.format.rawValue)", image, since: started)
        for stage in stages {
            guard let stage = stage.init(plan) else { continue }
            started = ContinuousClock.now
            image = try stage.apply(to: image, in: &work)
            note(stage.name, image, since: started)
        }
        if image.hasAlpha, !plan.encoding.holdsAlpha { image = try image.flattened(on: .white) }
        return image
    }

    private mutating func note(_ name: String, _ image: borrowing VipsImage, since started: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - started
        defer { stepIndex += 1 }
        guard stepIndex == steps.count else { return steps[stepIndex].duration += duration }
        steps.append(
            StepReport(
                name: name, size: image.size, duration: duration,
                byteCount: image.widthPx * image.heightPx * image.bands * (image.is16Bit ? 2 : 1)))
    }

    /// Extract, resize and crop in one pass over the source: pixels that are cropped away are never computed.
    private mutating func decoded(frame index: Int, of frames: borrowing Frames) throws(ImageError) -> VipsImage {
        if colors.is16Bit {
            return try Decoding.resizedIn16Bits(frames.frame(index).in16Bits(), plan: plan, in: context)
        }
        if plan.resized == plan.extract.size, plan.source == header.size, header.format != .jpeg {
            // Premultiplying alpha and back would change some levels.
            return try Decoding.cut(frames.frame(index), plan: plan, in: context)
        }
        if header.format.isDrawing { return try drawn(frame: index, of: frames) }
        guard frames.count == 1, plan.pages == .one(0), let opened = opened.take() else {
            return try Decoding.resized(frames.frame(index), plan, in: context)
        }
        let resized = try Decoding.resized(opened, sources.picture, plan, scale: scale, window: window, in: context)
        loadShrink = resized.loadShrink
        return resized.image
    }

    /// At about the requested size, but no more pixels than `wholePixelCount`: drawing a piece cannot be stopped.
    private func drawn(frame index: Int, of frames: borrowing Frames) throws(ImageError) -> VipsImage {
        let density = GridScale(of: plan.source, per: header.size)
        let factor = context.options.limits.drawingScale(
            wanted: max(plan.horizontalScale * density.across, plan.verticalScale * density.down),
            widthPx: header.widthPx, heightPx: header.heightPx)
        let image = try frames.frame(index, scale: factor)
        let scale = GridScale(of: image.size, per: plan.source)
        return try Decoding.resized(image, plan, scale: scale, in: context)
    }
}

extension Encoding {
    fileprivate var holdsAlpha: Bool { formats.contains(where: \.holdsAlpha) }

    /// Whether decoding may not trade levels for time.
    var wantsExactPixels: Bool { isLossless || formats.allSatisfy(\.isAlwaysLossless) }
}
