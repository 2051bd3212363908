import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// References and embedded images are bounded while they are read, before work grows with them.
@Suite(.timeLimit(.minutes(5))) struct DrawingReferenceTests: DrawingSuite {
    init() throws { try engineStart.get() }

    private static let tooMany = DrawingExcess.elements(limit: DrawingLimits.elements)

    /// Declarations that refer to `count` names of the same length.
    private func urls(_ count: Int, from first: Int = 0) -> String {
        (first..<(first + count)).map { "fill:url(#n\(1_000_000 + $0));" }.joined()
    }

    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test func referencesOfARule_areBounded() {
        func drawing(_ rules: String) -> SharedBytes { svg("<style>\(rules)</style><path/>") }
        #expect(excess(drawing("a{\(urls(100_000))}")) == Self.tooMany)
        #expect(excess(drawing("a{\(urls(65))}")) == Self.tooMany)
        #expect(excess(drawing("a{\(urls(64))}")) == nil)
        // In several rules for one subject.
        #expect(excess(drawing("a{\(urls(40))}a{\(urls(25, from: 40))}")) == Self.tooMany)
        #expect(excess(drawing("a{\(urls(40))}a{\(urls(40))}b{\(urls(64, from: 40))}")) == nil)
        // Many subjects, known before.
        #expect(excess(drawing("a{\(urls(64))}" + repeated("a,", 20_000) + "a{\(urls(64))}")) == Self.tooMany)
        #expect(excess(drawing("a{\(urls(64))}" + repeated("a,", 10_000) + "a{\(urls(64))}")) == nil)
    }

    @Test(arguments: ["<path style='%'/>", "<style>.x{opacity:.5}</style><path style='%'/>"])
    func referencesOfAnElement_areBounded(_ element: String) {
        func drawing(_ count: Int) -> SharedBytes { svg(element.replacing("%", with: urls(count))) }
        #expect(excess(drawing(64)) == nil)
        #expect(excess(drawing(65)) == Self.tooMany)
        #expect(excess(drawing(100_000)) == Self.tooMany)
        // With those of rules, which count once where they are the same.
        func styled(_ rule: String) -> SharedBytes { svg("<style>*{\(rule)}</style><path style='\(urls(40))'/>") }
        #expect(excess(styled(urls(64))) == nil)
        #expect(excess(styled(urls(25, from: 40))) == Self.tooMany)
        #expect(excess(svg("<use \(repeated("href='#a' ", 65))/>")) == Self.tooMany)
        #expect(excess(svg("<use \(repeated("href='#a' ", 64))/>")) == nil)
    }

    /// Each part of `class` was an array and a search through all references.
    @Test func classesOfAnElement_areBounded() throws {
        func drawing(_ classes: String) -> SharedBytes {
            svg("<style>.a{\(urls(64))}.b{opacity:.5}</style><path class='\(classes)'/>")
        }
        #expect(excess(drawing(repeated("a ", 256))) == nil)
        #expect(excess(drawing(repeated("a ", 257))) == .styles)
        #expect(excess(drawing(repeated("a ", 1_000_000))) == .styles)
        #expect(excess(drawing((0..<10_000).map { "c\($0) " }.joined())) == .styles)
        // Without rules nobody looks at them.
        #expect(excess(svg("<path class='\(repeated("a ", 1000))'/>")) == nil)
        #expect(try SVGInspector.complexity(of: drawing(" a\n\tb a ")).layerCount == 1)
    }

    /// As many elements as there may be, each with all references of a rule, and one with its own.
    @Test func referencesOfAllElements_areBounded() {
        func drawing(_ count: Int, _ other: String = "") -> SharedBytes {
            svg("<style>path{\(urls(64))}</style><defs>\(repeated("<path/>", count))\(other)</defs>")
        }
        let most = DrawingLimits.references / DrawingLimits.elementReferences
        #expect(excess(drawing(most)) == nil)
        #expect(excess(drawing(most + 1)) == Self.tooMany)
        for own in ["<g fill='url(#a)'/>", "<g style='mask:url(#a)'/>", "<use href='#a'/>"] {
            #expect(excess(drawing(most, own)) == Self.tooMany, "\(own)")
        }
    }

    /// A name that two elements, a rule and a style have is one.
    @Test func namesAreTheSame_whereverTheyAreRead() throws {
        let pattern = "<pattern id='p'>\(repeated("<path d='M0 0'/>", 1000))</pattern>"
        for text in [
            "<rect fill='url(#p)'/>", "<rect style='fill:url(#p)'/>", "<style>rect{fill:url(#p)}</style><rect/>",
            "<style>rect{fill:url(#p);fill:url(#p)}.a{fill:url(#p)}</style><rect class='a a'/>", "<use href='#p'/>",
            "<rect fill='url(#q)' mask='url(#p)'/>", "<style>.x{fill:url(#q)}</style><rect fill='url(#p)'/>",
        ] {
            let count = try SVGInspector.complexity(of: svg(pattern + text)).elementCount
            #expect((1001...1100).contains(count), "\(text): \(count)")
        }
    }

    /// The inspector asks in between, also where few elements have many references.
    @Test func joiningAndSumming_canBeStopped() throws {
        let drawing = svg("<style>path{\(urls(64))}</style>\(repeated("<path/>", 3000))")
        let counter = Counter(allowing: .max)
        let context = RenderContext(shouldStop: { counter.ask() })
        _ = try SVGInspector.complexity(of: drawing, in: context)
        // 3,000 times 64 are 46 times 4,096: when they are joined, and again when they are added up.
        #expect(counter.count >= 90, "\(counter.count)")
        #expect(throws: ImageError.cancelled) {
            try SVGInspector.complexity(of: drawing, in: RenderContext(shouldStop: { true }))
        }
    }

    /// Each is opened by libvips, however small it is.
    @Test(arguments: ["", "<style>image{opacity:.5}</style>"])
    func picturesInside_areBoundedByTheirNumber(_ style: String) throws {
        let data = try picture(2, 2, .png) { _, _ in red }.withUnsafeBytes { Array($0) }
        let image = "<image href='data:image/png;base64,\(Base64.text(of: data))'/>"
        let most = svg(style + repeated(image, DrawingLimits.pictures))
        #expect(try SVGInspector.complexity(of: most).picturePixelCount == 4 * DrawingLimits.pictures)
        let more = svg(style + repeated(image, DrawingLimits.pictures + 1))
        #expect(excess(more) == .pictureCount(limit: DrawingLimits.pictures))
        // Others are not opened.
        let others = repeated("<image href='other.png'/>", DrawingLimits.pictures + 1)
        #expect(excess(svg(style + others)) == nil)
    }
}
