import Bytes
package import CardGrammar
import Colors
package import ImagePlan
import Parameters

/// Where everything of a poll is.
package struct PollLayout: Sendable {
    package let scene: CardScene
    /// Where each option is, in the given order: its row, its column, or its row in the legend. In CSS pixels of the picture.
    package let boxes: [CardRect]
    package let figures: PollFigures
    /// CSS pixels of the picture.
    package let widthPx, heightPx: Int
    package let pictures: [CardLayout.Picture]
    private let request: PollRequest

    /// The enlargements of a preview, until one leaves room for everything.
    private static let largestZoom = 2.4
    private static let smallerZooms = [2.2, 2, 1.8, 1.6, 1.4, 1.2, 1, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.29]
    private static let previewHeight = 630

    /// Milliseconds of each frame of a poll that moves, in which bars grow for 0.6 s, and then stand.
    package static let delaysMs = Array(repeating: 40, count: 15) + [1000]

    /// How much of their length bars have in a frame: fast at first.
    package static func growth(_ frame: Int) -> Double {
        let left = 1 - Double(frame) / Double(delaysMs.count - 1)
        return 1 - left * left * left
    }

    /// `shown`: the pictures that could be had. Nothing else stands elsewhere without them, nor where bars have only a part of
    /// their length.
    package init(
        _ request: PollRequest, _ measure: some TextMeasure, showing shown: [Int: CardLayout.Shown] = [:],
        growth: Double = 1
    ) {
        self.request = request
        let figures = PollFigures(request)
        self.figures = figures
        func sheet(_ width: Double) -> PollSheet {
            var sheet = PollSheet(request, figures, width: width, measure)
            sheet.growth = growth
            sheet.draw()
            return sheet
        }
        var made: PollSheet
        if request.isPreview {
            var zoom = Self.largestZoom
            var smaller = Self.smallerZooms[...]
            made = sheet(Double(PollRequest.previewWidth) / zoom)
            // At the last one everything fits: twenty rows of three lines, a question of four and a foot of two.
            while made.scene.height * zoom > Double(Self.previewHeight), let next = smaller.popFirst() {
                zoom = next
                made = sheet(Double(PollRequest.previewWidth) / zoom)
            }
            let height = Double(Self.previewHeight) / zoom
            made.move(down: max(0, (height - made.scene.height) / 2))
            made.scene.height = height
            made.scene.zoom = zoom
            (widthPx, heightPx) = (PollRequest.previewWidth, Self.previewHeight)
        } else {
            made = sheet(Double(request.widthPx))
            (widthPx, heightPx) = (request.widthPx, Int(held: made.scene.height.rounded(.up), in: 1...16_384))
            made.scene.height = Double(heightPx)
        }
        let zoom = made.scene.zoom
        pictures = made.pictures(zoom * request.scale.double)
        made.drawPictures(shown)
        let isMirrored = made.isMirrored
        let width = made.scene.width
        scene = isMirrored ? made.scene.mirrored() : made.scene
        boxes = made.boxes.map { (isMirrored ? $0.mirrored(in: width) : $0).scaled(by: zoom) }
    }

    /// What drawing and encoding cost at most; reading the pictures comes on top.
    package func predictedCost(as output: OutputFormat) -> PredictedCost {
        scene.predictedCost(
            at: request.scale, pictures: pictures.map(\.size), frameCount: isMoving ? Self.delaysMs.count : 1,
            request.encoding, as: output)
    }

    /// Whether there is something that grows, and it is to be seen.
    package var isMoving: Bool {
        request.isAnimated && request.layout != .list && figures.shares.contains { $0 > 0 }
    }

    /// Of the pixels that are held until it is drawn.
    package var pictureByteCount: Int { pictures.reduce(0) { $0 + $1.size.widthPx * $1.size.heightPx * 4 } }
}

/// A poll that is being laid out, from the left and the top to the right and down.
struct PollSheet {
    let request: PollRequest
    let figures: PollFigures
    let colors: PollColors
    let language: CardLanguage
    let isMirrored: Bool
    let measure: any TextMeasure
    var scene: CardScene
    var boxes: [CardRect]
    var icons: [PollSpot] = []
    var faces: [PollSpot] = []
    /// The part of their length that bars have.
    var growth = 1.0
    /// Of the next part.
    var y: Double
    let margin: Double

    var inner: Double { scene.width - 2 * margin }
    var isNarrow: Bool { scene.width < 360 }

