import MapGrammar
import Parameters

// The first byte of an input chooses the precision and the limit; the rest is a polyline.

/// What `scripts/fuzz polyline` runs: encoded polylines, alone and in overlays.
enum PolylineInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let precision = selector & 1 == 0 ? Polyline.Precision.five : .six
        let limit = selector & 2 == 0 ? 5 : 20_000
        let line = input.rest()
        if let places = try? Polyline.decode(line, precision, limit: limit) {
            try BrokenInvariant.require(places.count <= min(limit, line.count / 2), "\(places.count) places")
            let text = Polyline.encode(places)
            guard let again = try? Polyline.decode(Array(text.utf8), precision, limit: limit) else {
                throw BrokenInvariant("\(text) is refused")
            }
            try BrokenInvariant.require(again.elementsEqual(places, by: ==), "\(places) became \(again)")
            // The shortest spelling is the only one that is written.
            try BrokenInvariant.require(
                Polyline.encode(again) == text && text.utf8.count <= line.count, "\(text) is longer")
        }
        let name = selector & 4 == 0 ? "path" : "polygon"
        let kind = precision == .five ? "enc" : "enc6"
        let value = "\(selector & 8 == 0 ? "" : "weight:3|")\(kind):\(String(decoding: line, as: UTF8.self))"
        let items = [QueryItem(name: name, value: value), QueryItem(name: "fit", value: "overlays")]
        try CanonicalInput.checkMap(items, .picture)
    }
}
