import JSON
import MapGrammar
import MapPlan
import MapRender

/// What `/map.json` tells of a map: what it shows, and where places are on it, by the projection that draws it. Seven
/// decimals are a centimetre of ground, and less than anyone sees of a pixel.
enum MapDescriptionJSON {
    static func text(
        _ request: MapRequest, _ camera: Camera, style: String,
        _ summary: (coverage: MapCoverage, attribution: [String]), boxes: MapBoxes
    ) -> String {
        let view = View(camera)
        var picture = request
        picture.points = []
        return JSONText.line { json in
            json.member("canonical", picture.canonical)
            json.object("center") { json in
                json.member("latitude", camera.latitude, places: 7)
                json.member("longitude", request.longitude(of: camera), places: 7)
            }
            json.member("zoom", camera.zoom + 1, places: 7)
            json.member("glzoom", camera.zoom, places: 7)
            json.member("bearing", camera.bearing, places: 7)
            json.member("pitch", camera.pitch, places: 7)
            json.member("width", request.widthPx)
            json.member("height", request.heightPx)
            json.member("scale", camera.pixelRatio, places: 7)
            json.member("style", style)
            let bounds = view.bounds
            json.object("bounds") { json in
                json.member("west", bounds.west, places: 7)
                json.member("south", bounds.south, places: 7)
                json.member("east", bounds.east, places: 7)
                json.member("north", bounds.north, places: 7)
            }
            json.member("metersPerPixel", view.metresPerPixel, places: 7)
            json.member("coverage", summary.coverage.rawValue)
            json.array("attribution", of: summary.attribution) { $0.string($1) }
            json.object("boxes") { json in
                for (name, box) in [
                    ("attribution", boxes.attribution), ("scaleBar", boxes.scaleBar), ("northArrow", boxes.northArrow),
                ] {
                    if let box { json.object(name) { write(box, &$0) } } else { json.member(name, nil as Bool?) }
                }
                json.array("titles", of: boxes.titles) { json, title in
                    json.object { json in
                        json.member("text", title.text)
                        write(title.box, &json)
                    }
                }
            }
            positions("points", request.points, view, into: &json)
            json.array("overlays", of: request.overlays) { overlay($1, view, &$0) }
        }
    }

    private static func write(_ box: Box, _ json: inout JSONText) {
        for (name, length) in [("x", box.left), ("y", box.top), ("width", box.width), ("height", box.height)] {
            json.member(name, length, places: 2)
        }
    }

    private static func overlay(_ overlay: MapOverlay, _ view: View, _ json: inout JSONText) {
        let (kind, places): (String, [GeoPlace]) =
            switch overlay {
            case .marker(let marker): ("marker", marker.places)
            case .path(let path): ("path", path.places)
            case .polygon(let polygon): ("polygon", polygon.rings.flatMap(\.self))
            case .circle(let circle): ("circle", [circle.center])
            }
        json.object { json in
            json.member("kind", kind)
            positions("places", places, view, into: &json)
        }
    }

    private static func positions(_ name: String, _ places: [GeoPlace], _ view: View, into json: inout JSONText) {
        json.array(name, of: places) { json, place in
            let point = view.point(of: GroundPlace(longitude: place.longitude, latitude: place.latitude))
                .map { (x: $0.x / view.pixelRatio, y: $0.y / view.pixelRatio) }
            let isVisible = point.map {
                $0.x >= 0 && $0.y >= 0 && $0.x <= view.camera.width && $0.y <= view.camera.height
            }
            json.object { json in
                json.member("latitude", place.latitude, places: 7)
                json.member("longitude", place.longitude, places: 7)
                json.member("x", point?.x, places: 7)
                json.member("y", point?.y, places: 7)
                json.member("visible", isVisible ?? false)
            }
        }
    }
}
