import Bytes
import Colors
import Foundation
@testable import MapGrammar
import MapRender
import Parameters
import Raster
import Testing

/// Pictures to look at: written below `VEDUTA_PICTURES` where that names a folder.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: ProcessInfo.processInfo.environment["VEDUTA_PICTURES"] != nil, "VEDUTA_PICTURES names no folder"))
struct OverlayGallery {
    private let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["VEDUTA_PICTURES"] ?? "/nowhere")

    private func write(_ picture: TrialPicture, _ name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try #require(picture.png).write(to: folder.appendingPathComponent(name + ".png"))
    }

    private func place(_ latitude: Double, _ longitude: Double) -> GeoPlace {
        GeoPlace(longitude: longitude, latitude: latitude)
    }

    private func color(_ text: String) -> Color { Color(text: text) ?? .black }

    private func marker(
        _ latitude: Double, _ longitude: Double, _ content: MapMarker.Content = .dot, _ color: String = "d63e2a",
        size: Double = 36, title: String? = nil
    ) -> MapOverlay {
        var marker = MapMarker(places: [place(latitude, longitude)])
        marker.look = .pin(content)
        marker.color = self.color(color)
        marker.size = size
        marker.title = title
        return .marker(marker)
    }

    private func icon() -> Texture? {
        var bytes: [UInt8] = []
        for y in 0..<200 {
            for x in 0..<300 {
                let isRed = (x / 50 + y / 50) % 2 == 0
                bytes += isRed ? [220, 60, 60, 255] : [250, 240, 220, 255]
            }
        }
        return Texture(widthPx: 300, heightPx: 200, format: .rgba, texels: SharedBytes(bytes))
    }

    private func florence() -> [MapOverlay] {
        var path = MapPath(places: [
            place(43.7687, 11.2569), place(43.7696, 11.2558), place(43.7711, 11.2542), place(43.7731, 11.2560),
            place(43.7747, 11.2570), place(43.7766, 11.2589),
        ])
        path.stroke.borderColor = .white
        path.stroke.borderWidth = 1.5
        path.stroke.width = 5
        var dashed = MapPath(places: [place(43.7687, 11.2569), place(43.7679, 11.2531), place(43.7650, 11.2500)])
        dashed.stroke.dashes = [8, 6]
        dashed.stroke.color = color("7a2fd0")
        var dots = MapPath(places: [place(43.7650, 11.2500), place(43.7640, 11.2560), place(43.7687, 11.2569)])
        dots.stroke.dashes = [0, 8]
        dots.stroke.color = color("e0561b")
        var polygon = MapPolygon(rings: [
            [place(43.7742, 11.2500), place(43.7742, 11.2540), place(43.7722, 11.2540), place(43.7722, 11.2500)],
            [place(43.7737, 11.2510), place(43.7737, 11.2530), place(43.7727, 11.2530), place(43.7727, 11.2510)],
        ])
        polygon.fill = color("2b8a3e60")
        polygon.stroke?.color = color("2b8a3e")
        polygon.stroke?.width = 2
        var circle = MapCircle(center: place(43.7687, 11.2569), radius: .metres(150))
        circle.stroke?.width = 2
        var icon = MapMarker(places: [place(43.7755, 11.2500)])
        icon.look = .icon(id: "chess")
        icon.anchor = .center
        icon.size = 48
        icon.title = "An icon"
        return [
            .polygon(polygon), .circle(circle), .path(path), .path(dashed), .path(dots), .marker(icon),
            marker(43.7731, 11.2560, .text("1"), title: "Duomo di Firenze"),
            marker(43.7687, 11.2569, .text("A"), "1f6feb"),
            marker(43.7766, 11.2589, .text("42"), "2b8a3e", size: 48), marker(43.7679, 11.2531, .dot, "f2c037"),
            marker(43.7650, 11.2500, .text("Bar"), "333333", size: 64, title: "Santo Spirito"),
            marker(43.7700, 11.2620, .dot, "ffffff", size: 24), marker(43.7710, 11.2620, .dot, "d63e2a", size: 16),
        ]
    }

    @Test(arguments: ["light", "dark"]) func florence(_ style: String) throws {
        let map = try #require(try TrialMap.builtIn(style, archive: "firenze.pmtiles"))
        var camera = Camera(longitude: 11.2560, latitude: 43.7705, zoom: 14.3, width: 600, height: 450)
        let icons: [ExactText: Texture] = icon().map { ["chess": $0] } ?? [:]
        for ratio in [1.0, 2] {
            camera.pixelRatio = ratio
            let picture = try map.render(florence(), camera, icons: icons, attribution: true)
            try write(picture, "florence-\(style)-\(Int(ratio))x")
        }
        camera.pixelRatio = 1
        camera.pitch = 50
        camera.bearing = 30
        try write(try map.render(florence(), camera, icons: icons, attribution: true), "florence-\(style)-tilted")
        camera.pitch = 0
        var look = MapLook()
        look.below = "labels"
        try write(try map.render(florence(), camera, look, icons: icons), "florence-\(style)-below")
        look.hasLabels = false
        try write(try map.render([], camera, look), "florence-\(style)-bare")
    }

    @Test(arguments: ["light", "dark"]) func world(_ style: String) throws {
        let map = try #require(try TrialMap.builtIn(style))
        var flight = MapPath(places: [place(51.47, -0.45), place(40.64, -73.78)])
        flight.isGeodesic = true
        flight.stroke.width = 3
        var pacific = MapPath(places: [place(35.55, 139.78), place(37.62, -122.38)])
        pacific.isGeodesic = true
        pacific.stroke.color = color("e0561b")
        pacific.stroke.dashes = [6, 4]
        var polar = MapPath(places: [place(60, 20), place(62, -150)])
        polar.isGeodesic = true
        polar.stroke.color = color("7a2fd0")
        polar.stroke.width = 2
        let circles = [(51.5, 0.0, 1e6), (-20, 178.0, 1.5e6), (75, -100, 2.5e6), (-80, 0, 1.5e6)].map {
            MapOverlay.circle(MapCircle(center: place($0.0, $0.1), radius: .metres($0.2)))
        }
        var area = MapPolygon(rings: [[place(10, 150), place(10, 210), place(-30, 210), place(-30, 150)]])
        area.fill = color("2b8a3e50")
        let overlays =
            circles + [.polygon(area), .path(flight), .path(pacific), .path(polar)] + [
                marker(51.47, -0.45, .text("L"), title: "London"), marker(40.64, -73.78, .text("N"), title: "New York"),
                marker(35.55, 139.78, title: "東京"), marker(0, 180, .text("±"), "1f6feb"),
            ]
        var camera = Camera(longitude: 0, latitude: 20, zoom: 0.5, width: 1100, height: 600)
        try write(try map.render(overlays, camera, attribution: true), "world-\(style)")
        camera.longitude = 180
        var look = MapLook()
        look.languages = ["ru", "it"]
        look.attribution = .topLeft
        try write(try map.render(overlays, camera, look), "world-\(style)-pacific")
    }

    @Test func hugeCircle() throws {
        let map = try #require(try TrialMap.builtIn("light"))
        let circle = MapOverlay.circle(MapCircle(center: place(40, 10), radius: .metres(15e6)))
        let camera = Camera(longitude: 0, latitude: 0, zoom: 0.3, width: 900, height: 600)
        try write(try map.render([circle], camera), "world-huge-circle")
    }

    @Test func pins() throws {
        let map = try TrialMap.plain("#e8e4da")
        var camera = Camera(longitude: 0, latitude: 0, zoom: 10, width: 500, height: 200)
        camera.pixelRatio = 2
        let colors = ["d63e2a", "1f6feb", "2b8a3e", "f2c037", "ffffff", "222222", "e91e8c", "7a2fd080"]
        var overlays: [MapOverlay] = []
        for (index, name) in colors.enumerated() {
            let longitude = (Double(index) - 3.5) * 60 / 512 / 1024 * 360
            overlays.append(
                marker(0.02, longitude, .text(["1", "A", "42", "Ж", "99+", "é", "W", "7"][index]), name, size: 48))
            overlays.append(marker(-0.02, longitude, .dot, name, size: 36))
            overlays.append(marker(-0.05, longitude, .text("12"), name, size: 20))
        }
        try write(try map.render(overlays, camera), "pins")
    }

    @Test func attributionCorners() throws {
        let map = try #require(try TrialMap.builtIn("light"))
        for side in [16.0, 64, 100, 200, 400] {
            var look = MapLook()
            look.attribution = .bottomRight
            let camera = Camera(longitude: 10, latitude: 45, zoom: 3, width: side, height: side)
            try write(try map.render([], camera, look, attribution: true), "attribution-\(Int(side))")
        }
    }
}
