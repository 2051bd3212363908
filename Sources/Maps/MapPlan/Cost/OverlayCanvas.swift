import MapGrammar
import MapRender

/// The canvas on which overlays are priced. What is drawn on several copies of the world is counted on each of them.
struct OverlayCanvas {
    /// CSS pixels beside a marker that its name takes: a gap, and a line of the usual width.
    private static let titleReach = 134.0

    private let view: View
    private let pixels: Double
    private var pixelRatio: Double { view.camera.pixelRatio }
    /// The side of the world in device pixels, where they are largest.
    private let worldSize: Double
    /// How often a place may be visible.
    private let worldCount: Double
    private let copies: WorldCopies?
    private let measure: LineMeasure?
    /// Of one side of a great circle, so that all overlays together have no more vertices than drawing makes.
    private let pieceLimit: Int
    private let shouldStop: () -> Bool

    init(_ camera: Camera, _ overlays: [MapOverlay], shouldStop: @escaping () -> Bool = { false }) {
        view = View(camera)
        pixels = Double(camera.widthPx) * Double(camera.heightPx)
        measure = LineMeasure(view, shouldStop: shouldStop)
        copies = WorldCopies(view)
        worldCount = Self.worldCount(view)
        // At the front of a tilted map things appear at most that much larger than in its middle.
        worldSize = view.worldSize * camera.pixelRatio * (camera.isFlat ? 1 : 1.6)
        pieceLimit = GreatCircle.allowance(of: overlays)
        self.shouldStop = shouldStop
    }

    /// From the westernmost to the easternmost corner, however the map is turned and tilted.
    private static func worldCount(_ view: View) -> Double {
        let (width, height) = (Double(view.camera.widthPx), Double(view.camera.heightPx))
        let corners = [(0.0, 0.0), (width, 0), (width, height), (0, height)].compactMap {
            view.groundOffset(at: ScreenPoint(x: $0.0, y: $0.1))?.x
        }
        guard let west = corners.min(), let east = corners.max() else { return 1 }
        // A rounding error is no further world.
        return max(1, ((east - west) / view.worldSize - 1e-6).rounded(.up))
    }

    /// Ends early where there are too many dashes, or when it should stop.
    func work(_ overlays: [MapOverlay]) -> OverlayWork {
        var work = OverlayWork()
        work.add(nanoseconds: titleNanoseconds(overlays), bytes: iconBytes(overlays))
        for overlay in overlays {
            if shouldStop() || work.hasTooManyDashes { break }
            add(overlay, to: &work)
        }
        return work
    }

    private func add(_ overlay: MapOverlay, to work: inout OverlayWork) {
        switch overlay {
        case .marker(let marker): add(marker, to: &work)
        case .path(let path):
            let places = path.places.map(\.held)
            let repeats = add(
                [part(places, path.isGeodesic)], path.stroke, isFilled: path.fill != nil, to: &work)
            var count = vertexCount(places, path.isGeodesic, &work)
            if path.fill != nil, path.isGeodesic { count += vertexCount(places, true, &work) }
            let area = path.fill == nil ? 0 : area(around: places)
            work.add(nanoseconds: nanoseconds(count, area: area, repeats: repeats))
        case .polygon(let polygon):
            let rings = polygon.rings.map { $0.map(\.held) }
            let parts = rings.map { part($0, polygon.isGeodesic, isClosed: true) }
            let repeats = add(parts, polygon.stroke, isFilled: true, to: &work)
            let count = rings.reduce(0) { $0 + vertexCount($1, polygon.isGeodesic, &work) }
            work.add(nanoseconds: nanoseconds(count, area: area(around: rings.first ?? []), repeats: repeats))
        case .circle(let circle):
            switch circle.radius {
            case .metres(let metres): add(circle, metres: metres, to: &work)
            case .pixels(let radius): add(circle, radius: max(0, min(4096, radius)), to: &work)
            }
        }
    }

