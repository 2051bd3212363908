import Bytes
import CardGrammar
import CardPlan
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Raster
import Renditions

// Workers read the pictures, whose prices are all known before the first of them is decoded. A master is read once, for both, and its
// price takes no process.
extension AvatarPictures {
    /// A place that shows one of these pictures, in the order in which they are tried.
    struct Wanted {
        /// The person or the element.
        let key: Int
        let size: PixelSize
        let ids: [String]
        var gravity = Gravity.center
        var fit = Fit.cover
        /// Whether there is no card without it.
        var isRequired = false
        /// Whether a request that is refused without pictures is answered without this one.
        var isSign = false

        fileprivate func cell(_ id: String, _ state: String) -> CardPictureCells.Key {
            CardPictureCells.Key(id: id, state: state, size: size, gravity: gravity, fit: fit)
        }
    }

    /// What of them a layout shows.
    struct Shown {
        var textures: [Texture] = []
        /// The number and the asset of the picture that a place shows.
        var numbers: [Int: Int] = [:]
        var ids: [Int: String] = [:]
        /// Of assets, as they were read.
        var states: [ExactText: String] = [:]
        /// Places of which a picture is missing or broken.
        var lackingCount = 0
        /// Of everything that was asked for.
        var price: PredictedCost

        /// By place.
        var sizes: [Int: CardLayout.Shown] {
            numbers.mapValues { number in
                let texture = textures[number]
                return CardLayout.Shown(
                    number: number, size: PixelSize(widthPx: texture.widthPx, heightPx: texture.heightPx))
            }
        }
    }

    /// The states of `ids`: as they were read, or as they are now where no place shows them.
    func states(_ shown: Shown) -> [String] { ids.map { shown.states[ExactText($0)] ?? state(of: $0) } }

    /// Before any is decoded, `job` is asked for the cost of the drawing, and then again with each picture whose header is
    /// read, so that no more are read than it may decode.
    func read(
        for layout: AvatarLayout, _ job: RenderJob, beside drawing: PredictedCost
    ) throws(RenditionError) -> Shown {
        var wanted = layout.cells.compactMap { cell -> Wanted? in
            guard case .person(let index) = cell.content else { return nil }
            return Wanted(
                key: index, size: cell.size(at: layout.request.scale.double), ids: layout.pictureIDs(of: index),
                gravity: layout.request.gravity)
        }
        if let badge = layout.badgePicture {
            wanted.append(Wanted(key: AvatarLayout.badgeKey, size: badge.size, ids: [badge.id], isSign: true))
        }
        return try read(
            wanted, holding: layout.pictureByteCount, refusesWithout: layout.request.refusesWithoutPicture, job,
            beside: drawing)
    }

    /// `byteCount`: of all pixels. `refusesWithout`: whether a place without a picture is a reason to answer that it is absent.
    func read(
        _ wanted: [Wanted], holding byteCount: Int, refusesWithout: Bool = false, _ job: RenderJob,
        beside drawing: PredictedCost
    ) throws(RenditionError) -> Shown {
        var reading = AvatarReading(
            self, wanted, holding: byteCount, refusesWithout: refusesWithout, job, beside: drawing)
        return try reading.run()
    }
}

/// The pictures that a place may still show.
private struct Candidates {
    let wanted: AvatarPictures.Wanted
    var ids: [String]
    /// Of the first.
    var price: PredictedCost?
    /// The first, where it is kept as this place shows it.
    var kept: (texture: Texture, state: String)?
    /// What is needed of its master, which was read for the price.
    var master: AssetReader.Loaded?
    var isLacking = false

    mutating func dropFirst() {
        ids.removeFirst()
        (price, kept, master, isLacking) = (nil, nil, nil, true)
    }
}

private struct AvatarReading {
    let pictures: AvatarPictures
    let job: RenderJob
    /// Of all pixels, and of the masters that were read.
    var byteCount: Int
    let refusesWithout: Bool
    /// From before the first picture is read.
    let epoch: CardPictureCells.Epoch
    var people: [Candidates]
    var shown: AvatarPictures.Shown

    init(
        _ pictures: AvatarPictures, _ wanted: [AvatarPictures.Wanted], holding byteCount: Int, refusesWithout: Bool,
        _ job: RenderJob, beside drawing: PredictedCost
    ) {
        (self.pictures, self.job) = (pictures, job)
        (self.byteCount, self.refusesWithout) = (byteCount, refusesWithout)
        epoch = pictures.cells.epoch
        shown = AvatarPictures.Shown(price: drawing.holding(byteCount))
        people = wanted.map { Candidates(wanted: $0, ids: $0.ids) }
    }

