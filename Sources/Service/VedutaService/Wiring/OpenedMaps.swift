import MapSources
import OriginCache

/// The sources and styles of maps, what asks other servers for those that they have, and what looks after the files.
struct OpenedMaps: Sendable {
    let library: MapLibrary
    /// What is held of other servers; nil where none may be asked.
    let remote: OriginCache?
    let watch: MapWatch?

    /// Ends the threads. Call it once.
    func stop() {
        watch?.stop()
        remote?.stop()
    }
}