    // MARK: Markers

    private func add(_ marker: MapMarker, to work: inout OverlayWork) {
        let offset = ScreenPoint(x: marker.offsetX, y: marker.offsetY)
        let nameReach = marker.title == nil ? 0 : Self.titleReach + 2 * (marker.titleLook.plate?.padding ?? 0)
        let reach = marker.drawnReach
        let anchors = anchors(marker.places, offset: offset, reach: reach + nameReach)
        let side = marker.size * pixelRatio
        let each = MapCost.marker + side * side * MapCost.markerPixel
        let (placeCount, count) = (Double(marker.places.count), Double(anchors.count))
        guard anchors.count >= MarkerSpriteCache.least, let sprites = MarkerSpriteCache(reach: reach * pixelRatio)
        else { return work.add(nanoseconds: MapCost.overlay + max(placeCount, count) * each) }
        // Many of them are drawn a few times, then copied.
        let spriteCount = Double(min(anchors.count, sprites.countLimit))
        let spriteSide = Double(sprites.side)
        // However it is turned. Only what is drawn is copied, not the whole square around it.
        let drawnSide = min(spriteSide, side * 1.5 + 4)
        let copying =
            count * MapCost.sprite + shownArea(anchors, reach: drawnSide / 2) * MapCost.spritePixel
            + max(0, placeCount - count) * MapCost.place
        work.add(
            nanoseconds: MapCost.overlay + spriteCount * each + copying,
            bytes: spriteCount * spriteSide * spriteSide * 4)
    }

    /// Lengths are CSS pixels.
    private func anchors(
        _ places: [GeoPlace], offset: ScreenPoint = ScreenPoint(x: 0, y: 0), reach: Double
    ) -> [ScreenPoint] {
        guard let copies else { return [] }
        let found = MarkerAnchors(view, copies, offset: offset, reach: reach)
        var anchors: [ScreenPoint] = []
        for (index, place) in places.enumerated() {
            if index % 1024 == 1023, shouldStop() { break }
            found.add(WorldPlace(place.held), to: &anchors)
        }
        return anchors
    }

    /// Of squares around `anchors`, in device pixels as is their `reach`.
    private func shownArea(_ anchors: [ScreenPoint], reach: Double) -> Double {
        let (width, height) = (Double(view.camera.widthPx), Double(view.camera.heightPx))
        return anchors.reduce(0) { area, anchor in
            let shownWidth = min(width, anchor.x + reach) - max(0, anchor.x - reach)
            let shownHeight = min(height, anchor.y + reach) - max(0, anchor.y - reach)
            return area + max(0, shownWidth) * max(0, shownHeight)
        }
    }

    /// Of the names of markers, up to the limit of one image. Which of them are on the map is not looked at, so the dearest count.
    func titleNanoseconds(_ overlays: [MapOverlay]) -> Double {
        var titles: [(each: Double, count: Double)] = []
        for case .marker(let marker) in overlays {
            guard let title = marker.title else { continue }
            // Each mark on a letter is drawn as a glyph of its own.
            let glyphs = title.prefix(DrawnTitle.lengthLimit).unicodeScalars.count
            let plate = marker.titleLook.plate == nil ? 0 : MapCost.titlePlate
            titles.append((Double(glyphs) * MapCost.titleCharacter + plate, Double(marker.places.count) * worldCount))
        }
        titles.sort { $0.each > $1.each }
        var (room, cost) = (Double(DrawnTitle.countLimit), 0.0)
        for title in titles where room > 0 {
            let count = min(room, title.count)
            room -= count
            cost += count * title.each
        }
        return cost
    }

    /// Of icons, in the sizes in which markers show them.
    private func iconBytes(_ overlays: [MapOverlay]) -> Double {
        var icons: Set<MapIcon> = []
        for case .marker(let marker) in overlays { if let icon = marker.icon { icons.insert(icon) } }
        // All are read in the largest size, then reduced.
        let largest = icons.map(\.size).max() ?? 0
        let read = Double(Set(icons.map(\.id)).count) * largest * largest
        return icons.reduce(read) { $0 + $1.size * $1.size } * pixelRatio * pixelRatio * 4
    }

