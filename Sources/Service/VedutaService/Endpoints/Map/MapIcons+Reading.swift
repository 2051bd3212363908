import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Raster
import Renditions

// Workers read the icons and draw them small.
extension MapIcons {
    /// The icons by their ids, and their states; workers only. Before any is decoded, `job` is asked for the cost of the map
    /// and of all; it is asked after each that is read for its header, so that no more are read than it may decode.
    func read(_ job: RenderJob, beside mapCost: PredictedCost) throws(RenditionError) -> (
        textures: [ExactText: Texture], states: [OriginalState]
    ) {
        let jobAdmits = job.admission
        var whole = mapCost
        var costs: [ExactText: PredictedCost] = [:]
        for icon in icons {
            let cost = try withSource(of: icon) { loaded throws(ImageError) in
                try loaded.images.predictedCost(
                    loaded.sources, request: small(loaded.id), accepting: Acceptance(only: .png),
                    in: context(job) { [whole] in jobAdmits(whole.following($0)) })
            }.value
            costs[ExactText(icon.id)] = cost
            whole = whole.following(cost)
            try job.check(whole)
        }
        if icons.isEmpty { try job.check(whole) }
        var (textures, states): ([ExactText: Texture], [OriginalState]) = ([:], [])
        for icon in icons {
            // One that was replaced meanwhile is asked for again.
            let admit: @Sendable (PredictedCost) -> Admission = { [whole, known = costs[ExactText(icon.id)]] cost in
                cost == known ? .now : jobAdmits(whole.following(cost))
            }
            let (texture, state) = try withSource(of: icon) { loaded throws(ImageError) in
                try self.texture(of: loaded, in: context(job, admit))
            }
            textures[ExactText(icon.id)] = texture
            states.append(state)
        }
        return (textures, states)
    }

    private func withSource<Value>(
        of icon: Icon, _ body: (AssetReader.Loaded) throws(ImageError) -> Value
    ) throws(RenditionError) -> (value: Value, state: OriginalState) {
        let loaded: AssetReader.Loaded
        do throws(RenditionError) { loaded = try icon.reader.read() } catch { throw Self.icon(error) }
        do throws(ImageError) {
            return (try body(loaded), loaded.state)
        } catch {
            throw RenditionError(error, source: loaded.sources.picture)
        }
    }

    private func small(_ id: String) -> ImageRequest {
        var request = ImageRequest(id: id)
        request.width = .pixels(sideLimitPx)
        request.height = .pixels(sideLimitPx)
        request.format = .png
        request.effort = 1
        return request
    }

    /// Any image of the library, resized as every image is, and upright.
    private func texture(of loaded: AssetReader.Loaded, in context: RenderContext) throws(ImageError) -> Texture {
        let pixels = try loaded.images.renderPixels(loaded.sources, request: small(loaded.id), in: context)
        guard
            let texture = Texture(
                widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
        else { throw .operationFailed(log: "an icon of no pixels") }
        return texture
    }

    private func context(_ job: RenderJob, _ admission: @escaping (PredictedCost) -> Admission) -> RenderContext {
        RenderContext(options: options, admission: admission, shouldStop: job.shouldStop)
    }
}
