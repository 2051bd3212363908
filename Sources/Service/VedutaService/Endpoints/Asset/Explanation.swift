import JSON
import Renditions

/// What `explain=1` asks for: the image is made and thrown away, and what was done is told, with the times that took.
struct Explanation: Sendable {
    /// Of the same request without `explain`.
    let rendition: Rendition
    /// On a worker: makes it.
    let make: @Sendable (RenderJob) throws(RenditionError) -> Explained

    enum Kept: String, Sendable { case memory, disk, no }
}

/// What is told of an image that was made, besides where it is kept.
struct Explained {
    let timings: [RenderTiming]
    /// `isFallback`: another image is shown in place of the one that was asked for.
    let write: (_ isFallback: Bool, _ json: inout JSONText) -> Void
}