    // MARK: Lines and areas

    private func add(_ circle: MapCircle, metres: Double, to work: inout OverlayWork) {
        let center = circle.center.held
        let ring = GreatCircle.circle(around: center, metres: metres)
        let repeats = add([part(ring, false)], circle.stroke, isFilled: true, to: &work)
        let degrees = metres / Sphere.radius * 180 / .pi
        let reach = [-degrees, degrees].map {
            GeoPlace(longitude: 0, latitude: max(-90, min(90, center.latitude + $0))).onPlane.y
        }
        let side = (reach[0] - reach[1]) * worldSize
        work.add(nanoseconds: nanoseconds(100, area: side * side, repeats: repeats))
    }

    /// CSS pixels.
    private func add(_ circle: MapCircle, radius: Double, to work: inout OverlayWork) {
        let anchors = anchors([circle.center], reach: radius + (circle.stroke?.widths.max() ?? 0) + 2)
        if let measure {
            work.add(
                LineWork(around: anchors, radius: radius, circle.stroke, pixelRatio: pixelRatio, measure: measure))
        }
        let further = Double(max(0, anchors.count - 1)) * MapCost.marker
        let area = shownArea(anchors, reach: radius * pixelRatio)
        work.add(nanoseconds: MapCost.overlay + further + area * MapCost.fillPixel)
    }

    /// Adds the work of lines beyond that of their places. How often a side is drawn on average, at least once.
    private func add(
        _ parts: [DrawnLine.Part], _ stroke: MapStroke?, isFilled: Bool, to work: inout OverlayWork
    ) -> Double {
        guard let measure else { return 1 }
        let lines = LineWork(
            parts, stroke, isFilled: isFilled, pixelRatio: pixelRatio, measure: measure, dashesLeft: work.dashesLeft)
        work.add(lines)
        return lines.repeats
    }

    private func part(_ places: [GeoPlace], _ isGeodesic: Bool, isClosed: Bool = false) -> DrawnLine.Part {
        let ends = isClosed ? places.prefix(1) : []
        let line = isGeodesic ? GreatCircle.line(through: places + ends, pieceLimit: pieceLimit) : places
        return DrawnLine.Part(places: line.map { WorldPlace($0) }, isClosed: isClosed && !isGeodesic)
    }

    private func vertexCount(_ places: [GeoPlace], _ isGeodesic: Bool, _ work: inout OverlayWork) -> Double {
        guard isGeodesic else { return Double(places.count) }
        var count = 0.0
        for (start, end) in zip(places, places.dropFirst()) {
            let turn = abs(end.longitude - start.longitude).truncatingRemainder(dividingBy: 360)
            let degrees = max(min(turn, 360 - turn), abs(end.latitude - start.latitude))
            count += (degrees / MapCost.arcDegrees).rounded(.down)
        }
        return Double(places.count) + work.takeArcVertices(count)
    }

    /// Of the box around places on one world, in device pixels.
    private func area(around places: [GeoPlace]) -> Double {
        var targets = FitTargets()
        for place in places { targets.add(place.onPlane) }
        let extent = targets.isEmpty ? .zero : (targets.most - targets.least) * worldSize
        return extent.x * extent.y
    }

    /// An overlay with `count` vertices that fills `area` on each of `repeats` copies of the world.
    private func nanoseconds(_ count: Double, area: Double, repeats: Double) -> Double {
        MapCost.overlay + count * repeats * MapCost.place + min(pixels, area * repeats) * MapCost.fillPixel
    }
}

extension WorldPlace {
    fileprivate init(_ place: GeoPlace) { self.init(longitude: place.longitude, latitude: place.latitude) }
}
