import Bytes
package import ImagePlan
package import MapGrammar
package import MapRender

extension MapRequest {
    /// Estimates the cost of drawing the map from `camera` and encoding it, by the prices of ``MapCost``, before
    /// anything is read. `includesWorld` adds the tiles of the built-in world. O(places).
    package func predictedCost(
        from camera: Camera, encodedAs output: OutputFormat, includesWorld: Bool = false
    ) -> PredictedCost {
        let size = PixelSize(widthPx: camera.widthPx, heightPx: camera.heightPx)
        let pixels = Double(size.widthPx) * Double(size.heightPx)
        let tiles =
            Self.tileCount(camera) + (includesWorld ? Self.tileCount(camera, lastLevel: MapCost.lastWorldLevel) : 0)
        var steps = [PredictedCost.Step("tiles", nanoseconds: tiles * MapCost.tile, bytes: tiles * MapCost.tileBytes)]
        if let entries = look.variantEntryCount {
            steps.append(
                PredictedCost.Step(
                    "style", nanoseconds: MapCost.variant + entries * MapCost.variantEntry,
                    bytes: MapCost.variantBytes + entries * MapCost.variantEntryBytes))
        }
        if look.hasLabels { steps.append(PredictedCost.Step("labels", nanoseconds: tiles * MapCost.labels, bytes: 0)) }
        steps.append(PredictedCost.Step("draw", nanoseconds: pixels * MapCost.pixel, bytes: pixels * 4))
        if !overlays.isEmpty {
            let canvas = OverlayCanvas(camera, pixels: pixels)
            let work = overlays.map(canvas.lineWork)
            let cost = zip(overlays, work).reduce(canvas.titleNanoseconds(overlays)) {
                $0 + canvas.nanoseconds($1.0) + $1.1.nanoseconds
            }
            let bytes = pixels * 4 + canvas.iconBytes(overlays) + work.reduce(0) { $0 + $1.bytes }
            steps.append(PredictedCost.Step("overlays", nanoseconds: cost, bytes: bytes))
        }
        let side = MapCost.cornerSide * camera.pixelRatio
        if let bar = look.scaleBar {
            let rows = bar.units == .both ? 2.0 : 1
            steps.append(
                PredictedCost.Step(
                    "scalebar", nanoseconds: rows * (MapCost.overlay + side * MapCost.edgePixel), bytes: 0))
        }
        if look.north != nil {
            steps.append(
                PredictedCost.Step("north", nanoseconds: MapCost.overlay + side * side * MapCost.markerPixel, bytes: 0))
        }
        return .drawn(by: steps, size, filters: ImageFilter.inOrder(encoding.filters, scale: scale), encodedAs: output)
    }

    /// Estimates the cost of telling where what lies over the map stands. O(overlays).
    package func boxesCost(from camera: Camera) -> PredictedCost {
        let names = OverlayCanvas(camera, pixels: 0).titleNanoseconds(overlays)
        return PredictedCost(
            steps: [PredictedCost.Step("names", nanoseconds: MapCost.overlay + names, bytes: 0)], frameCount: 1)
    }

    /// Estimates the visible dashes of all lines and borders. O(places).
    package func dashCount(from camera: Camera) -> Int {
        let canvas = OverlayCanvas(camera, pixels: 0)
        let count = overlays.lazy.filter(\.hasDashes).reduce(0.0) { $0 + canvas.lineWork($1).dashCount }
        return Int(held: count, in: 0 ... .max)
    }

    /// How many tiles of 512 pixels a view touches on average over all positions of the grid: for a convex shape
    /// 1 + (width + height) ÷ side + area ÷ side².
    static func tileCount(_ camera: Camera, lastLevel: Int = MapCost.lastTileLevel) -> Double {
        let view = View(camera)
        let (width, height) = (Double(camera.widthPx), Double(camera.heightPx))
        let corners = [(0.0, 0.0), (width, 0), (width, height), (0, height)].compactMap {
            view.groundOffset(at: ScreenPoint(x: $0.0, y: $0.1)).map { SIMD2($0.x, $0.y) }
        }
        guard corners.count == 4, let first = corners.first, let last = corners.last else { return MapCost.tileLimit }
        let level = min(lastLevel, camera.tileZoom)
        let side = view.worldSize / Trigonometry.powerOfTwo(Double(level))
        var (least, most, doubledArea, previous) = (first, first, 0.0, last)
        for corner in corners {
            (least, most) = (pointwiseMin(least, corner), pointwiseMax(most, corner))
            doubledArea += previous.x * corner.y - previous.y * corner.x
            previous = corner
        }
        // There are no tiles north and south of the world.
        let rows = Trigonometry.powerOfTwo(Double(level))
        let extent = (most - least) / side
        let count = 1 + extent.x + extent.y + abs(doubledArea) / 2 / (side * side)
        return max(1, min(MapCost.tileLimit, count, (extent.x + 2) * rows))
    }
}

extension MapLook {
    /// The languages and classes for which a style is compiled separately; nil for none.
    fileprivate var variantEntryCount: Double? {
        var count = languages.count
        if case .only(let classes) = interests { count += classes.count }
        return count == 0 ? nil : Double(count)
    }
}

private struct OverlayCanvas {
    private let pixels: Double
    private let pixelRatio: Double
    /// The side of the world in device pixels, where they are largest.
    private let worldSize: Double
    /// How often a place may be visible.
    private let worldCount: Double
    private let measure: LineMeasure?

