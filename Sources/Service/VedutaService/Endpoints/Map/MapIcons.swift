import ImageEngine
import ImagePlan
import Originals
import Raster
import Renditions

/// The images that the markers of a map show.
struct MapIcons: Sendable {
    private struct Icon: Sendable {
        let id: String
        let sources: AssetSources
    }

    /// Icons of other servers are fetched one after the other.
    private static let remoteLimit = 16

    private let icons: [Icon]
    private let originals: Originals
    private let options: RenderOptions
    /// In device pixels.
    private let sideLimitPx: Int

    /// `ids` may repeat.
    /// - Throws: where an id can name nothing, or too many are of other servers.
    init(
        _ ids: [String], sideLimitPx: Int, in originals: Originals, options: RenderOptions,
        images: ImageProcessor = .here
    ) throws(EndpointError) {
        var icons: [Icon] = []
        var remoteCount = 0
        for id in ids where !icons.contains(where: { $0.id == id }) {
            let request: ImageRequest
            do throws(OriginalError) {
                if try originals.remoteSource(id) != nil { remoteCount += 1 }
                request = ImageRequest(id: try originals.canonicalID(id))
            } catch {
                throw .original(error)
            }
            guard remoteCount <= Self.remoteLimit else { throw .tooManyRemoteIcons(limit: Self.remoteLimit) }
            icons.append(
                Icon(
                    id: id,
                    sources: AssetSources(
                        request, in: originals, byteLimit: options.limits.sourceByteCount, images: images)))
        }
        self.icons = icons
        self.originals = originals
        self.options = options
        self.sideLimitPx = max(1, sideLimitPx)
    }

    var ids: [String] { icons.map(\.id) }
    var preparation: AssetPreparation? { AssetPreparation(ids, originals) }

    /// Opens nothing.
    func states() throws(RenditionError) -> [OriginalState] {
        var states: [OriginalState] = []
        for icon in icons {
            do throws(OriginalError) {
                guard let state = try originals.state(of: icon.id) else { throw .absent }
                states.append(state)
            } catch {
                throw Self.icon(RenditionError(.original(error)))
            }
        }
        return states
    }

    /// The icons by their ids, and their states; workers only. Before any is decoded, the headers of all are read, and
    /// `job` is asked for the cost of all and of the map.
    func read(_ job: RenderJob, beside mapCost: PredictedCost) throws(RenditionError) -> (
        textures: [String: Texture], states: [OriginalState]
    ) {
        let jobAdmits = job.admission
        var whole = mapCost
        var costs: [String: PredictedCost] = [:]
        for icon in icons {
            let cost = try withSource(of: icon) { loaded throws(ImageError) in
                try loaded.images.predictedCost(
                    loaded.sources, request: small(loaded.id), accepting: Acceptance(only: .png),
                    in: context(job) { [whole] in jobAdmits(whole.following($0)) })
            }.value
            costs[icon.id] = cost
            whole = whole.following(cost)
        }
        do throws(ImageError) { try jobAdmits(whole).check(whole) } catch { throw RenditionError(error) }
        var (textures, states): ([String: Texture], [OriginalState]) = ([:], [])
        for icon in icons {
            // One that was replaced meanwhile is asked for again.
            let admit: @Sendable (PredictedCost) -> Admission = { [whole, known = costs[icon.id]] cost in
                cost == known ? .now : jobAdmits(whole.following(cost))
            }
            let (texture, state) = try withSource(of: icon) { loaded throws(ImageError) in
                try self.texture(of: loaded, in: context(job, admit))
            }
            textures[icon.id] = texture
            states.append(state)
        }
        return (textures, states)
    }

    private func withSource<Value>(
        of icon: Icon, _ body: (AssetSources.Loaded) throws(ImageError) -> Value
    ) throws(RenditionError) -> (value: Value, state: OriginalState) {
        let loaded: AssetSources.Loaded
        do throws(RenditionError) { loaded = try icon.sources.read() } catch { throw Self.icon(error) }
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
    private func texture(of loaded: AssetSources.Loaded, in context: RenderContext) throws(ImageError) -> Texture {
        let small = try loaded.images.render(
            loaded.sources, request: small(loaded.id), accepting: Acceptance(only: .png), in: context)
        let pixels = try loaded.images.pixels(of: small.content, in: context)
        guard
            let texture = Texture(
                widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
        else { throw .operationFailed(log: "an icon of no pixels") }
        return texture
    }

    private func context(_ job: RenderJob, _ admission: @escaping (PredictedCost) -> Admission) -> RenderContext {
        RenderContext(options: options, admission: admission, shouldStop: job.shouldStop)
    }

    /// The missing image is not the one that was asked for.
    private static func icon(_ error: RenditionError) -> RenditionError {
        error.isAbsence ? RenditionError(.iconAbsent) : error
    }
}
