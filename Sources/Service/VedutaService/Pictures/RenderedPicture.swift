import Bytes
import HTTPServer

/// A picture that was made, and of which state of its sources.
struct RenderedPicture: Sendable {
    /// The bytes.
    let content: SharedBytes
    /// Of what type they are.
    let mediaType: String
    /// Field lines that belong to these bytes, whoever gets them.
    var fields = FieldLines()
    let validator: SourceValidator
    /// Whether it is kept for ``PolicyLines/briefSeconds`` though it is incomplete: what it lacks will hardly be there sooner.
    var isKeptBriefly = false
    let timings: [(name: StaticString, duration: Duration)]
}
