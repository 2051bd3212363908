import Bytes
package import ImagePlan
package import MapGrammar
package import MapRender

extension MapRequest {
    /// Estimates the cost of drawing the map from `camera` and encoding it, by the prices of ``MapCost``, before
    /// anything is read. `includesWorld` adds the tiles of the built-in world; `tiles` are those of the sources, as far as
    /// they are known. Without `overlayWork`, measures that.
    package func predictedCost(
        from camera: Camera, encodedAs output: OutputFormat, includesWorld: Bool = false, tiles: [KnownTiles] = [],
        overlayWork: OverlayWork? = nil
    ) -> PredictedCost {
        let size = PixelSize(widthPx: camera.widthPx, heightPx: camera.heightPx)
        let pixels = Double(size.widthPx) * Double(size.heightPx)
        let tileWork = Self.tileWork(from: camera, tiles, includesWorld: includesWorld)
        var steps = [PredictedCost.Step("tiles", nanoseconds: tileWork.nanoseconds, bytes: tileWork.bytes)]
        if let entries = look.variantEntryCount {
            steps.append(
                PredictedCost.Step(
                    "style", nanoseconds: MapCost.variant + entries * MapCost.variantEntry,
                    bytes: MapCost.variantBytes + entries * MapCost.variantEntryBytes))
        }
        if look.hasLabels {
            let nanoseconds = tileWork.vectorCount * MapCost.labels
            steps.append(PredictedCost.Step("labels", nanoseconds: nanoseconds, bytes: 0))
        }
        steps.append(PredictedCost.Step("draw", nanoseconds: pixels * MapCost.pixel, bytes: pixels * 4))
        if !overlays.isEmpty {
            let work = overlayWork ?? self.overlayWork(from: camera)
            steps.append(
                PredictedCost.Step("overlays", nanoseconds: work.nanoseconds, bytes: pixels * 4 + work.bytes))
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
        let names = OverlayCanvas(camera, overlays).titleNanoseconds(overlays)
        return PredictedCost(
            steps: [PredictedCost.Step("names", nanoseconds: MapCost.overlay + names, bytes: 0)], frameCount: 1)
    }

    /// Estimates the work of drawing the overlays. Ends early where there are too many dashes, and once `shouldStop`, which
    /// it polls, is true: no map is drawn then. O(places · copies of the world that show them).
    package func overlayWork(
        from camera: Camera, shouldStop: @escaping () -> Bool = { false }
    ) -> OverlayWork {
        OverlayCanvas(camera, overlays, shouldStop: shouldStop).work(overlays)
    }

    /// How many tiles of 512 pixels, or of images of `pictureSize` CSS pixels, a view touches on average over all
    /// positions of the grid: for a convex shape 1 + (width + height) ÷ side + area ÷ side².
    static func tileCount(
        _ camera: Camera, lastLevel: Int = MapCost.lastTileLevel, pictureSize: Double? = nil
    ) -> Double {
        let view = View(camera)
        let (width, height) = (Double(camera.widthPx), Double(camera.heightPx))
        let corners = [(0.0, 0.0), (width, 0), (width, height), (0, height)].compactMap {
            view.groundOffset(at: ScreenPoint(x: $0.0, y: $0.1)).map { SIMD2($0.x, $0.y) }
        }
        guard corners.count == 4, let first = corners.first, let last = corners.last else { return MapCost.tileLimit }
        let level = min(lastLevel, pictureSize.map { Self.pictureLevel(camera, tileSize: $0) } ?? camera.tileZoom)
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

    /// The level whose tiles are drawn nearest to their own size, as the renderer has it.
    private static func pictureLevel(_ camera: Camera, tileSize: Double) -> Int {
        Int(held: (camera.zoom + Trigonometry.logarithm2(512 / tileSize) + 0.5).rounded(.down), in: 0...30)
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
