package import HTTPServer
package import Reactor

/// Tells what the sources of a rendition are like. Requests ask it on a loop's thread.
package protocol RenditionSource: Sendable {
    /// The state of all sources now. Opens and reads nothing: quick enough for a loop's thread.
    func currentState() throws(RenditionError) -> SourceValidator
    /// What `currentState` needs first; nil: never anything.
    var preparation: (any SourcePreparation)? { get }
}

extension RenditionSource {
    package var preparation: (any SourcePreparation)? { nil }
}

/// Fetches sources of other servers, and reads files that have changed. Nobody waits for that but the client.
package protocol SourcePreparation: Sendable {
    var count: Int { get }
    /// Whether the sources can be observed without reading anything.
    var isRead: Bool { get }
    /// Prepares the source at `index`, in the turn of `client`. nil: it is ready; else `done` is called once it is, or with why
    /// it is not made ready, on any thread, unless the result is called first, because nobody waits any more.
    func begin(
        _ index: Int, for request: Request, of client: ClientNetwork?,
        done: @escaping @Sendable (RenditionError?) -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)?
    /// Has the first source observed again, if its time has come; nobody waits.
    func refresh()
}
