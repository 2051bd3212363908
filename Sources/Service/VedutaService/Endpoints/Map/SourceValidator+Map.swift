import MapGrammar
import MapPlan
import MapRender
import MapSources
import Originals
import Renditions

extension SourceValidator {
    /// The sources and style of a map, and its icons; whether something is missing that may be there soon.
    static func map(
        _ style: MapStyleEntry, of request: MapRequest, icons: [OriginalState] = [], isIncomplete: Bool = false
    ) -> SourceValidator {
        .map(style.validator(seenFrom: request.knownCamera), icons: icons, isIncomplete: isIncomplete)
    }

    static func map(_ text: String, icons: [OriginalState] = [], isIncomplete: Bool = false) -> SourceValidator {
        let whole = SourceValidator(([text] + icons.map(\.validator)).joined(separator: "+"), mayLack: true)
        return isIncomplete ? whole.incomplete ?? whole : whole
    }
}

extension MapRequest {
    /// The camera where it follows quickly and without asking sources; nil elsewhere: the map may be of anywhere then.
    fileprivate var knownCamera: Camera? {
        switch placement {
        case .center(_, _, .automatic), .overlays: nil
        case .center, .box: camera { _, _ in 0 }
        }
    }
}

extension MapStyleEntry {
    /// Changes with what maps from this camera are made of, the world around the archive included where it may be seen.
    func validator(seenFrom camera: @autoclosure () -> Camera?) -> String {
        guard let world, let state = world.validator(seenFrom: camera()) else { return validator }
        return "\(validator) around \(state)"
    }
}
