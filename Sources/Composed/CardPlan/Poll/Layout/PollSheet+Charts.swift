import CardGrammar
import Colors

// Layouts as drawings: columns, one bar for all, rings and discs.
extension PollSheet {
    mutating func drawColumns() {
        let count = Double(figures.order.count)
        let slot = inner / count
        // Narrow columns have no room for labels, which stand in a legend.
        let hasLabels = slot >= 68
        let most = figures.shares.max() ?? 0
        let height = isNarrow ? 130.0 : 170
        let valueHeight = slot >= 40 ? 26.0 : 4
        let base = y + valueHeight + height
        let width = min(88, slot * 0.66)
        var bottom = base + 1
        for (place, index) in figures.order.enumerated() {
            let middle = margin + slot * (Double(place) + 0.5)
            let share = most > 0 ? figures.shares[index] / most : 0
            let length = max(2, height * share * growth)
            let column = CardRect(x: middle - width / 2, y: base - length, width: width, height: length)
            // Round at the top: the lower half of a longer box is cut off by the base.
            let radius = min(8, width / 2, length)
            fill(Self.upright(column, radius: radius), columnColor(index, series: !hasLabels))
            if valueHeight > 20 {
                let value = block(value(index), CardFont(size: 15, isBold: true), width: slot, lineLimit: 1)
                text(value, x: middle, y: column.y - 24, colors.ink, anchor: .middle)
            }
            var box = CardRect(x: margin + slot * Double(place), y: y, width: slot, height: base - y + 1)
            if hasLabels {
                box.height = drawCentred(index, middle: middle, y: base + 8, width: slot - 8) - y
                if request.options[index].isChosen {
                    tick([middle, box.bottom + 12], radius: 9, color(index, series: false))
                    box.height += 21
                }
                bottom = max(bottom, box.bottom)
            }
            boxes[index] = box
        }
        fill(.box(CardRect(x: margin, y: base, width: inner, height: 1)), colors.hairline)
        y = bottom
        guard !hasLabels else { return }
        y += 14
        let columns = boxes
        drawLegend(x: margin, width: inner)
        // The column is what is tapped.
        boxes = columns
    }

    private func columnColor(_ index: Int, series: Bool) -> Color {
        if let color = request.options[index].color { return color }
        guard !series else { return colors.series(index) }
        let hasWinner = figures.isWinner.contains(true)
        return hasWinner && !figures.isWinner[index]
            ? colors.accent.mixed(0.45, into: colors.background) : colors.accent
    }

    /// A box with round corners at the top.
    private static func upright(_ rect: CardRect, radius: Double) -> CardShape {
        let box = CardShape.box(
            CardRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height + radius), radius: radius)
        return CardShape(rings: box.rings.map { ring in ring.map { [$0.x, min($0.y, rect.bottom)] } })
    }

    mutating func drawStacked() {
        let bar = CardRect(x: margin, y: y, width: inner, height: 30)
        let whole = CardShape.box(bar, radius: 9)
        fill(whole, colors.track)
        let sum = max(1, figures.shares.reduce(0, +))
        var left = bar.x
        for index in figures.order where figures.shares[index] > 0 {
            let right = left + bar.width * figures.shares[index] * growth / sum
            fill(whole.clipped(left, right), color(index, series: true))
            if left > bar.x {
                fill(.box(CardRect(x: left - 1, y: bar.y, width: 2, height: bar.height)), colors.background)
            }
            left = right
        }
        y = bar.bottom + 14
        drawLegend(x: margin, width: inner)
    }

    mutating func drawPie() {
        let isBeside = scene.width >= 440
        let diameter = isBeside ? min(210, inner * 0.38) : min(190, inner * 0.8)
        let legendX = isBeside ? margin + diameter + 28 : margin
        let legendWidth = isBeside ? inner - diameter - 28 : inner
        let legend = legendHeight(width: legendWidth)
        let height = isBeside ? max(diameter, legend) : diameter
        let center: SIMD2<Double> = [isBeside ? margin + diameter / 2 : scene.width / 2, y + height / 2]
        let radius = diameter / 2
        let hole = request.layout == .donut ? radius * 0.62 : 0
        drawSectors(center, hole...radius)
        if request.layout == .donut { drawTotal(center, width: hole * 1.7) }
        let bottom = y + height
        y = isBeside ? y + (height - legend) / 2 : bottom + 16
        drawLegend(x: legendX, width: legendWidth)
        y = max(y, bottom)
    }

    private mutating func drawSectors(_ center: SIMD2<Double>, _ radii: ClosedRange<Double>) {
        let shown = figures.order.filter { figures.shares[$0] > 0 }
        let sum = figures.shares.reduce(0, +)
        if sum * growth < 0.999 { fill(.sector(center, radii: radii, from: 0, to: 1), colors.track) }
        // Percents of people may come to more than a turn.
        let whole = max(1, sum)
        var start = 0.0
        var edges: [Double] = []
        for index in shown {
            let part = shown.count == 1 && sum >= 1 ? 1 : figures.shares[index] / whole
            let end = start + part * growth
            fill(.sector(center, radii: radii, from: start, to: end), color(index, series: true))
            edges.append(start)
            start = end
        }
        if start < 0.9999 { edges.append(start) }
        guard edges.count > 1 else { return }
        for edge in edges {
            let along = CardShape.direction(edge)
            let across = SIMD2(along.y, -along.x)
            let (near, far) = (center + along * radii.lowerBound, center + along * (radii.upperBound + 0.5))
            fill(CardShape(rings: [[near + across, far + across, far - across, near - across]]), colors.background)
        }
    }

    private mutating func drawTotal(_ center: SIMD2<Double>, width: Double) {
        let text = language.grouped(request.voters ?? figures.voteCount)
        var size = 30.0
        while size > 9, measure.width(text, CardFont(size: size, isBold: true)) > width { size -= 1 }
        let number = block(text, CardFont(size: size, isBold: true), width: width + 20, lineLimit: 1)
        self.text(number, x: center.x, y: center.y - number.lineHeight / 2, colors.ink, anchor: .middle)
    }
}
