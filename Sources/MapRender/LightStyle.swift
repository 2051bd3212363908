import Raster

// The built-in style: pale warm land, soft water and greens, white streets with grey casings, yellowish main roads. All
// colours are opaque, so features of one bucket may overlap and be cut at tile sides without a trace. Zooms and widths are
// those of the 256-pixel world in CSS pixels.

/// The style called `light`.
enum LightStyle {
    /// Part of the entity tag of every map: raise it with each change of what a picture looks like.
    static let version = "light-3"

    static let background = PaintColour(rgb: 0xe8e6e1)

    /// All layers, the lowest first.
    static let layers: [StyleLayer] = land + waters + tunnels + buildings + ground + bridges + boundaries

    private static func fill(_ bucket: FeatureBucket, _ rgb: UInt32, from zoom: Double = 0) -> StyleLayer {
        StyleLayer(bucket: bucket, zooms: zoom..<100, paint: .fill(PaintColour(rgb: rgb)))
    }

    private static func line(_ bucket: FeatureBucket, from zoom: Double, _ paint: LinePaint) -> StyleLayer {
        StyleLayer(bucket: bucket, zooms: zoom..<100, paint: .line(paint))
    }

    private static let land: [StyleLayer] = [
        fill(.earth, 0xf6f3ed),
        fill(.residential, 0xf0ece4, from: 8),
        fill(.farmland, 0xf1f1de, from: 8),
        fill(.glacier, 0xfbfcfd),
        fill(.sand, 0xf3ead0),
        fill(.grass, 0xe0eccf, from: 9),
        fill(.wood, 0xcfe3bd),
        fill(.industrial, 0xebe7e3, from: 10),
        fill(.institution, 0xf3eadf, from: 12),
        fill(.runwayArea, 0xe7e6ec, from: 10),
        fill(.park, 0xd3e9c3),
        fill(.cemetery, 0xd6e3cb, from: 12),
        fill(.pitch, 0xc3e2b8, from: 14),
        fill(.plaza, 0xfbf9f5, from: 14),
    ]

    private static let waters: [StyleLayer] = [
        line(.stream, from: 13, LinePaint(colour: water, width: ZoomRamp((13, 0.6), (16, 1.6), (20, 6)), cap: .round)),
        line(
            .river, from: 8,
            LinePaint(colour: water, width: ZoomRamp((8, 0.7), (12, 1.5), (16, 4), (20, 16)), cap: .round)),
        fill(.water, 0xa9d1ea),
        line(
            .ferry, from: 10,
            LinePaint(colour: PaintColour(rgb: 0x7fb0d3), width: ZoomRamp((10, 0.8), (16, 1.4)), dashes: [4, 3])),
    ]

    private static let water = PaintColour(rgb: 0xa9d1ea)

    private static let buildings: [StyleLayer] = [
        fill(.building, 0xe4ddd3, from: 14),
        StyleLayer(
            bucket: .building, zooms: 16..<100,
            paint: .outline(
                LinePaint(colour: PaintColour(rgb: 0xd2c8ba), width: ZoomRamp((16, 0.6), (18, 1), (20, 1.4))))),
    ]

    private static let boundaries: [StyleLayer] = [
        line(
            .region, from: 4,
            LinePaint(
                colour: PaintColour(rgb: 0xb9a9bf), width: ZoomRamp((4, 0.6), (8, 1), (14, 1.6)), dashes: [4, 3])),
        StyleLayer(
            bucket: .country, zooms: 0..<5,
            paint: .line(LinePaint(colour: PaintColour(rgb: 0xb5a6bd), width: ZoomRamp((0, 0.5), (5, 1)), cap: .round))),
        line(
            .country, from: 5,
            LinePaint(
                colour: PaintColour(rgb: 0x9d8aa8), width: ZoomRamp((5, 1.1), (8, 1.6), (14, 2.6)), dashes: [7, 2.5])),
    ]
}

// Roads: how each class looks, and from it the layers of each level.
extension LightStyle {
    private struct RoadLook {
        var road: RoadClass
        var zoom: Double
        var width: ZoomRamp
        var colour: UInt32
        var casing: UInt32
        /// From here on the casing shows.
        var casingZoom: Double
    }

    private static let casingWidth = ZoomRamp((8, 0.5), (13, 0.6), (16, 0.9), (18, 1.2), (20, 1.6))

