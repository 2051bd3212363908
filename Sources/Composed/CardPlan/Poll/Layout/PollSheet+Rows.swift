import CardGrammar

// Layouts in rows: bars, lists, what can be chosen before anybody has voted, and legends.
extension PollSheet {
    private static let rowRadius = 10.0
    private static let rowPadding = 11.0
    private static let rowGap = 8.0

    mutating func drawBars() {
        for index in figures.order {
            let option = request.options[index]
            let isWinner = figures.isWinner[index]
            let value = block(value(index), CardFont(size: 16, isBold: true), width: inner / 2, lineLimit: 1)
            let tickWidth = option.isChosen ? 28.0 : 0
            let room = inner - 2 * 14 - value.width - 16 - tickWidth
            let label = label(index, CardFont(size: 16, isBold: isWinner), width: room)
            let row = CardRect(
                x: margin, y: y, width: inner, height: max(label.height, value.height) + 2 * Self.rowPadding)
            let track = CardShape.box(row, radius: Self.rowRadius)
            fill(track, colors.track)
            let length = row.width * min(1, figures.shares[index]) * growth
            if length > 0 {
                let hasRoom = length >= 2 * Self.rowRadius
                let bar = CardRect(x: row.x, y: row.y, width: length, height: row.height)
                fill(
                    hasRoom ? .box(bar, radius: Self.rowRadius) : track.clipped(row.x, row.x + max(1.5, length)),
                    colors.tint(color(index, series: false), isStrong: isWinner))
            }
            draw(label, x: row.x + 14, y: row.middleY - label.height / 2, width: room)
            text(value, x: row.right - 14, y: row.middleY - value.height / 2, colors.ink, anchor: .right)
            if option.isChosen {
                tick([row.right - 14 - value.width - 19, row.middleY], radius: 9, color(index, series: false))
            }
            boxes[index] = row
            y = row.bottom + Self.rowGap
        }
        y -= Self.rowGap
    }

    /// Before anybody has voted.
    mutating func drawChoices() {
        for index in figures.order {
            let option = request.options[index]
            let room = inner - 48 - 16
            let label = label(index, CardFont(size: 16), width: room)
            let row = CardRect(x: margin, y: y, width: inner, height: label.height + 2 * Self.rowPadding)
            let accent = color(index, series: false)
            if option.isChosen { fill(.box(row, radius: Self.rowRadius), colors.faint(accent)) }
            fill(
                .frame(row, radius: Self.rowRadius, width: option.isChosen ? 2 : 1.5),
                option.isChosen ? accent : colors.hairline)
            let center: SIMD2<Double> = [row.x + 24, row.y + Self.rowPadding + label.markY]
            if option.isChosen {
                tick(center, radius: 10, accent)
            } else {
                let ring = mark(center, radius: 10)
                fill(
                    CardShape(rings: ring.rings + mark(center, radius: 8.25).rings.map { Array($0.reversed()) }),
                    colors.muted)
            }
            draw(label, x: row.x + 48, y: row.y + Self.rowPadding, width: room)
            boxes[index] = row
            y = row.bottom + Self.rowGap
        }
        y -= Self.rowGap
    }

    /// Rows between lines, with votes and percents in columns.
    mutating func drawList() {
        let values = request.options.indices.map {
            block(value($0), CardFont(size: 16, isBold: true), width: inner / 3, lineLimit: 1)
        }
        let counts = request.options.map { option in
            block(
                figures.percents == nil ? "" : language.grouped(option.votes ?? 0), CardFont(size: 14),
                width: inner / 3, lineLimit: 1)
        }
        let valueWidth = values.map(\.width).max() ?? 0
        let countWidth = counts.map(\.width).max() ?? 0
        let countGap = countWidth > 0 ? 18.0 : 0
        for (place, index) in figures.order.enumerated() {
            let option = request.options[index]
            let tickWidth = option.isChosen ? 28.0 : 0
            let room = inner - valueWidth - countWidth - countGap - 20 - tickWidth
            let label = label(index, CardFont(size: 16, isBold: figures.isWinner[index]), width: room)
            let row = CardRect(x: margin, y: y, width: inner, height: label.height + 22)
            if place > 0 {
                fill(.box(CardRect(x: row.x, y: row.y - 0.5, width: row.width, height: 1)), colors.hairline)
            }
            let top = row.middleY - 11
            draw(label, x: row.x, y: row.middleY - label.height / 2, width: room)
            text(values[index], x: row.right, y: top, colors.ink, anchor: .right)
            text(counts[index], x: row.right - valueWidth - countGap, y: top + 1.5, colors.muted, anchor: .right)
            if option.isChosen {
                tick(
                    [row.right - valueWidth - countWidth - countGap - 19, row.middleY], radius: 9,
                    color(index, series: false))
            }
            boxes[index] = row
            y = row.bottom
        }
    }

    /// What the colors of a drawing mean, with percents and votes.
    mutating func drawLegend(x: Double, width: Double) {
        let values = request.options.indices.map {
            block(value($0), CardFont(size: 15, isBold: true), width: width / 3, lineLimit: 1)
        }
        let valueWidth = values.map(\.width).max() ?? 0
        for index in figures.order {
            let option = request.options[index]
            let tickWidth = option.isChosen ? 25.0 : 0
            let room = width - 22 - valueWidth - 14 - tickWidth
            let label = label(index, CardFont(size: 15, isBold: figures.isWinner[index]), width: room)
            let row = CardRect(x: x, y: y, width: width, height: label.height + 9)
            let markY = row.y + 4.5 + label.markY
            fill(.box(CardRect(x: x, y: markY - 6, width: 12, height: 12), radius: 3.5), color(index, series: true))
            draw(label, x: x + 22, y: row.y + 4.5, width: room)
            text(values[index], x: row.right, y: row.y + 4.5 + label.wordsY, colors.ink, anchor: .right)
            if option.isChosen { tick([row.right - valueWidth - 17, markY], radius: 8, color(index, series: true)) }
            boxes[index] = row
            y = row.bottom
        }
    }

    func legendHeight(width: Double) -> Double {
        var copy = self
        copy.drawLegend(x: 0, width: width)
        return copy.y - y
    }
}
