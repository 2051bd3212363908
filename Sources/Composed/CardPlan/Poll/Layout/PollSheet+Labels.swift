import Bytes
import CardGrammar
import ImagePlan
import Parameters

extension PollSheet {
    /// Less room than this beside the words, and faces stand below.
    private static let leastWordsWidth = 130.0

    func label(_ index: Int, _ font: CardFont, width: Double) -> PollLabel {
        let option = request.options[index]
        var label = PollLabel(index: index, words: block("", font, width: width, lineLimit: 1))
        if option.iconID != nil { label.iconSide = (font.size * 1.6).rounded() }
        var room = width - label.wordsX
        if !option.faces.isEmpty {
            label.faceSide = (font.size * 1.5).rounded()
            label.facesWidth = AvatarLayout.rowWidth(option.faces.count, height: label.faceSide)
            let left = room - label.facesWidth - PollLabel.gap
            label.hasFacesBelow = left < Self.leastWordsWidth
            if !label.hasFacesBelow { room = left }
        }
        label.words = block(option.label, font, width: room, lineLimit: 3)
        return label
    }

    /// From (`x`, `y`) on, `width` wide.
    mutating func draw(_ label: PollLabel, x: Double, y: Double, width: Double) {
        if label.iconSide > 0 {
            let (side, top) = (label.iconSide, y + label.iconY)
            icons.append(PollSpot(index: label.index, rect: CardRect(x: x, y: top, width: side, height: side)))
        }
        text(label.words, x: x + label.wordsX, y: y + label.wordsY, colors.ink)
        guard label.faceSide > 0 else { return }
        let left = label.hasFacesBelow ? x + label.wordsX : x + width - label.facesWidth
        let rect = CardRect(x: left, y: y + label.facesY, width: label.facesWidth, height: label.faceSide)
        faces.append(PollSpot(index: label.index, rect: rect))
    }

    /// The sign, the words and the faces of an option one below the other; how far down that reaches.
    mutating func drawCentred(_ index: Int, middle: Double, y: Double, width: Double) -> Double {
        let option = request.options[index]
        var bottom = y
        if option.iconID != nil {
            let side = 24.0
            icons.append(PollSpot(index: index, rect: CardRect(x: middle - side / 2, y: y, width: side, height: side)))
            bottom += side + 6
        }
        let words = block(
            option.label, CardFont(size: 14, isBold: figures.isWinner[index]), width: width, lineLimit: 3)
        text(words, x: middle, y: bottom, colors.ink, anchor: .middle)
        bottom += words.height
        guard !option.faces.isEmpty else { return bottom }
        // As high as leaves room for all of them.
        let share = width / AvatarLayout.rowWidth(option.faces.count, height: 100)
        let side = Double(Int(held: min(22, 100 * share), in: 8...22))
        let across = AvatarLayout.rowWidth(option.faces.count, height: side)
        let rect = CardRect(x: middle - across / 2, y: bottom + 5, width: across, height: side)
        faces.append(PollSpot(index: index, rect: rect))
        return rect.bottom
    }

    // MARK: Pictures

    /// The pictures that are shown, where a CSS pixel has `factor` device pixels.
    func pictures(_ factor: Double) -> [CardLayout.Picture] {
        func side(_ side: Double) -> Int { Int(held: (side * factor).rounded(.up), in: 1...4096) }
        let signs = icons.compactMap { spot in
            request.options[spot.index].iconID.map { id in
                CardLayout.Picture(
                    element: Self.iconKey(spot.index), id: id, field: nil, isRequired: false,
                    size: PixelSize(widthPx: side(spot.rect.width), heightPx: side(spot.rect.height)), coversBox: false,
                    gravity: .compass(.center))
            }
        }
        let people = faces.flatMap { spot in
            // How large a picture is follows from its disc alone.
            AvatarLayout(row(spot), isCut: false).cells.enumerated().compactMap { place, cell in
                request.options[spot.index].faces[place].id.map { id in
                    CardLayout.Picture(
                        element: Self.faceKey(spot.index, place), id: id, field: nil, isRequired: false,
                        size: cell.size(at: factor), coversBox: true,
                        gravity: .interest(.attention, otherwise: .center))
                }
            }
        }
        return signs + people
    }

    /// Those that could be had; letters or patterns stand for other faces.
    mutating func drawPictures(_ shown: [Int: CardLayout.Shown]) {
        for spot in icons {
            guard let picture = shown[Self.iconKey(spot.index)] else { continue }
            let rect = spot.rect.fitted(picture.size)
            scene.items.append(.picture(.box(rect, radius: spot.rect.width * 0.16), picture.number, rect))
        }
        for spot in faces {
            let count = request.options[spot.index].faces.count
            let numbers = (0..<count).compactMap { place in
                shown[Self.faceKey(spot.index, place)].map { (place, $0.number) }
            }
            let row = AvatarLayout(row(spot)).scene(showing: Dictionary(uniqueKeysWithValues: numbers), measure)
            scene.items += row.items.map { $0.moved(by: [spot.rect.x, spot.rect.y]) }
        }
    }

    private func row(_ spot: PollSpot) -> AvatarRequest {
        var row = AvatarRequest()
        row.persons = request.options[spot.index].faces
        row.layout = .stack
        row.sizePx = Int(held: spot.rect.height, in: 1...64)
        row.cellLimit = PollRequest.faceLimit
        row.gap = 8
        return row
    }

    private static let pictureCount = PollRequest.faceLimit + 1
    private static func iconKey(_ index: Int) -> Int { index * pictureCount }
    private static func faceKey(_ index: Int, _ place: Int) -> Int { index * pictureCount + 1 + place }
}
