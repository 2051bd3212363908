import ClientBudgets
import HTTPServer
import ImageEngine
import ImagePlan
import Originals
import Parameters
import Raster
import Renditions

/// The pictures of the people of an avatar. One that is missing or broken is replaced, and its person keeps the others.
struct AvatarPictures: Sendable {
    /// Pictures of other servers are fetched one after the other.
    private static let remoteLimit = 16

    /// By asset; each id once.
    let ids: [String]
    private let originals: Originals
    private let options: RenderOptions
    private let masters: MasterStore?

    /// `ids` may repeat.
    /// - Throws: where an id can name nothing, or too many are of other servers.
    init(
        _ ids: [String], in originals: Originals, options: RenderOptions, masters: MasterStore?
    ) throws(EndpointError) {
        var canonical: [String] = []
        var remoteCount = 0
        for id in ids {
            do throws(OriginalError) {
                let id = try originals.canonicalID(id)
                guard !canonical.contains(id) else { continue }
                canonical.append(id)
                if try originals.remoteSource(id) != nil { remoteCount += 1 }
            } catch {
                guard let fault = ParameterFault(error, of: "person") else { throw .original(error) }
                throw .parameters(ParameterFaults([fault]))
            }
            guard remoteCount <= Self.remoteLimit else { throw .tooManyRemoteIcons(limit: Self.remoteLimit) }
        }
        self.ids = canonical
        (self.originals, self.options, self.masters) = (originals, options, masters)
    }

    var preparation: (any SourcePreparation)? {
        ids.isEmpty ? nil : AssetPreparation(ids, originals).map { TolerantPreparation(preparation: $0) }
    }

    /// What tells one state of all pictures from another; opens nothing.
    func validator(_ base: String) -> SourceValidator {
        let states = ids.map { ((try? originals.state(of: $0)) ?? nil)?.validator ?? "absent" }
        return SourceValidator(([base] + states).joined(separator: "+"), mayLack: true)
    }

    /// A picture, or nil where it is missing or broken.
    struct Read {
        var texture: Texture?
        var state: String
    }

    /// On a worker: the picture of `id`, which covers `size`. `spent` is the work on the others before, in microseconds.
    func read(
        _ id: String, covering size: PixelSize, _ gravity: Gravity, spent: inout Int, _ job: RenderJob
    ) throws(RenditionError) -> Read {
        var request = ImageRequest(id: id)
        request.width = .pixels(size.widthPx)
        request.height = .pixels(size.heightPx)
        request.fit = .cover
        request.mayEnlarge = true
        request.gravity = gravity
        request.format = .png
        request.effort = 1
        let before = spent
        let renderer = AssetRenderer(
            reader: AssetReader(
                RequestedOriginals(request), in: originals, byteLimit: options.limits.sourceByteCount),
            request: request, acceptance: Acceptance(only: .png), options: options, masters: masters)
        do throws(RenditionError) {
            let made = try renderer.make(
                RenderJob(shouldStop: job.shouldStop, admit: { job.admit($0.following(microseconds: before)) }))
            spent += made.picture.report.cost.microseconds
            let pixels: DecodedPixels
            do throws(ImageError) {
                pixels = try ImageEngine.pixels(
                    of: made.picture.content, in: RenderContext(options: options, shouldStop: job.shouldStop))
            } catch {
                throw RenditionError(error)
            }
            return Read(
                texture: Texture(
                    widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba),
                state: made.loaded.state.validator)
        } catch {
            // What concerns the whole request ends it; what concerns one picture does not.
            switch error {
            case .failed:
                return Read(texture: nil, state: ((try? originals.state(of: id)) ?? nil)?.validator ?? "absent")
            case .tooCostly, .timedOut, .busy, .notStored, .overBudget: throw error
            }
        }
    }
}

/// Waits for what can be had; what cannot is no reason to refuse.
private struct TolerantPreparation: SourcePreparation {
    let preparation: AssetPreparation

    var count: Int { preparation.count }
    var isRead: Bool { preparation.isRead }
    func refresh() { preparation.refresh() }

    func begin(
        _ index: Int, for request: Request, done: @escaping @Sendable () -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        (try? preparation.begin(index, for: request, done: done)) ?? nil
    }
}

extension RenderCost {
    fileprivate func following(microseconds: Int) -> RenderCost {
        RenderCost(
            NeededWork(microseconds: work.microseconds + microseconds, byteCount: work.byteCount), isLong: isLong,
            isDrawing: isDrawing, steps: steps)
    }
}
