import Bytes
import Colors
package import ImagePlan
package import Parameters

/// Where the parts of a card are, as far as that follows from the request alone.
package struct CardLayout: Sendable {
    /// A picture that the card shows.
    package struct Picture: Sendable {
        /// The element that shows it, counted with those within stacks.
        package let element: Int
        package let id: String
        /// nil: the template itself names the asset.
        package let field: String?
        package let isRequired: Bool
        package let size: PixelSize
        package let coversBox: Bool
        package let gravity: Gravity
    }

    package struct Map: Sendable {
        package let latitude, longitude, zoom: PlainDecimal
        package let style: String?
        /// The field that has the style.
        package let styleField: String?
        package let marker: String?
        package let widthPx, heightPx: Int
    }

    package let request: CardRequest
    package let pictures: [Picture]
    package let map: Map?

    var template: CardTemplate { request.template }
    var canvas: CardRect {
        CardRect(x: 0, y: 0, width: Double(template.widthPx), height: Double(template.heightPx))
    }

    package init(_ request: CardRequest) {
        self.request = request
        var (pictures, map): ([Picture], Map?) = ([], nil)
        let canvas = CardRect(
            x: 0, y: 0, width: Double(request.template.widthPx), height: Double(request.template.heightPx))
        let conditions = CardConditions(request)
        func add(_ element: CardElement, _ index: Int, in outer: CardRect) {
            guard conditions.shows(element) else { return }
            let rect = element.frame.rect(in: outer)
            switch element.content {
            case .picture(let picture):
                if let wanted = Self.picture(picture, at: index, in: rect, request) { pictures.append(wanted) }
            case .map(let wanted): map = Self.map(wanted, rect, request)
            case .box, .text, .stack: break
            }
        }
        var index = 0
        for element in request.template.elements {
            add(element, index, in: canvas)
            index += 1
            guard case .stack(let stack) = element.content else { continue }
            let isShown = conditions.shows(element)
            for inner in stack.elements {
                if isShown { add(inner, index, in: element.frame.rect(in: canvas)) }
                index += 1
            }
        }
        (self.pictures, self.map) = (pictures, map)
    }

    private static func picture(
        _ picture: CardPicture, at index: Int, in rect: CardRect, _ request: CardRequest
    ) -> Picture? {
        guard let id = request.text(picture.id) else { return nil }
        let field: String? = if case .field(let name) = picture.id { name } else { nil }
        let box = rect.scaled(by: request.scale.double)
        func side(_ side: Double) -> Int { Int(held: side.rounded(), in: 1...CardTemplate.sideLimitPx) }
        let gravity = picture.gravity ?? "center"
        return Picture(
            element: index, id: id, field: field,
            isRequired: field.flatMap { request.template.field($0)?.isRequired } ?? false,
            size: PixelSize(widthPx: side(box.width), heightPx: side(box.height)), coversBox: picture.fit == .cover,
            gravity: gravity == "attention"
                ? .interest(.attention, otherwise: .center) : .compass(Compass(rawValue: gravity) ?? .center))
    }

    private static func map(_ map: CardMap, _ rect: CardRect, _ request: CardRequest) -> Map? {
        guard let latitude = request.number(map.latitude), let longitude = request.number(map.longitude),
            let zoom = request.number(map.zoom)
        else { return nil }
        let field: String? = if case .field(let name)? = map.style { name } else { nil }
        return Map(
            latitude: latitude, longitude: longitude, zoom: zoom, style: map.style.flatMap(request.text),
            styleField: field, marker: map.marker.flatMap(request.color)?.canonical,
            widthPx: Int(held: rect.width, in: 16...4096), heightPx: Int(held: rect.height, in: 16...4096))
    }
}

/// Which elements are shown, by the fields that have values.
struct CardConditions {
    let request: CardRequest
    /// Fields whose pictures cannot be had.
    var lacking: Set<String> = []

    init(_ request: CardRequest) { self.request = request }

    func has(_ field: String) -> Bool { request.value(field) != nil && !lacking.contains(field) }

    func shows(_ element: CardElement) -> Bool { element.given.allSatisfy(has) && !element.absent.contains(where: has) }

    /// What the words are; nil where there are none.
    func text(_ words: CardWords) -> String? {
        let pieces = words.pieces.compactMap { parts -> String? in
            var text = ""
            for part in parts {
                switch part {
                case .words(let words): text += words
                case .field(let name):
                    guard has(name), let value = request.value(name) else { return nil }
                    text += value
                }
            }
            return text.isEmpty ? nil : text
        }
        guard !pieces.isEmpty else { return nil }
        let text = pieces.joined(separator: words.joint)
        return words.isUppercase ? text.uppercased() : text
    }
}
