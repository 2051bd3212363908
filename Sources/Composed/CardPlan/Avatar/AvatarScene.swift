import CardGrammar
import Colors
import Digest
import Parameters

// What stands in the cells of an avatar.
extension AvatarLayout {
    /// The avatar, where the people in `pictures` show the pictures with these numbers.
    package func scene(showing pictures: [Int: Int], _ measure: some TextMeasure) -> CardScene {
        var scene = emptyScene
        if let ring = request.ring {
            for shapes in ringShapes { scene.items.append(.fill(shapes.outer, ring.color)) }
            // Where the ground shows between cells, the ring must not.
            if request.background.isOpaque {
                for shapes in ringShapes { scene.items.append(.fill(shapes.inner, request.background)) }
            }
        }
        for cell in cells {
            switch cell.content {
            case .more(let count): drawMore(count, cell, measure, into: &scene)
            case .person(let index):
                if let picture = pictures[index] {
                    scene.items.append(.picture(cell.shape, picture, cell.frame))
                } else {
                    draw(request.persons[index], cell, measure, into: &scene)
                }
            }
        }
        drawSigns(badgePicture: pictures[Self.badgeKey], measure, into: &scene)
        return scene
    }

    var emptyScene: CardScene {
        var scene = CardScene(width: width, background: request.background)
        scene.height = height
        return scene
    }

    private func drawMore(_ count: Int, _ cell: AvatarCell, _ measure: some TextMeasure, into scene: inout CardScene) {
        let ground = Color(rgb: request.palette == .grey ? 0x4b5563 : 0xe4e8ef)
        scene.items.append(.fill(cell.shape, ground))
        let text = count < 1000 ? "+\(count)" : count < 100_000 ? "+\(count / 1000)k" : "+99k"
        letters(text, in: cell.center, radius: cell.radius, on: ground, measure, into: &scene)
    }

    /// The first of the fallbacks that shows something.
    private func draw(
        _ person: AvatarPerson, _ cell: AvatarCell, _ measure: some TextMeasure, into scene: inout CardScene
    ) {
        let ground = AvatarColors.ground(person, request.palette)
        for fallback in request.fallbacks {
            switch fallback {
            case .initials:
                let (initials, style) = (request.initials(of: person), request.letters)
                guard measure.ink(CardText.scalars(initials), isBold: style?.isBold ?? false) != nil else { continue }
                scene.items.append(.fill(cell.shape, ground))
                letters(
                    initials, in: cell.center, radius: cell.radius, on: ground, measure, into: &scene,
                    isBold: style?.isBold ?? false, style)
                return
            case .identicon: return drawPattern(person, cell, side: AvatarRequest.identiconSide, into: &scene)
            case .retro: return drawPattern(person, cell, side: AvatarRequest.retroSide, into: &scene)
            case .shape: return drawShape(person, cell, ground, into: &scene)
            case .silhouette: return drawSilhouette(cell, ground, into: &scene)
            case .color: return scene.items.append(.fill(cell.shape, ground))
            case .blank: return
            case .absent, .asset: continue
            }
        }
        drawPattern(person, cell, side: AvatarRequest.identiconSide, into: &scene)
    }

    /// Squares in rows, alike left and right: 5 on a light ground in two tones, or 8 on a dark one.
    private func drawPattern(_ person: AvatarPerson, _ cell: AvatarCell, side: Int, into scene: inout CardScene) {
        let words = person.digest.words
        let color = AvatarColors.pattern(words[1])
        let isRetro = side == AvatarRequest.retroSide
        let ground = isRetro ? color.mixed(0.35, into: .black) : Color(rgb: 0xf0f2f5)
        scene.items.append(.fill(cell.shape, ground))
        let tones =
            isRetro
            ? [color.mixed(0.75, into: .white), Color(rgb: 0xffe9c4)] : [color, color.mixed(0.55, into: ground)]
        // As large as the cell is around its middle, on whole pixels where that is possible.
        let half = cell.radius * (request.shape == .square && cells.count == 1 ? 0.8 : 0.66)
        let unit = max(0.5, (2 * half / Double(side) * 2).rounded() / 2)
        let corner = cell.center - SIMD2(repeating: unit * Double(side) / 2)
        var bits = words[2]
        for row in 0..<side {
            for column in 0..<(side + 1) / 2 {
                let kind = Int(bits % 3)
                bits = bits / 3 ^ (bits << 59)
                guard kind > 0 else { continue }
                let mirrored = side - 1 - column
                for place in column < mirrored ? [column, mirrored] : [column] {
                    scene.items.append(
                        .fill(
                            .box(
                                CardRect(
                                    x: corner.x + Double(place) * unit, y: corner.y + Double(row) * unit, width: unit,
                                    height: unit)),
                            tones[kind - 1]))
                }
            }
        }
    }

