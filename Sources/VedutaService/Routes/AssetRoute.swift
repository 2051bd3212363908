import AssetLibrary
import Bytes
import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters
import ResponseCache

/// `/asset`: a picture of the library, cut, turned, filtered and sized (DESIGN §2.1).
struct AssetRoute {
    private let library: FolderLibrary?
    private let limits: ImageLimits

    init(_ service: ServiceParts) {
        self.init(library: service.library, limits: service.imageLimits)
    }

    /// Pictures of `library`; without one, none is found.
    init(library: FolderLibrary?, limits: ImageLimits) {
        self.library = library
        self.limits = limits
    }

    /// Parameters and negotiated format.
    func plan(_ items: [QueryItem], _ head: RequestHead) throws(Problem) -> PicturePlan {
        let request: ImageRequest
        do {
            request = try ImageRequest.parse(items)
        } catch {
            throw Problem(Self.withFaultyID(items, error))
        }
        guard let library else { throw .assetNotFound }
        let accept = AcceptField.parse(head.fields)
        let output = request.outputFormat { format in
            AcceptedQuality(
                quality: accept.quality(of: format.mediaType), isExplicit: accept.isExplicit(format.mediaType))
        }
        let limits = limits
        return PicturePlan(
            route: .asset, canonical: request.canonical, format: output, isNegotiated: request.format == nil,
            kind: PictureKind(assetID: request.id), tag: CacheTag(assetID: request.id),
            currentValidator: { () throws(Problem) in try Self.validator(of: request.id, in: library) },
            render: { shouldStop throws(Problem) in
                try Self.render(request, output, from: library, limits: limits, shouldStop: shouldStop)
            })
    }

    private static func validator(of id: String, in library: FolderLibrary) throws(Problem) -> SourceValidator {
        do {
            return .asset(try library.state(of: id))
        } catch .notFound {
            // A library that is gone has lost all its pictures for now, not this one for good.
            do {
                try library.checkAvailable()
            } catch {
                throw Problem(error)
            }
            throw .assetNotFound
        } catch {
            throw Problem(error, id: id)
        }
    }

    /// The faults of the parameters, and with them that of an id which can name nothing.
    private static func withFaultyID(_ items: [QueryItem], _ faults: ParameterFaults) -> ParameterFaults {
        guard let id = items.first(where: { $0.name == "id" })?.value, !id.isEmpty else { return faults }
        do {
            try FolderLibrary.checkID(id)
            return faults
        } catch {
            // In the order of the URL, as the other faults are; what is missing comes last.
            let all = Problem(error, id: id).faults + faults.faults
            func position(_ fault: ParameterFault) -> Int {
                items.firstIndex { $0.name == fault.parameter } ?? items.count
            }
            return ParameterFaults(all.sorted { position($0) < position($1) })
        }
    }

    /// On a worker: read, then everything else.
    private static func render(
        _ request: ImageRequest, _ output: OutputFormat, from library: FolderLibrary, limits: ImageLimits,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(Problem) -> RenderedPicture {
        let clock = ContinuousClock()
        let started = clock.now
        let validator: SourceValidator
        let source: SharedBytes
        do {
            let asset = try library.open(id: request.id)
            validator = .asset(asset.state)
            source = try asset.read(limit: limits.sourceByteCount)
        } catch {
            throw Problem(error)
        }
        let fetched = clock.now
        do {
            let picture = try ImageEngine.render(
                source, request: request, output: output, limits: limits, shouldStop: shouldStop)
            let timings: [(StaticString, Duration)] = [
                ("fetch", fetched - started), ("open", picture.openDuration), ("decode", picture.decodeDuration),
                ("encode", picture.encodeDuration),
            ]
            return RenderedPicture(content: picture.content, validator: validator, timings: timings)
        } catch {
            throw Problem(error)
        }
    }
}
