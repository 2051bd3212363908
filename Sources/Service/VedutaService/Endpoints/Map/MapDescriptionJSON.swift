import JSON
import MapGrammar
import MapPlan
import MapRender

/// What `/map.json` says of a map: what it shows, and where on it places are, by the projection that draws it. Numbers have
/// seven decimals: a centimetre of ground, and less than anything that is seen of a pixel.
enum MapDescriptionJSON {
    /// JSON text with a line end.
    static func text(
        _ request: MapRequest, _ camera: Camera, style: String,
        _ summary: (coverage: MapCoverage, attribution: [String])
    ) -> String {
        let view = View(camera)
        var json = JSONText()
        json.object { json in
            json.name("center")
            place(camera.latitude, request.longitude(of: camera), &json)
            json.member("zoom", camera.zoom + 1, places: 7)
            json.member("glzoom", camera.zoom, places: 7)
            json.member("bearing", camera.bearing, places: 7)
            json.member("pitch", camera.pitch, places: 7)
            json.member("width", request.widthPx)
            json.member("height", request.heightPx)
            json.member("scale", camera.pixelRatio, places: 7)
            json.member("style", style)
            bounds(view, &json)
            json.member("metersPerPixel", view.metresPerPixel, places: 7)
            json.member("coverage", summary.coverage.rawValue)
            json.name("attribution")
            json.array { json in summary.attribution.forEach { json.string($0) } }
            json.name("points")
            positions(request.points, view, &json)
            json.name("overlays")
            json.array { json in
                for overlay in request.overlays { self.overlay(overlay, view, &json) }
            }
        }
        return json.text + "\n"
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
            json.name("places")
            positions(places, view, &json)
        }
    }

    private static func positions(_ places: [GeoPlace], _ view: View, _ json: inout JSONText) {
        json.array { json in
            for place in places {
                let point = view.point(of: GroundPlace(longitude: place.longitude, latitude: place.latitude))
                    .map { (x: $0.x / view.pixelRatio, y: $0.y / view.pixelRatio) }
                json.object { json in
                    json.member("latitude", place.latitude, places: 7)
                    json.member("longitude", place.longitude, places: 7)
                    json.member("x", point?.x, places: 7)
                    json.member("y", point?.y, places: 7)
                    json.member(
                        "visible",
                        point.map {
                            $0.x >= 0 && $0.y >= 0 && $0.x <= view.camera.width && $0.y <= view.camera.height
                        } ?? false)
                }
            }
        }
    }

    private static func bounds(_ view: View, _ json: inout JSONText) {
        let bounds = view.bounds
        json.name("bounds")
        json.object { json in
            json.member("west", bounds.west, places: 7)
            json.member("south", bounds.south, places: 7)
            json.member("east", bounds.east, places: 7)
            json.member("north", bounds.north, places: 7)
        }
    }

    private static func place(_ latitude: Double, _ longitude: Double, _ json: inout JSONText) {
        json.object { json in
            json.member("latitude", latitude, places: 7)
            json.member("longitude", longitude, places: 7)
        }
    }
}
