package import Bytes
package import HTTPServer

package protocol RenditionSource: Sendable {
    /// The state of all sources now. Opens and reads nothing: quick enough for a loop's thread.
    func currentState() throws(RenditionError) -> SourceValidator
    /// What `currentState` needs first; nil: never anything.
    var preparation: (any SourcePreparation)? { get }
    /// Runs on a worker. Polls `shouldStop` of the job, and asks `admit` when the cost is known.
    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent
}

extension RenditionSource {
    package var preparation: (any SourcePreparation)? { nil }
}

/// Fetches sources of other servers, and reads files that have changed. Nobody waits for that but the client.
package protocol SourcePreparation: Sendable {
    var count: Int { get }
    /// Whether the sources can be observed without reading anything.
    var isRead: Bool { get }
    /// Prepares the source at `index`. nil: it is ready; else `done` is called once it is, on any thread, unless the
    /// result is called first, because nobody waits any more.
    func begin(
        _ index: Int, for request: Request, done: @escaping @Sendable () -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)?
    /// Has the first source observed again, if its time has come; nobody waits.
    func refresh()
}

package struct RenderedContent: Sendable {
    package let bytes: SharedBytes
    package let mediaType: String
    /// Field lines of these bytes, whoever gets them.
    package var fields: FieldLines
    package let validator: SourceValidator
    /// Whether it is kept for ``RenditionPolicy/briefSeconds`` though incomplete: the rest will hardly come sooner.
    package var isKeptBriefly: Bool
    package let timings: [RenderTiming]

    package init(
        _ bytes: SharedBytes, mediaType: String, fields: FieldLines = FieldLines(), validator: SourceValidator,
        isKeptBriefly: Bool = false, timings: [RenderTiming] = []
    ) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.fields = fields
        self.validator = validator
        self.isKeptBriefly = isKeptBriefly
        self.timings = timings
    }
}

package typealias RenderTiming = (name: StaticString, duration: Duration)
