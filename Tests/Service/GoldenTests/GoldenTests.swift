import Bytes
import CardGrammar
import CardPlan
import Cards
import ImageEngine
import ImagePlan
import MapOverlays
import MapGrammar
import MapPlan
import MapRender
import MapSources
import Parameters
import Raster
import Resources
import TestSupport
import Testing
import TextEngine

@testable import VedutaService

@Suite(.timeLimit(.minutes(5)), .serialized) struct GoldenTests {
    /// Decoded pictures may be this far from the record: another libvips or codec rounds differently.
    private struct Bounds {
        let mean: Double
        let worst: Int

        init(_ format: OutputFormat) {
            switch format {
            case .png, .tiff: (mean, worst) = (0.7, 16)
            case .jpeg, .webp, .avif, .gif, .jxl: (mean, worst) = (3, 56)
            }
        }
    }

    @Test(arguments: GoldenCase.all.filter { !$0.isMap && !$0.isCard })
    func picture_isAsOnRecord(_ golden: GoldenCase) throws {
        try RunningService.prepare()
        let request = try ImageRequest.parse(QueryItems.parse("id=x&" + golden.query))
        let output = request.format ?? .png
        let image = try ImageEngine.render(
            RenderSources(
                Subjects.source(golden.subject), overlays: request.overlays.compactMap(\.id).map(Subjects.source)),
            request: request, accepting: Acceptance(only: output), in: RenderContext())
        let content = image.content.withUnsafeBytes { Array($0) }
        let actual = try DecodedPicture(content)
        let png =
            output == .png
            ? content
            : try Subjects.png(Likeness.premultiplied(actual), widthPx: actual.widthPx, heightPx: actual.heightPx)
        if GoldenCase.isRecording { return try golden.record(png) }
        try compare(actual, png, golden, Bounds(output))
    }

    /// Our own pixels are the same to the last bit, on every CPU with this C library (see `Trigonometry`).
    @Test(arguments: GoldenCase.all.filter { $0.subject == "map" })
    func map_isAsOnRecordToTheLastBit(_ golden: GoldenCase) throws {
        // Names would be set in the fonts of the machine.
        try checkMap(golden, Subjects.world.get(), hasLabels: false)
    }

    @Test(arguments: GoldenCase.all.filter { $0.subject == "city" })
    func city_isAsOnRecordToTheLastBit(_ golden: GoldenCase) throws {
        try checkMap(golden, Subjects.city.get(), hasLabels: false)
    }

    /// Streets with labels, in glyphs that lie beside the archive: the fonts of the machine have no part in them.
    @Test(
        .enabled(if: SharedData.isPresent, "no data beside the repository"),
        arguments: GoldenCase.all.filter { $0.subject == "streets" })
    func streets_areAsOnRecordToTheLastBit(_ golden: GoldenCase) throws { try checkMap(golden, Subjects.streets.get()) }

    @Test(
        .enabled(if: SharedData.isPresent, "no data beside the repository"),
        arguments: GoldenCase.all.filter { $0.subject == "light" || $0.subject == "dark" })
    func builtInStyles_areAsOnRecordToTheLastBit(_ golden: GoldenCase) throws {
        try checkMap(golden, #require(try Subjects.town.get()[golden.subject]))
    }

    /// Scale bars, north arrows and names of markers.
    @Test(
        .enabled(if: fonts.faces.contains { $0.family == "Noto Sans" }, "the words on record are in Noto Sans"),
        arguments: GoldenCase.all.filter { $0.subject == "corners" })
    func corners_areAsOnRecord(_ golden: GoldenCase) throws {
        try checkMap(golden, Subjects.world.get(), hasLabels: false, Bounds(.png))
    }

    private func checkMap(
        _ golden: GoldenCase, _ studio: MapService, hasLabels: Bool = true, _ bounds: Bounds? = nil
    ) throws {
        var request = try MapRequest.parse(QueryItems.parse(golden.query), rules: studio.rules)
        let snapshot = studio.library.snapshot
        let entry = try #require(snapshot.style(named: request.style))
        let camera = request.camera { snapshot.defaultZoom(entry, latitude: $0, longitude: $1) }
        request.look.hasLabels = hasLabels
        let style = studio.variants.style(entry, request.look)
        var additions = MapAppearance.additions(request.overlays, icons: [:], to: style, request.look, seenFrom: camera)
        // It is set in the fonts of the machine.
        additions.attributionCorner = nil
        let map = try studio.engine.render(style, camera, additions: additions, resources: entry.resources)
        #expect(map.faults.isEmpty)
        let pixels = map.pixels.withUnsafeBytes { Array($0) }
        let png = try Subjects.png(pixels, widthPx: map.widthPx, heightPx: map.heightPx)
        if GoldenCase.isRecording { return try golden.record(png) }
        try compare(DecodedPicture(png), png, golden, bounds)
    }

    private static let fonts = FontSet()
    private static let templates = CardTemplates(
        Resources.cardTemplates.compactMap { name, bytes in
            try? CardTemplate.read(bytes.withUnsafeBytes { Array($0) }, name: name)
        })

    @Test(
        .enabled(if: fonts.faces.contains { $0.family == "Noto Sans" }, "the cards on record are in Noto Sans"),
        arguments: GoldenCase.all.filter(\.isCard))
    func card_isAsOnRecord(_ golden: GoldenCase) throws {
        let typesetter = CardTypesetter(fonts: Self.fonts)
        let items = try QueryItems.parse(golden.query)
        var pictures: [Texture] = []
        let scene: CardScene
        switch golden.subject {
        case "poll":
            let request = try PollRequest.parse(items)
            let wanted = PollLayout(request, typesetter).pictures
            pictures = wanted.compactMap { Subjects.landscape($0.size) }
            let shown = wanted.enumerated().map { number, picture in
                (picture.element, CardLayout.Shown(number: number, size: picture.size))
            }
            scene = PollLayout(request, typesetter, showing: Dictionary(uniqueKeysWithValues: shown)).scene
        case "card":
            let layout = CardLayout(try CardRequest.parse(items, Self.templates))
            pictures = layout.pictures.compactMap { Subjects.landscape($0.size) }
            let shown = layout.pictures.enumerated().map { number, picture in
                (picture.element, CardLayout.Shown(number: number, size: picture.size))
            }
            scene = layout.scene(showing: Dictionary(uniqueKeysWithValues: shown), map: nil, typesetter)
        default:
            let layout = AvatarLayout(try AvatarRequest.parse(items))
            pictures = [layout.badgePicture?.size].compactMap { $0.flatMap(Subjects.landscape) }
            scene = layout.scene(showing: pictures.isEmpty ? [:] : [AvatarLayout.badgeKey: 0], typesetter)
        }
        let size = scene.size(at: 1)
        let card = try CardDrawing.draw(
            scene, widthPx: size.widthPx, heightPx: size.heightPx, factor: scene.zoom, pictures: pictures, typesetter
        )
        let pixels = card.pixels.withUnsafeBytes { Array($0) }
        let png = try Subjects.png(pixels, widthPx: card.widthPx, heightPx: card.heightPx)
        if GoldenCase.isRecording { return try golden.record(png) }
        try compare(DecodedPicture(png), png, golden, Bounds(.png))
    }

    @Test func everyFilterFitAndGravity_isOnRecord() {
        let queries = GoldenCase.all.map(\.query)
        let filters = [
            "blur", "sharpen", "unsharp", "median", "pixelate", "noise", "grayscale", "sepia", "invert", "threshold",
            "posterize", "tint", "duotone", "brightness", "contrast", "saturation", "vibrance", "highlights", "shadows",
            "temperature", "hue", "gamma", "exposure", "normalize", "equalize", "clahe", "vignette", "edges", "emboss",
        ]
        let looks = ImageFilter.Look.allCases.map { "look:\($0.rawValue)" }
        for word in filters + looks + Fit.allCases.map(\.rawValue) + Compass.allCases.map(\.rawValue) {
            #expect(queries.contains { $0.contains(word) }, "\(word)")
        }
        let others = [
            "rotate=25", "rotate=-33.5&background=", ",straighten", "radius=", "mask=circle", "mask=ellipse",
            "overlay=", "rotate:", "tile:",
            "trim=", "crop=60x90,attention", "crop=60x90,entropy", "gravity=0.8x",
        ]
        for word in others { #expect(queries.contains { $0.contains(word) }, "\(word)") }
        #expect(GoldenCase.all.contains { $0.subject == "map" })
    }

    private func compare(_ actual: DecodedPicture, _ png: [UInt8], _ golden: GoldenCase, _ bounds: Bounds?) throws {
        let expected = try golden.expected()
        guard let likeness = Likeness(actual, expected) else {
            let kept = try golden.keep(actual: png, difference: [])
            Issue.record(
                """
                \(golden.name) has \(actual.widthPx)×\(actual.heightPx) pixels, not \
                \(expected.widthPx)×\(expected.heightPx): \(kept)
                """)
            return
        }
        if likeness.mean <= bounds?.mean ?? 0, likeness.worst <= bounds?.worst ?? 0 { return }
        let difference = try Subjects.png(likeness.difference, widthPx: actual.widthPx, heightPx: actual.heightPx)
        let kept = try golden.keep(actual: png, difference: difference)
        Issue.record("\(golden.name) differs by \(likeness.mean) on average, \(likeness.worst) at worst: \(kept)")
    }
}
