import Bytes
import CardGrammar
import CardPlan
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Raster
import Renditions

/// A poll, and the pictures beside its options.
struct PollSubject: RenditionSource {
    let data: PollData
    let pictures: AvatarPictures

    var preparation: (any SourcePreparation)? { pictures.preparation ?? data.preparation }

    func currentState() throws(RenditionError) -> SourceValidator {
        pictures.ids.isEmpty ? try data.currentState() : pictures.validator(data.cards.validator)
    }
}

/// Draws one poll.
struct PollRenderer: RenditionRenderer {
    let subject: PollSubject
    let output: OutputFormat

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { try draw(job).content }

    @Sendable func draw(_ job: RenderJob) throws(RenditionError) -> DrawnCard {
        let (cards, pictures) = (subject.data.cards, subject.pictures)
        let (request, state) = try subject.data.read()
        try job.check(request.layoutCost)
        let typesetter = cards.typesetter()
        let started = ContinuousClock.now
        var layout = PollLayout(request, typesetter)
        let laidOut = ContinuousClock.now
        let shown = try pictures.read(
            layout.pictures.map(AvatarPictures.Wanted.init), holding: layout.pictureByteCount, job,
            beside: layout.predictedCost(as: output).following(request.layoutCost))
        let fetched = ContinuousClock.now
        if !shown.textures.isEmpty { layout = PollLayout(request, typesetter, showing: shown.sizes) }
        let size = layout.scene.size(at: request.scale)
        var frames: [SharedBytes] = []
        if layout.isMoving {
            for frame in PollLayout.delaysMs.indices.dropLast() {
                let part = PollLayout(request, typesetter, showing: shown.sizes, growth: PollLayout.growth(frame))
                frames.append(
                    try cards.draw(part.scene, scale: request.scale, pictures: shown.textures, typesetter, job).pixels)
            }
        }
        let last = try cards.draw(layout.scene, scale: request.scale, pictures: shown.textures, typesetter, job).pixels
        let drawing = ContinuousClock.now - fetched
        let encoded =
            frames.isEmpty
            ? try request.encoding.encode(last, size, scale: request.scale, as: output, isQuick: true, job)
            : try request.encoding.encode(frames: frames + [last], PollLayout.delaysMs, size, as: output, job)
        var fields = FieldLines()
        request.encoding.append(to: &fields, output)
        if shown.lackingCount > 0 {
            fields.append("Veduta-Fallback", "\(shown.lackingCount)/\(layout.pictures.count)")
        }
        var timings: [RenderTiming] = [("layout", laidOut - started)]
        if !pictures.ids.isEmpty { timings.append(("fetch", fetched - laidOut)) }
        timings += [("draw", drawing), encoded.timing]
        let content = RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields, validator: validator(shown, state),
            timings: timings)
        return DrawnCard(content: content, size: size, output: output.rawValue, price: shown.price)
    }

    private func validator(_ shown: AvatarPictures.Shown, _ state: SourceValidator) -> SourceValidator {
        let pictures = subject.pictures
        guard !pictures.ids.isEmpty else { return state }
        let validator = pictures.validator(subject.data.cards.validator, pictures.states(shown))
        return shown.lackingCount > 0 ? validator.incomplete ?? validator : validator
    }
}
