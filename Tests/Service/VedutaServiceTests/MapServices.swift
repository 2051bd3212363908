import Logging
import MapSources
import ServiceConfiguration

@testable import VedutaService

/// What makes maps, in tests.
enum MapServices {
    /// The built-in world in the built-in styles.
    static func world(_ configuration: Configuration = Configuration()) throws -> MapService {
        let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        return MapService(
            configuration, try OpenedService.openMaps(configuration, log), metrics: ServiceMetrics(), log: log)
    }
}
