import CardGrammar
import CardPlan
import ImagePlan
import Parameters

// The first byte of an input says which request the rest is.

/// What `scripts/fuzz card` runs: a poll, an avatar or a card by a template and its canonical text mean the same, and it can be laid out within its
/// price, wherever texts end and whatever they are made of.
enum CardInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let rest = input.rest()
        if selector == 255 { return try checkTemplate(rest) }
        switch selector % 5 {
        case 3:
            try checkPoll(try QueryInput.parsed { () throws(ParameterFaults) in try PollRequest.items(ofBody: rest) })
        case 4:
            try checkAvatar(
                try QueryInput.parsed { () throws(ParameterFaults) in try AvatarRequest.items(ofBody: rest) })
        default:
            guard let items = try QueryInput.items(of: String(decoding: rest, as: UTF8.self)) else { return }
            switch selector % 5 {
            case 0: try checkPoll(items)
            case 1: try checkAvatar(items)
            default:
                try checkHash(items)
                try checkName(items)
            }
        }
    }

    private static func checkPoll(_ items: [QueryItem]?) throws(BrokenInvariant) {
        guard let items,
            let request = try QueryInput.parsed({ () throws(ParameterFaults) in try PollRequest.parse(items) })
        else { return }
        let canonical = request.canonical
        try QueryInput.checkReading(canonical) { items throws(ParameterFaults) in
            try PollRequest.parse(items).canonical
        }
        // Its options are in a file.
        guard request.dataID == nil else { return }
        let layout = PollLayout(request, EmMeasure())
        try check(layout.scene, canonical)
        try BrokenInvariant.require(layout.boxes.count == request.options.count, "\(canonical): boxes")
        let sum = layout.figures.percents.map { $0.reduce(0, +) }
        try BrokenInvariant.require(
            request.percent != .largestRemainder || request.voters != nil || [nil, 0, 100].contains(sum),
            "\(canonical): \(sum ?? -1) percent")
        try BrokenInvariant.require(request.layoutCost.microseconds > 0, "\(canonical): no price")
    }

    /// A template, a zero, and the query of a card by it.
    private static func checkTemplate(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard let file = parts.first, let template = try? CardTemplate.read(Array(file), name: "x") else { return }
        let templates = CardTemplates([template])
        let query = "template=x&" + String(decoding: parts.count > 1 ? Array(parts[1]) : [], as: UTF8.self)
        guard let items = try QueryInput.items(of: query) else { return }
        let parsed = try QueryInput.parsed { () throws(ParameterFaults) in
            try CardRequest.parse(items, templates)
        }
        guard let request = parsed else { return }
        let canonical = request.canonical
        try QueryInput.checkReading(canonical) { items throws(ParameterFaults) in
            try CardRequest.parse(items, templates).canonical
        }
        let layout = CardLayout(request)
        let shown = layout.pictures.map { ($0.element, CardLayout.Shown(number: 0, size: $0.size)) }
        for pictures in [[:], Dictionary(shown, uniquingKeysWith: { $1 })] {
            let scene = layout.scene(showing: pictures, map: nil, EmMeasure())
            try check(scene, canonical)
            let (price, drawn) = (
                layout.predictedCost(as: .png), scene.predictedCost(at: request.scale, request.encoding, as: .png)
            )
            try BrokenInvariant.require(price.microseconds >= drawn.microseconds, "\(canonical): \(price)")
        }
    }

    private static func checkAvatar(_ items: [QueryItem]?) throws(BrokenInvariant) {
        guard let items,
            let request = try QueryInput.parsed({ () throws(ParameterFaults) in try AvatarRequest.parse(items) })
        else { return }
        let canonical = request.canonical
        try QueryInput.checkReading(canonical) { items throws(ParameterFaults) in
            try AvatarRequest.parse(items).canonical
        }
        try checkDrawing(request, canonical)
    }

    private static func checkHash(_ items: [QueryItem]) throws(BrokenInvariant) {
        let hash = items.first?.name ?? ""
        let asked = try QueryInput.parsed { () throws(ParameterFaults) in
            try HashedAvatar.parse(hash, Array(items.dropFirst()))
        }
        if let asked { try checkDrawing(asked.request, hash) }
    }

    private static func checkName(_ items: [QueryItem]) throws(BrokenInvariant) {
        guard let asked = try QueryInput.parsed({ () throws(ParameterFaults) in try NamedAvatar.parse(items) })
        else { return }
        try QueryInput.checkReading(asked.canonical) { items throws(ParameterFaults) in
            try NamedAvatar.parse(items).canonical
        }
        try checkDrawing(asked.request, asked.canonical)
    }

    private static func checkDrawing(_ request: AvatarRequest, _ name: String) throws(BrokenInvariant) {
        let layout = AvatarLayout(request)
        try BrokenInvariant.require((1...9).contains(layout.cells.count), "\(name): \(layout.cells.count) cells")
        let scene = layout.scene(showing: [:], EmMeasure())
        try check(scene, name)
        let (price, drawn) = (
            layout.predictedCost(as: .png), scene.predictedCost(at: request.scale, request.encoding, as: .png)
        )
        try BrokenInvariant.require(
            price.microseconds >= drawn.microseconds && price.byteCount >= drawn.byteCount, "\(name): \(price)")
    }

    private static func check(_ scene: CardScene, _ name: String) throws(BrokenInvariant) {
        var isFinite = scene.width.isFinite && scene.height.isFinite && scene.height > 0
        for item in scene.items {
            switch item {
            case .fill(let shape, _), .picture(let shape, _, _), .shade(let shape, _):
                isFinite = isFinite && shape.rings.joined().allSatisfy { $0.x.isFinite && $0.y.isFinite }
            case .line(let points, let width, _):
                isFinite = isFinite && width.isFinite && points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
            case .text(let line):
                isFinite = isFinite && line.x.isFinite && line.baseline.isFinite && line.font.size.isFinite
            }
        }
        try BrokenInvariant.require(isFinite, "\(name) has no place for something")
    }
}

/// Every character is as wide as an em, and some have no ink.
private struct EmMeasure: TextMeasure {
    func advances(_ text: [UInt32], isBold: Bool) -> [Double] { text.map { $0 % 7 == 0 ? 0 : 1 } }

    func ink(_ text: [UInt32], isBold: Bool) -> CardRect? {
        let count = text.count { $0 % 5 > 0 }
        return count == 0 ? nil : CardRect(x: 0, y: -0.7, width: Double(count), height: 0.7)
    }
}
