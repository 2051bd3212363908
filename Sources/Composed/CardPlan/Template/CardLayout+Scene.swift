import Bytes
import CardGrammar
import Colors
package import ImagePlan
import Parameters

extension CardLayout {
    /// A picture that was read for an element.
    package struct Shown: Sendable {
        package var number: Int
        package var size: PixelSize

        package init(number: Int, size: PixelSize) { (self.number, self.size) = (number, size) }
    }

    /// The card with the pictures of elements that could be had, and that of the map.
    package func scene(showing shown: [Int: Shown], map: Int?, _ measure: some TextMeasure) -> CardScene {
        var conditions = CardConditions(request)
        conditions.lacking = Set(pictures.filter { shown[$0.element] == nil }.compactMap(\.field))
        let isMirrored =
            template.mirroredBy.flatMap { request.value($0) }
            .flatMap { CardText.isRightToLeft(CardText.scalars($0)) } ?? false
        var painter = CardPainter(
            request: request, conditions: conditions, shown: shown, map: map, isMirrored: isMirrored, measure: measure,
            scene: emptyScene)
        if case .gradient(let degrees, let colors) = template.background {
            painter.scene.background = .transparent
            painter.shade(.box(canvas), in: canvas, degrees: degrees, colors)
        }
        painter.draw(template.elements, in: canvas)
        return isMirrored ? painter.scene.mirrored() : painter.scene
    }

    var emptyScene: CardScene {
        var background = Color.white
        if case .color(let color) = template.background { background = request.color(color) ?? .white }
        var scene = CardScene(width: canvas.width, background: background)
        scene.height = canvas.height
        return scene
    }
}

private struct CardPainter<Measure: TextMeasure> {
    let request: CardRequest
    let conditions: CardConditions
    let shown: [Int: CardLayout.Shown]
    let map: Int?
    let isMirrored: Bool
    let measure: Measure
    var scene: CardScene

    mutating func draw(_ elements: [CardElement], in outer: CardRect) {
        var index = 0
        for element in elements {
            let rect = element.frame.rect(in: outer)
            let isShown = conditions.shows(element)
            if isShown { draw(element, index, rect) }
            index += 1
            guard case .stack(let stack) = element.content else { continue }
            if isShown { draw(stack, index, rect) }
            index += stack.elements.count
        }
    }

    private mutating func draw(_ element: CardElement, _ index: Int, _ rect: CardRect) {
        switch element.content {
        case .box(let box): draw(box, rect)
        case .text(let words):
            guard let text = conditions.text(words) else { return }
            let fitting = FittedText(text, words, width: rect.width, measure)
            draw(fitting.block(height: rect.height), words, rect)
        case .picture(let picture):
            guard let shown = shown[index] else { return }
            draw(picture, shown, rect)
        case .map(let wanted):
            if let map { scene.items.append(.picture(.box(rect, radius: wanted.radius), map, rect)) }
        case .stack: break
        }
    }

    // MARK: Boxes and pictures

    private mutating func draw(_ box: CardBox, _ rect: CardRect) {
        let shape = CardShape.box(rect, radius: box.radius)
        switch box.paint {
        case .color(let color)?: if let color = request.color(color) { scene.items.append(.fill(shape, color)) }
        case .gradient(let degrees, let colors)?: shade(shape, in: rect, degrees: degrees, colors)
        case nil: break
        }
        if let border = box.border, let color = request.color(border.color) {
            scene.items.append(.fill(.frame(rect, radius: box.radius, width: border.width), color))
        }
    }

    /// Along a line through the middle of the box whose ends are level with its corners, as in CSS.
    mutating func shade(_ shape: CardShape, in rect: CardRect, degrees: Double, _ colors: [CardValue<Color>]) {
        let way = CardShape.direction(degrees / 360)
        let half = (abs(rect.width * way.x) + abs(rect.height * way.y)) / 2
        let middle: SIMD2<Double> = [rect.middleX, rect.middleY]
        let gradient = CardGradient(
            start: middle - half * way, end: middle + half * way, colors: colors.compactMap(request.color))
        if !gradient.colors.isEmpty { scene.items.append(.shade(shape, gradient)) }
    }

    private mutating func draw(_ picture: CardPicture, _ shown: CardLayout.Shown, _ box: CardRect) {
        var rect = box
        if picture.fit == .contain {
            let scale = request.scale.double
            let (width, height) = (Double(shown.size.widthPx) / scale, Double(shown.size.heightPx) / scale)
            rect = CardRect(
                x: box.x + ((box.width - width) / 2).rounded(), y: box.y + ((box.height - height) / 2).rounded(),
                width: width, height: height)
        }
        let shape: CardShape =
            switch picture.shape {
            case .rounded(let radius): .box(rect, radius: radius)
            case .circle: .disc([rect.middleX, rect.middleY], radius: min(rect.width, rect.height) / 2)
            }
        scene.items.append(.picture(shape, shown.number, rect))
    }

    // MARK: Texts