    init(_ request: PollRequest, _ figures: PollFigures, width: Double, _ measure: any TextMeasure) {
        (self.request, self.figures, self.measure) = (request, figures, measure)
        colors = PollColors(request.theme, accent: request.accent)
        language = request.language ?? .en
        let texts = [request.question].compactMap(\.self) + request.options.map(\.label)
        isMirrored =
            request.language?.isRightToLeft
            ?? texts.lazy.compactMap { CardText.isRightToLeft(CardText.scalars($0)) }.first ?? false
        scene = CardScene(width: width, background: colors.background)
        boxes = request.options.map { _ in CardRect(x: 0, y: 0, width: 0, height: 0) }
        margin = width < 360 ? 16 : 24
        y = margin
    }

    mutating func draw() {
        drawQuestion()
        if figures.hasVotes {
            switch request.layout {
            case .bars: drawBars()
            case .columns: drawColumns()
            case .stacked: drawStacked()
            case .donut, .pie: drawPie()
            case .list: drawList()
            }
        } else {
            drawChoices()
        }
        drawFoot()
        scene.height = y + margin
    }

    mutating func move(down distance: Double) {
        let offset = SIMD2(0, distance)
        scene.items = scene.items.map { $0.moved(by: offset) }
        boxes = boxes.map { $0.moved(by: offset) }
        for index in icons.indices { icons[index].rect = icons[index].rect.moved(by: offset) }
        for index in faces.indices { faces[index].rect = faces[index].rect.moved(by: offset) }
    }

    private mutating func drawQuestion() {
        guard let question = request.question else { return }
        let block = block(question, CardFont(size: isNarrow ? 18 : 21, isBold: true), width: inner, lineLimit: 4)
        // Capitals, not ascenders, should be as far from the top as the sides are from the text.
        y -= 3
        text(block, x: margin, y: y, colors.ink)
        y += block.height + 14
    }

    private mutating func drawFoot() {
        var parts: [String] = []
        if figures.hasVotes {
            parts.append(request.voters.map(language.voters) ?? language.votes(figures.voteCount))
        }
        if request.isAnonymous { parts.append(language.anonymous) }
        parts += closing.map { [$0] } ?? []
        guard !parts.isEmpty else { return }
        let block = block(parts.joined(separator: " · "), CardFont(size: 13), width: inner, lineLimit: 2)
        y += 13
        text(block, x: margin, y: y, colors.muted)
        y += block.height - 3
    }

    /// Whether and when the poll ends. How long that is from now is told only where the request says what now is.
    var closing: String? {
        if request.isClosed { return language.closed }
        guard let closes = request.closes else { return nil }
        guard let now = request.now else { return language.closes(at: closes.shown) }
        let seconds = closes.unixSeconds - now.unixSeconds
        if seconds <= 0 { return language.closed }
        let minutes = max(1, seconds / 60)
        return language.closes(
            in: minutes < 90 ? "\(minutes) min" : minutes < 48 * 60 ? "\(minutes / 60) h" : "\(minutes / 1440) d")
    }

    /// What stands beside an option: its percents, or its votes.
    func value(_ index: Int) -> String {
        figures.percents.map { language.percent($0[index]) } ?? language.grouped(request.options[index].votes ?? 0)
    }

    func color(_ index: Int, series: Bool) -> Color {
        request.options[index].color ?? (series ? colors.series(index) : colors.accent)
    }

    // MARK: Parts

    func block(_ text: String, _ font: CardFont, width: Double, lineLimit: Int) -> TextBlock {
        TextBlock(text, font, width: max(8, width), lineLimit: lineLimit, measure)
    }

    /// The lines from `y` down.
    mutating func text(_ block: TextBlock, x: Double, y: Double, _ color: Color, anchor: CardLine.Anchor = .left) {
        // Small letters with their ascenders look centred in the line so.
        let baseline = y + block.lineHeight / 2 + block.font.size * 0.355
        for (index, line) in block.lines.enumerated() {
            scene.items.append(
                .text(
                    CardLine(
                        text: line, x: x, baseline: baseline + Double(index) * block.lineHeight, anchor: anchor,
                        font: block.font, color: color)))
        }
    }

    mutating func fill(_ shape: CardShape, _ color: Color) { scene.items.append(.fill(shape, color)) }

    /// A disc, or a box where several may be chosen, with a tick.
    mutating func tick(_ center: SIMD2<Double>, radius: Double, _ color: Color) {
        fill(mark(center, radius: radius), color)
        let points: [SIMD2<Double>] = [[-0.42, 0.03], [-0.1, 0.35], [0.45, -0.3]]
        scene.items.append(
            .line(points.map { center + $0 * radius }, width: radius * 0.22, PollColors.sign(on: color)))
    }

    func mark(_ center: SIMD2<Double>, radius: Double) -> CardShape {
        guard request.isMultiple else { return .disc(center, radius: radius) }
        return .box(
            CardRect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius),
            radius: radius * 0.45)
    }
}
