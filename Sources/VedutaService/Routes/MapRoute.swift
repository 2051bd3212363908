import Bytes
import HTTPMessage
import ImageEngine
import ImagePlan
import Logging
import MapRender
import Parameters
import ResponseCache

/// `/map`: a picture of a place, drawn from vector tiles (DESIGN §2.3).
struct MapRoute {
    private let maps: MapSource
    private let metrics: ServiceMetrics
    private let log: Logger

    init(_ service: ServiceParts) {
        self.init(maps: service.maps, metrics: service.metrics, log: service.log)
    }

    /// Maps of one archive; what is wrong with it is counted and logged.
    init(maps: MapSource, metrics: ServiceMetrics, log: Logger) {
        self.maps = maps
        self.metrics = metrics
        self.log = log
    }

    /// Parameters and negotiated format.
    func plan(_ items: [QueryItem], _ head: RequestHead) throws(Problem) -> PicturePlan {
        let request: MapRequest
        do {
            request = try MapRequest.parse(items, styles: maps.styles.names)
        } catch {
            throw Problem(error)
        }
        let accept = AcceptField.parse(head.fields)
        let output = request.outputFormat(
            accepting: { accept.quality(of: $0.mediaType) }, named: { accept.isExplicit($0.mediaType) })
        let style = maps.styles.entry(request.style)
        let validator = maps.validator(style)
        let (maps, metrics, log) = (maps, metrics, log)
        return PicturePlan(
            route: .map, canonical: request.canonical, variant: output.rawValue,
            vary: request.format == nil ? "Accept" : "", mediaTypes: [output.mediaType], kind: .map,
            tag: CacheTag(map: request.canonical),
            currentValidator: { () throws(Problem) in validator },
            render: { job throws(Problem) in
                let (map, drawn) = try Self.draw(request, style, maps, job.shouldStop)
                Self.report(map, to: log, metrics)
                return try Self.encode(map, request, output, validator, drawn: drawn, job.shouldStop)
            })
    }

    private static func draw(
        _ request: MapRequest, _ style: MapStyles.Entry, _ maps: MapSource,
        _ shouldStop: @escaping @Sendable () -> Bool
    ) throws(Problem) -> (RenderedMap, ContinuousClock.Instant) {
        do throws(MapError) {
            let camera = request.camera(defaultZoom: maps.defaultZoom)
            let map = try maps.engine.render(style.style, camera, shouldStop: shouldStop)
            return (map, ContinuousClock().now)
        } catch {
            throw Problem(error)
        }
    }

    private static func encode(
        _ map: RenderedMap, _ request: MapRequest, _ output: OutputFormat, _ validator: SourceValidator,
        drawn: ContinuousClock.Instant, _ shouldStop: @escaping @Sendable () -> Bool
    ) throws(Problem) -> RenderedPicture {
        do throws(ImageError) {
            let content = try ImageEngine.encode(
                rgba: map.pixels, widthPx: map.widthPx, heightPx: map.heightPx, output: output,
                quality: request.quality, shouldStop: shouldStop)
            let timings: [(StaticString, Duration)] = [
                ("decode", map.timings.decode), ("prepare", map.timings.prepare), ("place", map.timings.place),
                ("draw", map.timings.draw),
                ("encode", ContinuousClock().now - drawn),
            ]
            return RenderedPicture(
                content: content, mediaType: output.mediaType, validator: validator, timings: timings)
        } catch {
            throw Problem(error)
        }
    }

    private static func report(_ map: RenderedMap, to log: Logger, _ metrics: ServiceMetrics) {
        guard !map.faults.isEmpty else { return }
        metrics.corruptTiles(map.faults.count)
        for fault in map.faults.prefix(4) {
            log.warning("map source", metadata: ["source": "\(fault.source)", "cause": "\(fault.cause)"])
        }
    }
}
