package import Bytes
package import HTTPServer

/// What a rendition is made of, and how.
package protocol RenditionSource: Sendable {
    /// The state of all sources now. Opens and reads nothing: it is quick enough for a loop's thread.
    func currentState() throws(RenditionError) -> SourceValidator
    /// What has to be here before `currentState` can tell it; nil: nothing ever.
    var preparation: (any SourcePreparation)? { get }
    /// Makes the rendition, on a worker. Polls `shouldStop` of the job, and asks it when the cost is known.
    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent
}

extension RenditionSource {
    package var preparation: (any SourcePreparation)? { nil }
}

/// Gets what sources of other servers, or files that have changed, are like. Nobody waits for that but the client.
package protocol SourcePreparation: Sendable {
    /// How many sources there are to wait for.
    var count: Int { get }
    /// Whether nothing has to be read before the sources can be looked at.
    var isRead: Bool { get }
    /// Sees to the source at `index`. nil: it is ready; else `done` is called once it is, on any thread, unless what is
    /// returned is called first: nobody waits any more.
    func begin(
        _ index: Int, for request: Request, done: @escaping @Sendable () -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)?
    /// Has the first source looked at again, if its time has come; nobody waits.
    func refresh()
}

/// What a render made, and of which state of its sources.
package struct RenderedContent: Sendable {
    package let bytes: SharedBytes
    package let mediaType: String
    /// Field lines that belong to these bytes, whoever gets them.
    package var fields: FieldLines
    package let validator: SourceValidator
    /// Whether it is kept for ``RenditionPolicy/briefSeconds`` though it is incomplete: what it lacks will hardly be there
    /// sooner.
    package var isKeptBriefly: Bool
    /// How long each stage took.
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

/// How long one stage of a render took.
package typealias RenderTiming = (name: StaticString, duration: Duration)
