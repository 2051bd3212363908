import Colors
package import Parameters

/// What a file of templates says: the fields that a URL fills in, and what is drawn with them.
package struct CardTemplate: Equatable, Sendable {
    package let name: String
    /// Changes with the file.
    package let digest: String
    /// CSS pixels.
    package var widthPx = 1200
    package var heightPx = 630
    package var fields: [CardField] = []
    var background = CardPaint.color(.fixed(.white))
    /// The card is mirrored where the text of this field begins from right to left.
    var mirroredBy: String?
    var elements: [CardElement] = []

    package func field(_ name: String) -> CardField? { fields.first { $0.name == name } }
}

/// A part of a URL that a template names.
package struct CardField: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Characters.
        case text(limit: Int)
        case number(ClosedRange<PlainDecimal>)
        case color
        case picture
        case choice([String])
        case style

        static let names = ["text", "number", "color", "picture", "choice", "style"]
    }

    package let name: String
    package var kind: Kind
    package var isRequired = false
    /// As it is spelled in canonical requests.
    package var usual: String?
}

/// A value of a template, or the field that has it.
enum CardValue<Value: Equatable & Sendable>: Equatable, Sendable {
    case fixed(Value)
    case field(String)
}

enum CardPaint: Equatable, Sendable {
    case color(CardValue<Color>)
    /// Degrees as in CSS: 0 upwards, 90 to the right.
    case gradient(degrees: Double, [CardValue<Color>])

    var colors: [CardValue<Color>] {
        switch self {
        case .color(let color): [color]
        case .gradient(_, let colors): colors
        }
    }
}

/// Where an element is in what it stands in: pixels, or a share of the side.
struct CardFrame: Equatable, Sendable {
    enum Length: Equatable, Sendable {
        case pixels(Double)
        case share(Double)

        func pixels(of side: Double) -> Double {
            switch self {
            case .pixels(let pixels): pixels
            case .share(let share): share * side
            }
        }
    }

    /// Two of three at most; what is left out follows.
    struct Extent: Equatable, Sendable {
        var start, end, size: Length?

        /// Within `side`, on whole pixels.
        func range(in side: Double) -> (start: Double, size: Double) {
            let (start, end) = (self.start?.pixels(of: side), self.end?.pixels(of: side))
            let size = self.size?.pixels(of: side)
            let left = start ?? size.flatMap { size in end.map { side - $0 - size } } ?? 0
            let right = size.map { left + $0 } ?? (side - (end ?? 0))
            return (left.rounded(), max(1, right.rounded() - left.rounded()))
        }
    }

    var across = Extent()
    var down = Extent()

    func rect(in outer: CardRect) -> CardRect {
        let (x, y) = (across.range(in: outer.width), down.range(in: outer.height))
        return CardRect(x: outer.x + x.start, y: outer.y + y.start, width: x.size, height: y.size)
    }
}

struct CardElement: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case box(CardBox)
        case text(CardWords)
        case picture(CardPicture)
        case map(CardMap)
        /// One below the other, as far as there is something to show.
        case stack(CardStack)
    }

    var frame = CardFrame()
    /// Only where all these fields have a value, and none of those.
    var given: [String] = []
    var absent: [String] = []
    /// Before it in a stack, in place of the gap of that.
    var gap: Double?
    var content: Content
}

struct CardBox: Equatable, Sendable {
    struct Border: Equatable, Sendable {
        var width: Double
        var color: CardValue<Color>
    }

    var paint: CardPaint?
    var radius = 0.0
    var border: Border?
}

struct CardPicture: Equatable, Sendable {
    enum Fit: String, CaseIterable, Sendable { case cover, contain }

    enum Shape: Equatable, Sendable {
        case rounded(Double)
        case circle
    }

    var id: CardValue<String>
    var fit = Fit.cover
    var shape = Shape.rounded(0)
    /// `attention`, or a place as `/asset` has it.
    var gravity: String?
}

struct CardMap: Equatable, Sendable {
    var latitude, longitude, zoom: CardValue<PlainDecimal>
    var style: CardValue<String>?
    /// Of a marker at the place.
    var marker: CardValue<Color>?
    var radius = 0.0
}

struct CardStack: Equatable, Sendable {
    var gap = 0.0
    var gravity = CardWords.Gravity.top
    var elements: [CardElement] = []
}

struct CardWords: Equatable, Sendable {
    /// `start` is where the text begins: right where it reads from there.
    enum Alignment: String, CaseIterable, Sendable { case start, left, center, right, end }
    enum Gravity: String, CaseIterable, Sendable { case top, middle, bottom }

    enum Part: Equatable, Sendable {
        case words(String)
        case field(String)
    }

    /// Those that name fields without values are left out; the others are joined by `joint`.
    var pieces: [[Part]]
    var joint = " "
    /// The largest that fits is taken.
    var sizes: ClosedRange<Double>
    var isBold = false
    var color: CardValue<Color> = .fixed(Color(rgb: 0x14171f))
    var lineLimit = 1
    /// Of the size.
    var lineHeight = 1.25
    var alignment = Alignment.start
    var gravity = Gravity.top
    var isUppercase = false
}