    private func drawShape(_ person: AvatarPerson, _ cell: AvatarCell, _ ground: Color, into scene: inout CardScene) {
        scene.items.append(.fill(cell.shape, ground))
        let (bits, radius) = (person.digest.words[1], cell.radius * 0.55)
        let ink = AvatarColors.ink(on: ground)
        let count = [0, 3, 4, 5, 6][Int(bits % 5)]
        guard count > 0 else {
            scene.items.append(.fill(.sector(cell.center, radii: radius * 0.5...radius, from: 0, to: 1), ink))
            return
        }
        let turn = Double(bits >> 8 & 63) / 64
        scene.items.append(
            .fill(
                CardShape(rings: [
                    (0..<count).map { cell.center + CardShape.direction(turn + Double($0) / Double(count)) * radius }
                ]), ink))
    }

    private func drawSilhouette(_ cell: AvatarCell, _ ground: Color, into scene: inout CardScene) {
        scene.items.append(.fill(cell.shape, ground))
        let ink = AvatarColors.ink(on: ground).mixed(0.75, into: ground)
        let radius = cell.radius
        scene.items.append(.fill(.disc(cell.center - [0, radius * 0.24], radius: radius * 0.34), ink))
        let shoulders = CardShape.disc(cell.center + [0, radius * 0.9], radius: radius * 0.66)
        scene.items.append(.fill(shoulders.within(cell.shape), ink))
    }

    private func drawSigns(badgePicture: Int?, _ measure: some TextMeasure, into scene: inout CardScene) {
        if let status = request.status {
            let color = Color(
                rgb: [0x1fa463, 0xf0a020, 0xdc3545, 0x8a94a3][AvatarRequest.Status.allCases.firstIndex(of: status) ?? 0]
            )
            let hollow = status == .offline ? dot.radius * 0.5 : 0
            scene.items.append(.fill(.sector(dot.center, radii: hollow...dot.radius, from: 0, to: 1), color))
        }
        let disc = CardShape.disc(badge.center, radius: badge.radius)
        switch request.badge {
        case nil: break
        case .number(let number):
            let ground = Color(rgb: 0xc92a2a)
            scene.items.append(.fill(disc, ground))
            letters(
                number > 99 ? "99+" : "\(number)", in: badge.center, radius: badge.radius, on: ground, measure,
                into: &scene, isBold: true)
        case .asset:
            if let badgePicture, let frame = disc.bounds {
                scene.items.append(.picture(disc, badgePicture, frame))
            } else {
                scene.items.append(.fill(disc, Color(rgb: 0x8a94a3)))
            }
        }
    }

    /// A few letters, with their ink in the middle, as large as the free disc allows.
    private func letters(
        _ text: String, in center: SIMD2<Double>, radius: Double, on ground: Color, _ measure: some TextMeasure,
        into scene: inout CardScene, isBold: Bool = false, _ style: AvatarLetters? = nil
    ) {
        let scalars = CardText.scalars(text)
        guard let box = measure.ink(scalars, isBold: isBold) else { return }
        // Capitals are 0.714 em high; others are no larger, so that all letters of a row of avatars are alike.
        let height = max(0.714, box.height)
        let diagonal = (box.width * box.width + height * height).squareRoot() / 2
        let size = style.map { $0.share.double * self.height } ?? min(radius * 0.86, radius * 0.82 / diagonal)
        let isCapital = text.utf8.allSatisfy { (0x30...0x5A).contains($0) || $0 == UInt8(ascii: "+") }
        let middle = isCapital ? -0.357 : box.middleY
        scene.items.append(
            .text(
                CardLine(
                    text: scalars, x: center.x - box.middleX * size, baseline: center.y - middle * size,
                    font: CardFont(size: size, isBold: isBold), color: style?.ink ?? AvatarColors.ink(on: ground),
                    isAlone: true)))
    }
}
