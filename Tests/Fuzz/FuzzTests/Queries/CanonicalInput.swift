import ImagePlan
import MapGrammar
import MapPlan
import MapRender
import Parameters

// The first byte of an input says which request the rest is.

/// What `scripts/fuzz canonical` runs: a request and its canonical text mean the same, whatever the spelling, and can be
/// planned and priced.
enum CanonicalInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let rest = input.rest()
        if selector % 5 == 4 { return try checkBody(rest) }
        guard let items = try QueryInput.items(of: String(decoding: rest, as: UTF8.self)) else { return }
        switch selector % 5 {
        case 0: try checkImage(items, source: selector / 5)
        case 1: try checkMap(items, .picture)
        case 2: try checkMap(items, .positions)
        default: try checkTile(items)
        }
    }

    // MARK: Images

    private static func checkImage(_ items: [QueryItem], source: UInt8) throws(BrokenInvariant) {
        let found = try QueryInput.parsed { () throws(ParameterFaults) in try ImageRequest.parse(items) }
        let reversed = try QueryInput.parsed { () throws(ParameterFaults) in try ImageRequest.parse(items.reversed()) }
        try BrokenInvariant.require(
            found?.canonical == reversed?.canonical, "\(items): the order of parameters changes the picture")
        guard let request = found else { return }
        try QueryInput.checkReading(request.canonical) { items throws(ParameterFaults) in
            try ImageRequest.parse(items).canonical
        }
        try checkPlan(request, source)
    }

    private static let sources = [
        ImageHeader(format: .jpeg, widthPx: 4000, heightPx: 3000, orientation: 6),
        ImageHeader(format: .png, widthPx: 1, heightPx: 1, hasAlpha: true, bitDepth: 16),
        ImageHeader(format: .gif, widthPx: 300, heightPx: 7, pageCount: 900, isAnimated: true),
        ImageHeader(format: .webp, widthPx: 1, heightPx: 16_383),
        ImageHeader(format: .tiff, widthPx: 1 << 30, heightPx: 1 << 30, orientation: 8, pageCount: 100_000),
        ImageHeader(format: .svg, widthPx: 5, heightPx: 50_000),
    ]

    private static func checkPlan(_ request: ImageRequest, _ index: UInt8) throws(BrokenInvariant) {
        let source = sources[Int(index) % sources.count]
        for accepting in [Acceptance(only: .jpeg), Acceptance(only: .webp)] {
            guard let planning = try? request.planning(for: source, accepting: accepting),
                case .plan(let plan) = planning
            else { continue }
            let isHeld = (1...16_384).contains(plan.outputWidthPx) && (1...16_384).contains(plan.outputHeightPx)
            try BrokenInvariant.require(
                isHeld, "\(request.canonical) has \(plan.outputWidthPx) x \(plan.outputHeightPx)")
            let cost = plan.predictedCost(source)
            try BrokenInvariant.require(cost.microseconds >= 0 && cost.byteCount >= 0, "\(request.canonical): \(cost)")
        }
    }

    // MARK: Maps

    static func checkMap(_ items: [QueryItem], _ purpose: MapRequest.Purpose) throws(BrokenInvariant) {
        let found = try QueryInput.parsed { () throws(ParameterFaults) in try MapRequest.parse(items, for: purpose) }
        guard let request = found else { return }
        let canonical = request.canonical
        // GeoJSON makes more overlays than a query has room for.
        let written =
            request.canonicalItems.count > QueryItems.countLimit
            ? request.canonicalItems : try QueryInput.items(ofCanonical: canonical)
        let again = try QueryInput.parsed { () throws(ParameterFaults) in try MapRequest.parse(written, for: purpose) }
        try BrokenInvariant.require(
            again?.canonical == canonical, "\(canonical) became \(again?.canonical ?? "nothing")")
        let camera = request.camera { _, _ in 5 }
        let isHeld =
            (-180...180).contains(camera.longitude) && (-90...90).contains(camera.latitude) && camera.zoom.isFinite
        try BrokenInvariant.require(isHeld, "\(canonical) is seen from \(camera)")
        let work = request.overlayWork(from: camera)
        let cost = request.predictedCost(from: camera, encodedAs: .png, overlayWork: work)
        try BrokenInvariant.require(cost.microseconds > 0 && cost.byteCount > 0, "\(canonical): \(cost)")
        try BrokenInvariant.require(work.dashCount >= 0, "\(canonical): dashes")
    }

    private static func checkTile(_ items: [QueryItem]) throws(BrokenInvariant) {
        let found = try QueryInput.parsed { () throws(ParameterFaults) in try TileRequest.parse(items) }
        let reversed = try QueryInput.parsed { () throws(ParameterFaults) in try TileRequest.parse(items.reversed()) }
        try BrokenInvariant.require(found == reversed, "\(items): the order of parameters changes the tile")
        guard let request = found else { return }
        let written = try QueryInput.items(ofCanonical: request.canonical)
        let again = try QueryInput.parsed { () throws(ParameterFaults) in try TileRequest.parse(written) }
        try BrokenInvariant.require(again == request, "\(request) became \(String(describing: again))")
    }

    private static func checkBody(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let items = try QueryInput.parsed { () throws(ParameterFaults) in try MapRequest.items(ofBody: bytes) }
        guard let items else { return }
        try BrokenInvariant.require(items.count <= MapRequest.bodyItemLimit, "\(items.count) items")
        try checkMap(items, .picture)
    }
}