    mutating func run() throws(RenditionError) -> AvatarPictures.Shown {
        try job.check(shown.price)
        for index in people.indices { try price(index) }
        for index in people.indices {
            while let id = people[index].ids.first {
                if let texture = try texture(of: id, people[index]) {
                    let key = people[index].wanted.key
                    shown.numbers[key] = shown.textures.count
                    shown.ids[key] = id
                    shown.textures.append(texture)
                    break
                }
                people[index].dropFirst()
                try self.price(index)
            }
            if people[index].ids.isEmpty, refusesWithout, !people[index].wanted.isSign {
                throw RenditionError(.original(.absent))
            }
        }
        shown.lackingCount = people.count(where: \.isLacking)
        return shown
    }

    /// Finds the first picture of the person at `index` that there is, adds what it costs, and asks whether all of it may be made.
    private mutating func price(_ index: Int) throws(RenditionError) {
        while let id = people[index].ids.first {
            let wanted = people[index].wanted
            if let state = pictures.knownState(of: id), let kept = pictures.cells.find(wanted.cell(id, state)) {
                people[index].kept = (kept, state)
                return
            }
            let (renderer, further) = (renderer(id, wanted), job.after(shown.price))
            let read = try had(id, wanted) { () throws(RenditionError) in try renderer.predictedCost(further) }
            if let read {
                people[index].price = read.cost
                people[index].master = read.master
                let masterByteCount = read.master?.sources.master?.count ?? 0
                shown.price = read.cost.holding(byteCount).following(shown.price.holding(masterByteCount))
                byteCount += masterByteCount
                return try job.check(shown.price)
            }
            people[index].dropFirst()
        }
    }

    /// nil where it is missing or broken.
    private mutating func texture(of id: String, _ person: Candidates) throws(RenditionError) -> Texture? {
        if let kept = person.kept {
            shown.states[ExactText(id)] = kept.state
            return kept.texture
        }
        guard let price = person.price else { return nil }
        let (wanted, master) = (person.wanted, person.master)
        let (known, job, further) = (RenderCost(price).work, job, job.after(shown.price))
        // One that was replaced meanwhile may cost more.
        let priced = RenderJob(
            shouldStop: job.shouldStop, admit: { $0.work.isWithin(known) ? .goOn : further.admit($0) })
        let renderer = renderer(id, wanted)
        let read = try had(id, wanted) { () throws(RenditionError) -> (texture: Texture?, state: String) in
            let (pixels, state) = try renderer.pixels(priced, of: master)
            let texture = Texture(
                widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
            return (texture, state.validator)
        }
        guard let read else { return nil }
        shown.states[ExactText(id)] = read.state
        if let texture = read.texture { pictures.cells.keep(texture, for: wanted.cell(id, read.state), since: epoch) }
        return read.texture
    }

    /// What `body` gives; nil where the picture `id` is missing or broken. What concerns the whole request ends it, as does that
    /// of a picture that must be there.
    private mutating func had<Value>(
        _ id: String, _ wanted: AvatarPictures.Wanted, _ body: () throws(RenditionError) -> Value
    ) throws(RenditionError) -> Value? {
        do throws(RenditionError) {
            return try body()
        } catch {
            guard case .failed(let failure) = error, failure.kind != .evicted, !wanted.isRequired else { throw error }
            shown.states[ExactText(id)] = pictures.state(of: id)
            return nil
        }
    }

    private func renderer(_ id: String, _ wanted: AvatarPictures.Wanted) -> AssetRenderer {
        var request = ImageRequest(id: id)
        request.width = .pixels(wanted.size.widthPx)
        request.height = .pixels(wanted.size.heightPx)
        request.fit = wanted.fit
        request.mayEnlarge = true
        request.gravity = wanted.gravity
        request.format = .png
        // Less than a request may ask for: nothing is compressed, and that has no price.
        request.effort = 0
        return AssetRenderer(
            reader: AssetReader(
                RequestedOriginals(request), in: pictures.originals,
                byteLimit: pictures.options.limits.sourceByteCount, images: pictures.images),
            request: request, acceptance: Acceptance(only: .png), options: pictures.options, masters: pictures.masters)
    }
}

extension AvatarPictures.Wanted {
    init(_ picture: CardLayout.Picture) {
        self.init(
            key: picture.element, size: picture.size, ids: [picture.id], gravity: picture.gravity,
            fit: picture.coversBox ? .cover : .inside, isRequired: picture.isRequired)
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