    private mutating func draw(_ block: TextBlock, _ words: CardWords, _ rect: CardRect) {
        guard let color = request.color(words.color) else { return }
        let free = rect.height - block.height
        let top =
            switch words.gravity {
            case .top: rect.y
            case .middle: rect.y + free / 2
            case .bottom: rect.y + free
            }
        let anchor = anchor(words.alignment, isRightToLeft: block.isRightToLeft ?? false)
        let x =
            switch anchor {
            case .left: rect.x
            case .middle: rect.middleX
            case .right: rect.right
            }
        for (index, line) in block.lines.enumerated() {
            // Capitals, which are 0.714 em high, are in the middle of their line.
            var font = block.font
            // Letters have other shapes where a word was broken.
            let width = measure.advances(line, isBold: font.isBold).reduce(0, +) * font.size
            if width > rect.width { font.size *= rect.width / width }
            let baseline = top + (Double(index) + 0.5) * block.lineHeight + 0.357 * font.size
            scene.items.append(
                .text(CardLine(text: line, x: x, baseline: baseline, anchor: anchor, font: font, color: color)))
        }
    }

    /// A mirrored card is laid out from left to right first.
    private func anchor(_ alignment: CardWords.Alignment, isRightToLeft: Bool) -> CardLine.Anchor {
        let isTurned = isRightToLeft && !isMirrored
        return switch alignment {
        case .left: isMirrored ? .right : .left
        case .right: isMirrored ? .left : .right
        case .center: .middle
        case .start: isTurned ? .right : .left
        case .end: isTurned ? .left : .right
        }
    }

    // MARK: Stacks

    private struct Row {
        var element: CardElement
        var index: Int
        var rect: CardRect
        var text: FittedText?
        var block: TextBlock?
        var height: Double { block?.height ?? rect.height }
        /// Before it.
        var gap: Double
    }

    private mutating func draw(_ stack: CardStack, _ first: Int, _ outer: CardRect) {
        var rows: [Row] = []
        for (offset, element) in stack.elements.enumerated() where conditions.shows(element) {
            var row = Row(
                element: element, index: first + offset, rect: element.frame.rect(in: outer),
                gap: element.gap ?? stack.gap)
            switch element.content {
            case .text(let words):
                guard let text = conditions.text(words) else { continue }
                row.text = FittedText(text, words, width: row.rect.width, measure)
            case .picture: guard shown[row.index] != nil else { continue }
            case .map: guard map != nil else { continue }
            case .box, .stack: break
            }
            rows.append(row)
        }
        guard !rows.isEmpty else { return }
        rows[0].gap = 0
        fit(&rows, into: outer.height)
        let total = Self.height(rows)
        var y: Double =
            switch stack.gravity {
            case .top: outer.y
            case .middle: outer.y + ((outer.height - total) / 2).rounded()
            case .bottom: outer.y + outer.height - total
            }
        for row in rows {
            y += row.gap
            var rect = row.rect
            (rect.y, rect.height) = (y, row.height)
            if let block = row.block, case .text(let words) = row.element.content {
                draw(block, words, rect)
            } else {
                draw(row.element, row.index, rect)
            }
            y += row.height
        }
    }

    /// Texts get smaller together until all of them fit; then the last ones lose lines.
    private func fit(_ rows: inout [Row], into height: Double) {
        let steps = 8
        for step in 0...steps {
            let share = Double(steps - step) / Double(steps)
            for index in rows.indices { rows[index].block = rows[index].text?.block(sizeShare: share) }
            if Self.height(rows) <= height { return }
        }
        for index in rows.indices.reversed() {
            guard let text = rows[index].text else { continue }
            while let block = rows[index].block, block.lines.count > 1, Self.height(rows) > height {
                rows[index].block = text.smallest(lineLimit: block.lines.count - 1)
            }
        }
    }

    private static func height(_ rows: [Row]) -> Double { rows.reduce(0) { $0 + $1.gap + $1.height } }
}

/// A text in the sizes that a template allows for it.
private struct FittedText {
    private let text: MeasuredText
    private let words: CardWords
    private let width: Double
    private let lineHeight: Double

    private static let tallLineHeight = 1.4

    init(_ text: String, _ words: CardWords, width: Double, _ measure: some TextMeasure) {
        self.text = MeasuredText(text, isBold: words.isBold, measure)
        (self.words, self.width) = (words, width)
        lineHeight = self.text.isTall ? max(words.lineHeight, Self.tallLineHeight) : words.lineHeight
    }

    private func block(_ size: Double, lineLimit: Int) -> TextBlock {
        TextBlock(
            text, CardFont(size: size, isBold: words.isBold), lineHeight: lineHeight,
            width: width, lineLimit: lineLimit)
    }

    func smallest(lineLimit: Int) -> TextBlock { block(words.sizes.lowerBound, lineLimit: lineLimit) }

    /// In the largest size in which all of it fits, at most `sizeShare` of the way from the smallest to the largest. In the
    /// smallest, lines may end it.
    func block(sizeShare: Double = 1, height: Double = .infinity) -> TextBlock {
        let least = words.sizes.lowerBound
        let most = (least + (words.sizes.upperBound - least) * sizeShare).rounded(.down)
        let wanted = block(max(least, most), lineLimit: words.lineLimit)
        func fits(_ block: TextBlock) -> Bool { !block.isCut && block.height <= height }
        if fits(wanted) { return wanted }
        var (low, high, best): (Double, Double, TextBlock?) = (least, most, nil)
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded()
            let tried = block(middle, lineLimit: words.lineLimit)
            if fits(tried) { (low, best) = (middle, tried) } else { high = middle }
        }
        if let best { return best }
        let smallest = smallest(lineLimit: words.lineLimit)
        guard smallest.height > height else { return smallest }
        let lines = Int(held: (height / smallest.lineHeight).rounded(.down), in: 1...words.lineLimit)
        return self.smallest(lineLimit: lines)
    }
}
