import ImagePlan
import Parameters

/// Requests for images that tell by their parameters alone that they ask for little.
enum PlainRequest {
    static let smallSide = 256

    /// Only `id` and `preset`, each once.
    static func isPreset(_ items: [QueryItem]) -> Bool {
        let names = items.map(\.name)
        return names.count == 2 && Set(names) == ["id", "preset"]
    }

    /// Both sides or one, in pixels, and nothing that makes encoding or filtering expensive.
    static func isSmall(_ items: [QueryItem]) -> Bool {
        let allowed: Set = [
            "id", "width", "height", "scale", "fit", "crop", "gravity", "format", "quality", "background",
        ]
        let names = items.map { ImageRequest.table.parameter(named: $0.name)?.name ?? $0.name }
        guard Set(names).isSubset(of: allowed), !items.contains(where: { $0.value == "json" || $0.value == "auto" }),
            let request = try? ImageRequest.parse(items)
        else { return false }
        let sides = [request.width, request.height].compactMap(\.self)
        return !sides.isEmpty
            && sides.allSatisfy { side in
                guard case .pixels(let count) = side else { return false }
                return request.scale.multiplied(by: count).map { $0 <= smallSide } ?? false
            }
    }
}
