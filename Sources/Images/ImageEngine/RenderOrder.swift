import Bytes
import ImagePlan

struct RenderOrder {
    /// Drawings are unpacked by `open`.
    private(set) var sources: RenderSources
    let request: ImageRequest
    let accepting: Acceptance
    private(set) var master: Master?
    private var window: RegionWindow?

    init(sources: RenderSources, request: ImageRequest, accepting: Acceptance) {
        (self.sources, self.request, self.accepting) = (sources, request, accepting)
    }

    /// Unpacks drawings and reads the header of the source, of its master, or of a part of it.
    mutating func open(in context: RenderContext) throws(ImageError) -> Source {
        for index in sources.overlays.indices {
            sources.overlays[index] = try CompressedSVG.unpacked(sources.overlays[index])
        }
        if let bytes = sources.master, RegionPart.isOne(bytes) {
            let part = try RegionPart(bytes)
            sources.picture = part.jpeg
            sources.master = nil
            window = part.window
            return try part.opened()
        }
        if try readMaster() != nil, let master { return try master.opened() }
        sources.picture = try CompressedSVG.unpacked(sources.picture)
        return try Source(sources.picture, in: context)
            .at(page: request.page, of: sources.picture, limits: context.options.limits)
    }

    /// The header of the original by its master; nil without one. No library reads anything.
    mutating func readMaster() throws(ImageError) -> ImageHeader? {
        guard let bytes = sources.master, !RegionPart.isOne(bytes) else { return nil }
        let master = try Master(bytes)
        self.master = master
        return master.header
    }

    func plan(
        _ header: ImageHeader, opening: RenderContext, in context: RenderContext
    ) throws(ImageError) -> PlannedImage {
        let byteCount = sources.picture.count
        var (analysis, analysisCost, steps): (AnalysisResults, PredictedCost?, [StepReport]) = ([:], nil, [])
        while true {
            switch try planning(for: header, analysis, context.options) {
            case .plan(let plan):
                var used = try sources.used(for: plan, by: master)
                if let window {
                    guard window.covers(plan.extract), RegionCopy.suits(plan, context.options),
                        Master.levelSize(for: plan, of: header) == nil,
                        window.planes == nil || Decoding.loadShrink(limit: plan.loadShrinkLimit) > 1
                    else { throw .needsOriginal }
                    used.window = window
                }
                let picture = sources.picture
                return PlannedImage(
                    plan: plan, header: header.countingDirectories(of: plan.pages, in: picture.span),
                    sources: sources, used: used, options: context.options, analysis: analysis,
                    analysisSteps: steps, analysisCost: analysisCost, overlayCost: try overlayCost(plan, in: opening))
            case .ask(let query):
                guard window == nil else { throw .needsOriginal }
                guard analysis[query] == nil else { throw .operationFailed(log: "a query was made twice") }
                if let known = sources.analysis[query] {
                    analysis[query] = known
                    continue
                }
                let started = ContinuousClock.now
                var asking = context
                asking.admission = { [earlier = analysisCost] cost in
                    let all = cost.following(earlier)
                    let admission = context.admission(all.holding(byteCount))
                    if admission == .now { analysisCost = all }
                    return admission
                }
                let looked = PixelAnalysis(
                    bytes: sources.picture, header: header, master: master, page: (request.page ?? 1) - 1,
                    context: asking)
                analysis[query] = try looked.result(of: query)
                steps.append(StepReport(name: query.name, size: header.size, duration: ContinuousClock.now - started))
            }
        }
    }

    private func planning(
        for header: ImageHeader, _ analysis: AnalysisResults, _ options: RenderOptions
    ) throws(ImageError) -> Planning {
        do {
            return try request.planning(for: header, accepting: accepting, analysis: analysis, limits: options.results)
        } catch {
            throw .plan(error)
        }
    }

    /// Of decoding each overlay, one after the other.
    private func overlayCost(_ plan: ImagePlan, in context: RenderContext) throws(ImageError) -> PredictedCost? {
        guard OverlayStage(plan) != nil else { return nil }
        var cost: PredictedCost?
        for overlay in sources.overlays {
            let header = try Source(overlay, in: context).header
            let whole = ImagePlan(source: header.size, steps: [], output: header.size, encoding: Encoding(formats: []))
            cost = whole.predictedCost(header).following(cost)
        }
        return cost
    }

    func encode(
        _ image: consuming VipsImage, _ planned: PlannedImage, _ pipeline: borrowing Pipeline, watch: inout StageWatch,
        in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        let plan = planned.plan
        var report = RenderReport(header: planned.header, plan: plan, cost: planned.cost())
        report.isWorthMaster = pipeline.isWorthMaster
        report.level = planned.used.header?.size
        report.part = planned.used.window?.rect.size
        report.usesSamples = planned.used.window?.planes != nil
        report.levelByteCount = planned.used.header.map { _ in planned.used.sources.picture.count }
        report.analysis = planned.analysis
        report.loadShrink = pipeline.loadShrink
        report.steps = planned.analysisSteps + pipeline.steps
        report.processDuration = pipeline.steps.dropFirst().reduce(.zero) { $0 + $1.duration }
        var map = GainMapStep(planned, master, changesColors: pipeline.changesColors)
        try map.reserve(in: context)
        let encoding = EncodingContext(
            plan: plan, header: planned.used.header ?? planned.header, source: planned.used.sources.picture,
            settings: EncoderSettings(
                colorCount: plan.encoding.colorCount, isLossless: plan.encoding.isLossless,
                isProgressive: plan.encoding.isProgressive, isQuick: plan.encoding.isQuick,
                effort: plan.encoding.effort, metadata: pipeline.metadata,
                profile: try pipeline.colors.profile(for: image), frames: try pipeline.timing(of: image)),
            changesColors: pipeline.changesColors, reservedByteCount: map.reservedByteCount,
            memo: sources.qualityMemo, render: context)
        var cost = planned.cost()
        let encoded = try Encoder.encode(image, encoding, report: &report) { () throws(ImageError) in
            cost = planned.cost(writesExactWebP: true)
            try context.admit(cost)
        }
        report.cost = cost
        let content = try map.joined(to: encoded, report: &report, in: context)
        return RenderedImage(
            content: content, widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx,
            format: encoded.format, quality: encoded.quality, score: encoded.score, frameCount: plan.pages.count,
            omission: plan.omission, isOriginal: encoded.isOriginal, report: report, openDuration: watch.open,
            decodeDuration: watch.decode, encodeDuration: watch.lap())
    }
}

struct StageWatch {
    var open = Duration.zero
    var decode = Duration.zero
    private var last = ContinuousClock.now

    mutating func lap() -> Duration {
        let now = ContinuousClock.now
        defer { last = now }
        return now - last
    }
}

extension PixelQuery {
    fileprivate var name: String {
        switch self {
        case .trim(let tolerance, _): "look for borders \(tolerance)"
        case .focus(let interest, _, _): "look for \(interest.rawValue)"
        }
    }
}
