import ImagePlan
import Parameters

/// Requests for images that tell by their parameters alone that they ask for little.
enum PlainRequest {
    static let smallSide = 256

    /// Only `id` and `preset`, each once and with a value: an empty parameter is none.
    static func isPreset(_ items: [QueryItem]) -> Bool {
        items.count == 2 && Set(items.map(\.name)) == ["id", "preset"] && items.allSatisfy { !$0.value.isEmpty }
    }

    /// Both sides, in pixels, and nothing that makes encoding or filtering expensive. One side says nothing about the
    /// other, and `fit=outside` goes beyond the box. `hints` are those that the image is made by.
    static func isSmall(_ items: [QueryItem], _ hints: ClientHints) -> Bool {
        let allowed: Set = ["id", "width", "height", "scale", "fit", "gravity", "format", "quality", "background"]
        let names = items.map { ImageRequest.table.parameter(named: $0.name)?.name ?? $0.name }
        guard Set(names).isSubset(of: allowed), !items.contains(where: { $0.value == "json" }),
            let request = try? ImageRequest.parse(items, hints: hints), request.fit != .outside,
            request.quality?.isAutomatic != true
        else { return false }
        return [request.width, request.height].allSatisfy { side in
            guard case .pixels(let count)? = side else { return false }
            return request.scale.multiplied(by: count).map { $0 <= smallSide } ?? false
        }
    }
}
