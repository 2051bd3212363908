import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Renditions

/// The images that the markers of a map show.
struct MapIcons: Sendable {
    struct Icon: Sendable {
        let id: String
        let reader: AssetReader
    }

    /// Icons of other servers are fetched one after the other.
    private static let remoteLimit = 16

    let icons: [Icon]
    private let originals: Originals
    let options: RenderOptions
    /// In device pixels.
    let sideLimitPx: Int

    /// `ids` may repeat.
    /// - Throws: where an id can name nothing, or too many are of other servers.
    init(
        _ ids: [String], sideLimitPx: Int, in originals: Originals, options: RenderOptions,
        images: ImageProcessor = .here
    ) throws(EndpointError) {
        var icons: [Icon] = []
        var known: Set<ExactText> = []
        var remoteCount = 0
        for id in ids where known.insert(ExactText(id)).inserted {
            let request: ImageRequest
            do throws(OriginalError) {
                if try originals.remoteSource(id) != nil { remoteCount += 1 }
                request = ImageRequest(id: try originals.canonicalID(id))
            } catch {
                throw .original(error)
            }
            guard remoteCount <= Self.remoteLimit else {
                throw .tooManyRemotePictures(parameter: "marker", limit: Self.remoteLimit)
            }
            icons.append(
                Icon(
                    id: id,
                    reader: AssetReader(
                        RequestedOriginals(request), in: originals, byteLimit: options.limits.sourceByteCount,
                        images: images)))
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

    /// The missing image is not the one that was asked for.
    static func icon(_ error: RenditionError) -> RenditionError {
        error.isAbsence ? RenditionError(.iconAbsent) : error
    }
}