    init(_ camera: Camera, pixels: Double) {
        self.pixels = pixels
        pixelRatio = camera.pixelRatio
        let view = View(camera)
        measure = LineMeasure(view)
        worldCount = max(1, (camera.width / view.worldSize).rounded(.up))
        // At the front of a tilted map things appear at most that much larger than in its middle.
        worldSize = view.worldSize * camera.pixelRatio * (camera.isFlat ? 1 : 1.6)
    }

    func nanoseconds(_ overlay: MapOverlay) -> Double {
        switch overlay {
        case .marker(let marker):
            let side = marker.size * pixelRatio
            let each = MapCost.marker + side * side * MapCost.markerPixel
            return MapCost.overlay + Double(marker.places.count) * each
        case .path(let path):
            let count = vertexCount(path.places, path.isGeodesic)
            return nanoseconds(count, fill: path.fill == nil ? [] : path.places)
                + (path.fill == nil || !path.isGeodesic ? 0 : count * MapCost.place)
        case .polygon(let polygon):
            let count = polygon.rings.reduce(0) { $0 + vertexCount($1, polygon.isGeodesic) }
            return nanoseconds(count, fill: polygon.rings.first ?? [])
        case .circle(let circle):
            switch circle.radius {
            case .metres(let metres):
                let degrees = metres / Sphere.radius * 180 / .pi
                let reach = [-degrees, degrees].map {
                    GeoPlace(longitude: 0, latitude: max(-90, min(90, circle.center.latitude + $0))).onPlane.y
                }
                let side = (reach[0] - reach[1]) * worldSize
                return nanoseconds(100, area: side * side)
            case .pixels(let radius):
                let side = 2 * radius * pixelRatio
                return nanoseconds(0, area: side * side)
            }
        }
    }

    /// The cost of an overlay's lines beyond that of its places.
    func lineWork(_ overlay: MapOverlay) -> LineWork {
        guard let measure else { return LineWork() }
        func work(_ parts: [DrawnLine.Part], _ stroke: MapStroke?, isFilled: Bool = true) -> LineWork {
            LineWork(parts, stroke, isFilled: isFilled, pixelRatio: pixelRatio, measure: measure)
        }
        switch overlay {
        case .marker: return LineWork()
        case .path(let path):
            return work([Self.part(path.places, path.isGeodesic)], path.stroke, isFilled: path.fill != nil)
        case .polygon(let polygon):
            return work(polygon.rings.map { Self.part($0, polygon.isGeodesic, isClosed: true) }, polygon.stroke)
        case .circle(let circle):
            switch circle.radius {
            case .metres(let metres):
                let ring = GreatCircle.circle(around: circle.center, metres: metres)
                return work([Self.part(ring, false)], circle.stroke)
            case .pixels(let radius):
                return LineWork(
                    around: circle.center, radius: radius, circle.stroke, pixelRatio: pixelRatio, measure: measure)
            }
        }
    }

    private static func part(_ places: [GeoPlace], _ isGeodesic: Bool, isClosed: Bool = false) -> DrawnLine.Part {
        let ends = isClosed ? places.prefix(1) : []
        let line = isGeodesic ? GreatCircle.line(through: places + ends, count: 100_000) : places
        return DrawnLine.Part(
            places: line.map { WorldPlace(longitude: $0.longitude, latitude: $0.latitude) },
            isClosed: isClosed && !isGeodesic)
    }

    /// Of the names of markers, up to the limit of one image.
    func titleNanoseconds(_ overlays: [MapOverlay]) -> Double {
        var (room, cost) = (Double(DrawnTitle.countLimit), 0.0)
        for case .marker(let marker) in overlays {
            guard let title = marker.title, room > 0 else { continue }
            let count = min(room, Double(marker.places.count) * worldCount)
            room -= count
            cost += count * Double(title.prefix(DrawnTitle.lengthLimit).count) * MapCost.titleCharacter
            if marker.titleLook.plate != nil { cost += count * MapCost.titlePlate }
        }
        return cost
    }

    /// Of icons, in the sizes in which markers show them.
    func iconBytes(_ overlays: [MapOverlay]) -> Double {
        var icons: Set<MapIcon> = []
        for case .marker(let marker) in overlays { if let icon = marker.icon { icons.insert(icon) } }
        // All are read in the largest size, then reduced.
        let largest = icons.map(\.size).max() ?? 0
        let read = Double(Set(icons.map(\.id)).count) * largest * largest
        return icons.reduce(read) { $0 + $1.size * $1.size } * pixelRatio * pixelRatio * 4
    }

    private func vertexCount(_ places: [GeoPlace], _ isGeodesic: Bool) -> Double {
        guard isGeodesic else { return Double(places.count) }
        var count = Double(places.count)
        for (start, end) in zip(places, places.dropFirst()) {
            let turn = abs(end.longitude - start.longitude).truncatingRemainder(dividingBy: 360)
            let degrees = max(min(turn, 360 - turn), abs(end.latitude - start.latitude))
            count += (degrees / MapCost.arcDegrees).rounded(.down)
        }
        return min(count, Double(OverlayLimits.arcVertexLimit + places.count))
    }

    /// Includes filling the box around `fill`.
    private func nanoseconds(_ count: Double, fill: [GeoPlace]) -> Double {
        var targets = FitTargets()
        for place in fill { targets.add(place.onPlane) }
        let extent = targets.isEmpty ? .zero : (targets.most - targets.least) * worldSize
        return nanoseconds(count, area: extent.x * extent.y)
    }

    private func nanoseconds(_ count: Double, area: Double) -> Double {
        MapCost.overlay + count * MapCost.place + min(pixels, area) * MapCost.fillPixel
    }
}
