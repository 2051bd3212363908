package import Bytes

/// A finished map.
package struct RenderedMap: Sendable {
    /// RGBA8, premultiplied, row-major without padding, origin at the top left.
    package let pixels: SharedBytes
    /// Device pixels.
    package let widthPx: Int
    /// Device pixels.
    package let heightPx: Int
    /// How long each part of the work took.
    package let timings: MapTimings
    /// What could not be had or read, each once and at most ``FaultBook/limit``; gaps are there instead. For the log.
    package let faults: [MapFault]
}

/// How long the parts of a picture took.
package struct MapTimings: Sendable {
    /// Reading and decoding tiles, sprites and documents.
    package var decode = Duration.zero
    /// Laying out symbols and placing them.
    package var place = Duration.zero
    /// Writing the display list.
    package var prepare = Duration.zero
    /// Rasterising.
    package var draw = Duration.zero
}

/// Something of a style that could not be had or read.
package struct MapFault: Equatable, Sendable {
    /// The source, or what else it belongs to.
    package var source: String
    /// What happened.
    package var cause: String
}

/// Collects the faults of one picture.
final class FaultBook {
    /// How many are kept.
    static let limit = 32

    private(set) var faults: [MapFault] = []

    /// Adds a fault, unless it is known or there are too many.
    func add(_ source: String, _ cause: String) {
        let fault = MapFault(source: source, cause: cause)
        if faults.count < Self.limit, !faults.contains(fault) { faults.append(fault) }
    }
}
