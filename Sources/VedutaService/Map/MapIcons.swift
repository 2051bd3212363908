import Bytes
import ImageEngine
import ImagePlan
import Raster

/// The pictures of the library that the markers of a map show.
struct MapIcons: Sendable {
    private struct Icon: Sendable {
        let id: String
        let sources: AssetSources
    }

    private let icons: [Icon]
    private let originals: Originals
    private let options: RenderOptions
    /// What no icon is larger than, in device pixels.
    private let sideLimitPx: Int

    /// The pictures with `ids`, which may repeat, none larger than `sideLimitPx`. Throws the problem of an id that can name
    /// nothing.
    init(_ ids: [String], sideLimitPx: Int, in originals: Originals, options: RenderOptions) throws(Problem) {
        var icons: [Icon] = []
        for id in ids where !icons.contains(where: { $0.id == id }) {
            let request = ImageRequest(id: try originals.canonicalID(id))
            icons.append(
                Icon(
                    id: id,
                    sources: AssetSources(request, in: originals, octetLimit: options.limits.sourceByteCount)))
        }
        self.icons = icons
        self.originals = originals
        self.options = options
        self.sideLimitPx = max(1, sideLimitPx)
    }

    /// The ids, each once.
    var ids: [String] { icons.map(\.id) }

    /// What has to be had before the pictures can be looked at.
    var preparation: PicturePreparation? { PicturePreparation(ids, originals) }

    /// The states of the pictures now, without opening any.
    func states() throws(Problem) -> [OriginalState] {
        var states: [OriginalState] = []
        for icon in icons {
            guard
                case .asset(let state, nil) = try orMissing({ () throws(Problem) in try icon.sources.currentValidator()
                })
            else { throw .iconNotFound }
            states.append(state)
        }
        return states
    }

    /// The pictures by their ids, and the states they were in; workers only.
    func read(_ job: RenderJob) throws(Problem) -> (textures: [String: Texture], states: [OriginalState]) {
        var (textures, states): ([String: Texture], [OriginalState]) = ([:], [])
        for icon in icons {
            let loaded = try orMissing { () throws(Problem) in try icon.sources.read() }
            states.append(loaded.state)
            do throws(ImageError) {
                textures[icon.id] = try texture(of: loaded, job)
            } catch {
                throw Problem(error, source: loaded.sources.picture)
            }
        }
        return (textures, states)
    }

    /// Any picture that the library can hold: made small by the way that all pictures take, and upright.
    private func texture(of loaded: AssetSources.Loaded, _ job: RenderJob) throws(ImageError) -> Texture {
        var request = ImageRequest(id: loaded.id)
        request.width = .pixels(sideLimitPx)
        request.height = .pixels(sideLimitPx)
        request.format = .png
        request.effort = 1
        let small = try ImageEngine.render(
            loaded.sources, request: request, accepting: Acceptance(only: .png), options: options, admit: job.admit,
            shouldStop: job.shouldStop)
        let pixels = try ImageEngine.pixels(of: small.content, limits: options.limits, shouldStop: job.shouldStop)
        guard
            let texture = Texture(
                widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
        else { throw .operationFailed(log: "an icon of no pixels") }
        return texture
    }

    private func orMissing<Value>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        do throws(Problem) {
            return try body()
        } catch {
            throw error == .assetNotFound ? .iconNotFound : error
        }
    }
}
