import HTTPMessage
import Logging
import MapSources
import Origin
import OriginCache
import Reactor
import ResponseCache
import ServiceConfiguration

extension Service {
    /// The sources and styles that maps are made of. What goes wrong with them later is logged, and what was good stays in use.
    /// `environment` is what `${NAME}` in the maps file stands for; `isWatched` has files looked after that are replaced.
    static func openMaps(
        _ configuration: Configuration, _ log: Logger, environment: [String: String] = [:],
        identities: OriginIdentities = OriginIdentities(), isWatched: Bool = false, cache: TieredCache? = nil,
        workers: WorkerPool? = nil, clock: Clock = .system
    ) throws(ServiceError) -> OpenedMaps {
        var settings = MapLibrarySettings(picture: MapTextures.decode)
        settings.archive = configuration.mapArchive
        settings.showsWorld = configuration.mapWorld
        settings.style = configuration.mapStyle
        settings.files = configuration.mapFiles
        settings.maps = configuration.maps
        settings.environment = environment
        settings.report = { problem in
            log.warning(
                "map source cannot be used", metadata: ["name": "\(problem.name)", "cause": "\(problem.cause)"])
        }
        let fetcher = try mapFetcher(configuration, identities)
        let remote = fetcher.map { fetcher in
            // A source that is this very server is told apart by it.
            var fields = Fields()
            fields.append(.via, Via.chain(after: []))
            return OriginCache(.maps(fields), fetcher: fetcher, store: cache, workers: workers, clock: clock) { line in
                log.warning("map source: \(line)")
            }
        }
        settings.remote = remote.map { RemoteAccess($0) }
        let library: MapLibrary
        do throws(MapLibraryFailure) {
            library = try MapLibrary(settings)
        } catch {
            remote?.stop()
            throw .maps(error.problems)
        }
        do throws(Errno) {
            return OpenedMaps(library: library, remote: remote, watch: isWatched ? try MapWatch(library) : nil)
        } catch {
            remote?.stop()
            throw .threads(cause: "\(error)")
        }
    }

    /// What asks other servers for tiles; nil where none may be asked. It is not the one of originals: who may be asked for
    /// maps is no answer to who may be asked for pictures.
    private static func mapFetcher(
        _ configuration: Configuration, _ identities: OriginIdentities
    ) throws(ServiceError) -> Fetcher? {
        let origins = configuration.mapOrigins
        guard !configuration.offline, !origins.isEmpty else { return nil }
        var settings = Fetcher.Settings()
        settings.origins = origins
        settings.addresses = AddressPolicy(exceptions: configuration.remoteAddresses)
        settings.identities = identities
        settings.limits.total = .seconds(configuration.remoteTimeout)
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        do throws(Errno) {
            return try Fetcher(settings)
        } catch {
            throw .threads(cause: "\(error)")
        }
    }
}

extension Configuration {
    /// Who may be asked for maps: those that are named for it, and the one that has the archive.
    var mapOrigins: OriginList {
        guard let mapArchive, let url = try? OriginURL(mapArchive) else { return mapAllow }
        return mapAllow.adding(url.origin)
    }
}
