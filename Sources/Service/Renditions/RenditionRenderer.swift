package import Bytes
package import HTTPServer

/// Reads the sources of a rendition and makes it, on a worker's thread.
package protocol RenditionRenderer: Sendable {
    /// Polls `shouldStop` of the job, and asks `admit` when the cost is known.
    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent

    /// What it takes in memory beside the texts of the request, about.
    var heldByteCount: Int { get }
}

extension RenditionRenderer {
    package var heldByteCount: Int { 0 }
}

package struct RenderedContent: Sendable {
    package let bytes: SharedBytes
    package let mediaType: String
    /// Field lines that go with these bytes, the same for all clients.
    package var fields: FieldLines
    /// Of the sources as they were read, which may have changed since a request observed them.
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
