import MapGrammar
import Renditions

/// One map, and what it is made of.
struct MapSubject: RenditionSource {
    let request: MapRequest
    let maps: MapService
    /// nil: no marker shows an image.
    var icons: MapIcons?

    var preparation: (any SourcePreparation)? { icons?.preparation }

    func currentState() throws(RenditionError) -> SourceValidator {
        .map(try maps.style(request.style), of: request, icons: try icons?.states() ?? [])
    }
}
