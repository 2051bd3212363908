import MapSources
import Origin

/// The sources and styles of maps, what asks other servers for those that they have, and what looks after the files.
struct OpenedMaps: Sendable {
    let library: MapLibrary
    let fetcher: Fetcher?
    let watch: MapWatch?

    /// Ends the threads. Call it once.
    func stop() {
        watch?.stop()
        fetcher?.stop()
    }
}
