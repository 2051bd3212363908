package import Bytes
import CVips
import Parameters
package import ImagePlan

/// A picture that was asked for.
package struct RenderedImage: Sendable {
    package let content: SharedBytes
    /// Columns of one frame.
    package let widthPx: Int
    /// Rows of one frame.
    package let heightPx: Int
    /// How it is encoded.
    package let format: OutputFormat
    /// The quality that was used; nil where the format or the request is without loss.
    package var quality: Int?
    /// SSIMULACRA2 of the result against the pixels before encoding, where `quality=auto` asked for one.
    package var score: Double?
    /// Frames or pages of the result.
    package var frameCount = 1
    /// Why frames are missing that were asked for.
    package var omission: PageOmission?
    /// Whether the bytes are those of the source, but for its metadata.
    package var isOriginal = false
    /// How it came about.
    package var report: RenderReport
    /// Reading the header and planning.
    package let openDuration: Duration
    /// Decoding, which goes hand in hand with resampling, then turning and the filters that look at neighbours.
    package let decodeDuration: Duration
    /// Encoding, and what was left lazy: color and the filters that look at one pixel.
    package let encodeDuration: Duration
}

extension ImageEngine {
    /// Carries out `request` on `source`.
    ///
    /// Where `sources` have a master, it is used, or `needsOriginal` is thrown: what a picture is made from follows from the
    /// request and the source alone.
    ///
    /// `admit` is asked before the text of a drawing is counted and parsed, then when the cost is known, before decoding: where planning has to look at pixels, first for what that
    /// costs and then for all of it; once more, before encoding, where the pixels tell that WebP is to be written without loss.
    ///
    /// Errors: those of `probe`, `plan` when the request does not fit the picture, `corrupt` when the source breaks off,
    /// `cancelled` when `shouldStop` said so: it is asked every few rows of decoding, filtering and encoding, on this
    /// thread and on threads of libvips, so it must be quick. Not inside the decoders of AVIF, HEIC and WebP, nor of a
    /// progressive JPEG that libvips reads (at full size, or of ink), a piece of a drawing, nor inside the AVIF encoder.
    package static func render(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, options: RenderOptions,
        admit: (PredictedCost) -> Admission = Admission.always, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> RenderedImage {
        do {
            return try rendered(
                sources, request: request, accepting: accepting, options: options, admitReading: admit, admit: admit,
                shouldStop: shouldStop)
        } catch {
            throw error.unless(shouldStop)
        }
    }

    /// What `render` of the same will cost, by the header of its source: nothing is decoded but what planning looks at.
    ///
    /// `admitReading` is asked before the text of a drawing, which has no header, is counted and parsed.
    /// Errors: those of `render` before decoding.
    package static func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, options: RenderOptions,
        admitReading: (PredictedCost) -> Admission, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PredictedCost {
        var predicted: PredictedCost?
        do throws(ImageError) {
            _ = try rendered(
                sources, request: request, accepting: accepting, options: options, admitReading: admitReading,
                admit: {
                    predicted = $0
                    return .later
                }, shouldStop: shouldStop)
        } catch {
            guard error == .cancelled, predicted != nil else { throw error.unless(shouldStop) }
        }
        return predicted ?? PredictedCost(steps: [], frameCount: 1)
    }

    private static func rendered(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, options: RenderOptions,
        admitReading: (PredictedCost) -> Admission, admit: (PredictedCost) -> Admission,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> RenderedImage {
        let sources = try sources.unpacked()
        defer { withExtendedLifetime(sources) {} }
        let clock = ContinuousClock()
        let started = clock.now
        if shouldStop() { throw .cancelled }
        let master = try sources.readMaster()
        let opened: Source
        if let master {
            opened = try master.opened()
        } else {
            opened = try Source(sources.picture, limits: options.limits, admit: admitReading, shouldStop: shouldStop)
                .at(page: request.page, of: sources.picture, limits: options.limits)
        }
        let traits = opened.traits
        let planned = try plan(
            request, sources.picture, master, traits, accepting, options, admit: admit, shouldStop: shouldStop)
        let used = try sources.used(for: planned.plan, by: master)
        let overlayCost = try overlayCost(
            sources, planned.plan, options, admit: admitReading, shouldStop: shouldStop)
        func cost(writesExactWebP: Bool? = nil) -> PredictedCost {
            planned.plan.predictedCost(
                traits, decoding: used.traits, inLinearLight: options.usesLinearLight,
                writesExactWebP: writesExactWebP
            ).following(planned.lookingCost).following(overlayCost).holding(sources.byteCount)
        }
        let headerCost = cost()
        try admit(headerCost).check(headerCost)
        let isWorthMaster = master == nil ? Master.isWorthwhile(traits, model: opened.image.model) : true
        let metadata = PictureMetadata(
            of: opened.image, in: sources.picture, traits.format, policy: planned.plan.encoding.metadata)
        let opening = clock.now
        var pipeline = Pipeline(
            planned.plan, opened, used.sources, scale: used.scale, options: options, isNamed: request.format != nil,
            shouldStop: shouldStop)
        let image = try pipeline.run()
        let decoding = clock.now

        let plan = planned.plan
        var report = RenderReport(traits: traits, plan: plan, cost: headerCost)
        report.isWorthMaster = isWorthMaster
        report.level = used.traits.map { PixelSize(widthPx: $0.widthPx, heightPx: $0.heightPx) }
        report.levelByteCount = used.traits.map { _ in used.sources.picture.count }
        report.findings = planned.findings
        report.loadShrink = pipeline.loadShrink
        report.steps = planned.steps + pipeline.steps
        let context = EncodingContext(
            plan: plan, traits: used.traits ?? traits, source: used.sources.picture,
            settings: EncoderSettings(
                isLossless: plan.encoding.isLossless, isProgressive: plan.encoding.isProgressive,
                effort: plan.encoding.effort, metadata: metadata,
                profile: try pipeline.colors.profile(for: image), frames: try pipeline.timing(of: image)),
            changesColors: pipeline.changesColors, memo: sources.qualityMemo)
        var allCost = headerCost
        let picture = try Encoder.encode(
            image, context, report: &report,
            admitExactWebP: { () throws(ImageError) in
                allCost = cost(writesExactWebP: true)
                try admit(allCost).check(allCost)
            }, shouldStop: shouldStop)
        report.cost = allCost
        return RenderedImage(
            content: picture.content, widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx,
            format: picture.format, quality: picture.quality, score: picture.score, frameCount: plan.pages.count,
            omission: plan.omission, isOriginal: picture.isOriginal, report: report, openDuration: opening - started,
            decodeDuration: decoding - opening, encodeDuration: clock.now - decoding)
    }

    /// What decoding the overlay costs, by its header; nil where there is none.
    private static func overlayCost(
        _ sources: RenderSources, _ plan: ImagePlan, _ options: RenderOptions, admit: (PredictedCost) -> Admission,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PredictedCost? {
        guard let overlay = sources.overlay, plan.steps.contains(where: \.isOverlay) else { return nil }
        let traits = try Source(overlay, limits: options.limits, admit: admit, shouldStop: shouldStop).traits
        let size = PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx)
        let whole = ImagePlan(source: size, steps: [], output: size, encoding: Encoding(formats: []))
        return whole.predictedCost(traits)
    }

    /// Plans, and looks at pixels for what planning has to know. The steps are what looking cost.
    private static func plan(
        _ request: ImageRequest, _ bytes: SharedBytes, _ master: Master?, _ traits: SourceTraits,
        _ accepting: Acceptance, _ options: RenderOptions, admit: (PredictedCost) -> Admission,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PlannedPicture {
        var findings: PictureFindings = [:]
        var lookingCost: PredictedCost?
        var steps: [StepReport] = []
        while true {
            let planning: Planning
            do {
                planning = try request.planning(
                    for: traits, accepting: accepting, findings: findings, limits: options.frames)
            } catch {
                throw .plan(error)
            }
            switch planning {
            case .plan(let plan):
                return PlannedPicture(plan: plan, findings: findings, lookingCost: lookingCost, steps: steps)
            case .ask(let question):
                guard findings[question] == nil else { throw .operationFailed(log: "a question was asked twice") }
                let started = ContinuousClock.now
                findings[question] = try Questions.answer(
                    question, bytes, master: master, traits, page: (request.page ?? 1) - 1, options: options,
                    admit: { cost throws(ImageError) in
                        let all = cost.following(lookingCost)
                        let asked = all.holding(bytes.count)
                        try admit(asked).check(asked)
                        lookingCost = all
                    }, shouldStop: shouldStop)
                steps.append(
                    StepReport(
                        question.name, widthPx: traits.widthPx, heightPx: traits.heightPx,
                        duration: ContinuousClock.now - started))
            }
        }
    }
}

extension ImageStep {
    fileprivate var isOverlay: Bool { if case .overlay = self { true } else { false } }
}

extension RenderSources {
    /// The same where drawings are packed no more.
    fileprivate func unpacked() throws(ImageError) -> RenderSources {
        var sources = self
        if master == nil { sources.picture = try PackedDrawing.unpacked(picture) }
        if let overlay { sources.overlay = try PackedDrawing.unpacked(overlay) }
        return sources
    }

    /// Bytes that are held while the picture is made.
    fileprivate var byteCount: Int { picture.count + (master?.count ?? 0) + (overlay?.count ?? 0) }
}

/// A plan and how it came about.
private struct PlannedPicture {
    let plan: ImagePlan
    let findings: PictureFindings
    /// What looking at pixels cost, by its header; nil where nothing was looked at.
    let lookingCost: PredictedCost?
    let steps: [StepReport]
}

extension PageSelection {
    var count: Int {
        switch self {
        case .one: 1
        case .first(let count): count
        }
    }
}

extension PictureQuestion {
    /// What `explain` calls looking for the answer.
    var name: String {
        switch self {
        case .trim(let tolerance, _): "look for borders \(tolerance)"
        case .focus(let interest, _, _): "look for \(interest.rawValue)"
        }
    }
}
