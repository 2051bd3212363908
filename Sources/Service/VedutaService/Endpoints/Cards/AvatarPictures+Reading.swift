import CardGrammar
import CardPlan
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Raster
import Renditions

// Workers read the pictures, whose prices are all known before the first of them is decoded.
extension AvatarPictures {
    /// What of them a layout shows.
    struct Shown {
        var textures: [Texture] = []
        /// The number and the asset of the picture that a person shows.
        var numbers: [Int: Int] = [:]
        var ids: [Int: String] = [:]
        /// Of assets, as they were read.
        var states: [String: String] = [:]
        /// People of whom a picture is missing or broken.
        var lackingCount = 0
        /// Of everything that was asked for.
        var price: PredictedCost
    }

    /// Before any is decoded, `job` is asked for the cost of the drawing, and then again with each picture whose header is
    /// read, so that no more are read than it may decode.
    func read(
        for layout: AvatarLayout, _ job: RenderJob, beside drawing: PredictedCost
    ) throws(RenditionError) -> Shown {
        var reading = AvatarReading(self, for: layout, job, beside: drawing)
        return try reading.run()
    }
}

/// The pictures that a person may show, in the order in which they are tried.
private struct Candidates {
    let person: Int
    let size: PixelSize
    var ids: [String]
    /// Of the first.
    var price: PredictedCost?
    var isLacking = false

    mutating func dropFirst() {
        ids.removeFirst()
        (price, isLacking) = (nil, true)
    }
}

private struct AvatarReading {
    let pictures: AvatarPictures
    let layout: AvatarLayout
    let job: RenderJob
    var people: [Candidates]
    var shown: AvatarPictures.Shown

    init(
        _ pictures: AvatarPictures, for layout: AvatarLayout, _ job: RenderJob, beside drawing: PredictedCost
    ) {
        (self.pictures, self.layout, self.job) = (pictures, layout, job)
        shown = AvatarPictures.Shown(price: drawing.holding(layout.pictureByteCount))
        people = layout.cells.compactMap { cell in
            guard case .person(let index) = cell.content else { return nil }
            return Candidates(
                person: index, size: cell.size(at: layout.request.scale.double), ids: layout.pictureIDs(of: index))
        }
    }

    mutating func run() throws(RenditionError) -> AvatarPictures.Shown {
        try job.check(shown.price)
        for index in people.indices { try price(index) }
        for index in people.indices {
            while let id = people[index].ids.first, let price = people[index].price {
                if let texture = try texture(of: id, people[index].size, price) {
                    shown.numbers[people[index].person] = shown.textures.count
                    shown.ids[people[index].person] = id
                    shown.textures.append(texture)
                    break
                }
                people[index].dropFirst()
                try self.price(index)
            }
            if people[index].ids.isEmpty, layout.request.refusesWithoutPicture {
                throw RenditionError(.original(.absent))
            }
        }
        shown.lackingCount = people.count(where: \.isLacking)
        return shown
    }

    /// Finds the first picture of the person at `index` that there is, adds what it costs, and asks whether all of it may be made.
    private mutating func price(_ index: Int) throws(RenditionError) {
        while let id = people[index].ids.first {
            let (renderer, further) = (renderer(id, people[index].size), job.after(shown.price))
            let price = try had(id) { () throws(RenditionError) -> PredictedCost in
                try renderer.predictedCost(further)
            }
            if let price {
                people[index].price = price
                shown.price = price.holding(layout.pictureByteCount).following(shown.price)
                return try job.check(shown.price)
            }
            people[index].dropFirst()
        }
    }

    /// nil where it is missing or broken.
    private mutating func texture(
        of id: String, _ size: PixelSize, _ price: PredictedCost
    ) throws(RenditionError) -> Texture? {
        let (known, job, further) = (RenderCost(price).work, job, job.after(shown.price))
        // One that was replaced meanwhile may cost more.
        let priced = RenderJob(
            shouldStop: job.shouldStop, admit: { $0.work.isWithin(known) ? .goOn : further.admit($0) })
        let (renderer, options) = (renderer(id, size), pictures.options)
        let read = try had(id) { () throws(RenditionError) -> (texture: Texture?, state: String) in
            let made = try renderer.make(priced)
            do throws(ImageError) {
                let pixels = try made.loaded.images.pixels(
                    of: made.picture.content, in: RenderContext(options: options, shouldStop: job.shouldStop))
                let texture = Texture(
                    widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
                return (texture, made.loaded.state.validator)
            } catch {
                throw RenditionError(error)
            }
        }
        if let read { shown.states[id] = read.state }
        return read?.texture
    }

    /// What `body` gives; nil where the picture `id` is missing or broken. What concerns the whole request ends it.
    private mutating func had<Value>(
        _ id: String, _ body: () throws(RenditionError) -> Value
    ) throws(RenditionError) -> Value? {
        do throws(RenditionError) {
            return try body()
        } catch {
            guard case .failed(let failure) = error, failure.kind != .evicted else { throw error }
            shown.states[id] = pictures.state(of: id)
            return nil
        }
    }

    private func renderer(_ id: String, _ size: PixelSize) -> AssetRenderer {
        var request = ImageRequest(id: id)
        request.width = .pixels(size.widthPx)
        request.height = .pixels(size.heightPx)
        request.fit = .cover
        request.mayEnlarge = true
        request.gravity = layout.request.gravity
        request.format = .png
        request.effort = 1
        return AssetRenderer(
            reader: AssetReader(
                RequestedOriginals(request), in: pictures.originals,
                byteLimit: pictures.options.limits.sourceByteCount, images: pictures.images),
            request: request, acceptance: Acceptance(only: .png), options: pictures.options, masters: pictures.masters)
    }
}

extension NeededWork {
    fileprivate func isWithin(_ other: NeededWork) -> Bool {
        microseconds <= other.microseconds && byteCount <= other.byteCount
    }
}

extension RenderJob {
    /// Asks for the cost of work together with that of `earlier` work.
    fileprivate func after(_ earlier: PredictedCost) -> RenderJob {
        let cost = RenderCost(earlier)
        return RenderJob(
            shouldStop: shouldStop,
            admit: { later in
                admit(
                    RenderCost(
                        NeededWork(
                            microseconds: later.work.microseconds + cost.work.microseconds,
                            byteCount: max(later.work.byteCount, cost.work.byteCount)),
                        isLong: later.isLong || cost.isLong, isDrawing: later.isDrawing || cost.isDrawing,
                        steps: cost.steps + later.steps))
            })
    }
}