    private static let looks: [RoadLook] = [
        RoadLook(
            road: .service, zoom: 14.5, width: ZoomRamp((14, 0.8), (15, 1.4), (16, 2.6), (17, 4.8), (18, 9), (20, 26)),
            colour: 0xffffff, casing: 0xd0c8bb, casingZoom: 15),
        RoadLook(
            road: .minor, zoom: 12.5,
            width: ZoomRamp((12, 0.6), (13, 1), (14, 1.8), (15, 3), (16, 5.6), (17, 9.5), (18, 17), (20, 44)),
            colour: 0xffffff, casing: 0xcbc3b5, casingZoom: 13.5),
        RoadLook(
            road: .medium, zoom: 9,
            width: ZoomRamp(
                (9, 0.6), (11, 1.2), (13, 2.2), (14, 3.2), (15, 4.8), (16, 8), (17, 13), (18, 22), (20, 52)),
            colour: 0xfffdf4, casing: 0xcdbf9f, casingZoom: 11),
        RoadLook(
            road: .major, zoom: 7,
            width: ZoomRamp(
                (7, 0.6), (10, 1.3), (12, 2.2), (14, 4.2), (15, 6), (16, 9.5), (17, 15), (18, 25), (20, 58)),
            colour: 0xfdeebb, casing: 0xdcc07a, casingZoom: 10.5),
        RoadLook(
            road: .highway, zoom: 5,
            width: ZoomRamp(
                (5, 0.7), (8, 1.4), (10, 2.2), (12, 3.2), (14, 5.2), (16, 11), (17, 17), (18, 28), (20, 62)),
            colour: 0xfbd98a, casing: 0xd9a94f, casingZoom: 8.5),
    ]

    private static let pathWidth = ZoomRamp((15, 0.7), (16, 0.9), (18, 1.8), (20, 3.5))
    private static let railWidth = ZoomRamp((10, 0.6), (13, 0.7), (15, 1.2), (16, 1.8), (18, 3.2), (20, 5))

    private static var tunnels: [StyleLayer] {
        var layers: [StyleLayer] = []
        for look in looks where look.road != .service {
            guard let bucket = FeatureBucket.road(look.road, .tunnel) else { continue }
            layers.append(
                line(
                    bucket, from: max(look.zoom, look.casingZoom),
                    LinePaint(
                        colour: PaintColour(rgb: look.casing), width: look.width, casing: casingWidth, dashes: [3, 2])))
        }
        for look in looks where look.road != .service {
            guard let bucket = FeatureBucket.road(look.road, .tunnel) else { continue }
            layers.append(
                line(
                    bucket, from: look.zoom,
                    LinePaint(colour: PaintColour(rgb: 0xf7f4ee), width: look.width, cap: .round)))
        }
        return layers
    }

    private static var ground: [StyleLayer] {
        var layers = [
            line(
                .runway, from: 10,
                LinePaint(colour: PaintColour(rgb: 0xdddce4), width: ZoomRamp((10, 1), (13, 5), (16, 28), (20, 200))))
        ]
        layers += paths(on: .ground) + casings(on: .ground) + fills(on: .ground) + rails(on: .ground)
        return layers
    }

    private static var bridges: [StyleLayer] {
        paths(on: .bridge) + casings(on: .bridge) + fills(on: .bridge) + rails(on: .bridge)
    }

    private static func paths(on level: RoadLevel) -> [StyleLayer] {
        guard let bucket = FeatureBucket.road(.path, level) else { return [] }
        var layers: [StyleLayer] = []
        if level == .bridge {
            layers.append(
                line(
                    bucket, from: 15.5,
                    LinePaint(
                        colour: PaintColour(rgb: 0xf3efe8), width: pathWidth, casing: ZoomRamp((16, 0.7), (18, 1.6)))))
        }
        layers.append(
            line(
                bucket, from: 15.5,
                LinePaint(colour: PaintColour(rgb: 0xcdbda6), width: pathWidth, dashes: [3, 2])))
        return layers
    }

    /// On the ground a casing is as round at its ends as the road, so that it surrounds dead ends too. A bridge goes on as a
    /// road, into which its casing must not reach.
    private static func casings(on level: RoadLevel) -> [StyleLayer] {
        looks.compactMap { look in
            FeatureBucket.road(look.road, level).map { bucket in
                line(
                    bucket, from: max(look.zoom, look.casingZoom),
                    LinePaint(
                        colour: PaintColour(rgb: look.casing), width: look.width, casing: casingWidth,
                        cap: level == .ground ? .round : .butt))
            }
        }
    }

    private static func fills(on level: RoadLevel) -> [StyleLayer] {
        looks.compactMap { look in
            FeatureBucket.road(look.road, level).map { bucket in
                line(
                    bucket, from: look.zoom,
                    LinePaint(
                        colour: PaintColour(rgb: look.colour), width: look.width, cap: .round
                    ))
            }
        }
    }

    /// A dark line with light sleepers; from afar just the line.
    private static func rails(on level: RoadLevel) -> [StyleLayer] {
        guard let bucket = FeatureBucket.road(.rail, level) else { return [] }
        return [
            line(bucket, from: 9, LinePaint(colour: PaintColour(rgb: 0xbdb8b2), width: railWidth)),
            line(
                bucket, from: 16,
                LinePaint(
                    colour: PaintColour(rgb: 0xf4f2ef), width: railWidth, casing: ZoomRamp((16, -0.4), (20, -1)),
                    dashes: [5, 5])),
        ]
    }
}
