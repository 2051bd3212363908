import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// #15.6: style sheets and pictures inside a drawing count as what they have drawn.
@Suite(.timeLimit(.minutes(5))) struct DrawingStyleTests: DrawingSuite {
    init() throws { try engineStart.get() }

    /// Rules that many elements have to be compared with, which librsvg does before it can be stopped.
    @Test(arguments: [
        (".a%{fill:red}", "<rect/>"), ("g .a% rect{fill:red}", "<rect/>"), (".q ~ .a% ~ rect{fill:red}", "<rect/>"),
        ("rect:nth-child(2n+%){fill:red}", "<rect/>"), ("*{fill:#0%}", "<rect/>"),
    ])
    func rulesTimesElements_areBounded(_ rule: String, _ element: String) {
        func drawing(_ rules: Int, _ elements: Int) -> SharedBytes {
            let sheet = (0..<rules).map { rule.replacing("%", with: "\($0)") }.joined()
            return svg("<style>\(sheet)</style><g>" + String(repeating: element, count: elements) + "</g>")
        }
        #expect(excess(drawing(20, 2000)) == nil)
        #expect(excess(drawing(8000, 20_000)) == .styles)
    }

    /// The worst that is let in, and one more.
    @Test func rulesAndElements_areBoundedByThemselves() {
        func sheet(_ count: Int) -> SharedBytes { svg("<style>\(String(repeating: ".a{}", count: count))</style>") }
        #expect(excess(sheet(DrawingLimits.selectors / 2)) == nil)
        #expect(excess(sheet(DrawingLimits.selectors / 2 + 1)) == .styles)
        func hidden(_ count: Int) -> SharedBytes { svg("<defs>\(String(repeating: "<a/>", count: count))</defs>") }
        #expect(excess(hidden(DrawingLimits.elements - 2)) == nil)
        #expect(excess(hidden(DrawingLimits.elements - 1)) == .elements(limit: DrawingLimits.elements))
    }

    private static let patterns =
        "<pattern id='p'>" + String(repeating: "<path d='M0 0'/>", count: 1000)
        + "</pattern><filter id='f'><feFlood/></filter>"

    /// What a rule, or a group, has many elements draw counts for each of them.
    @Test(arguments: [
        "<style>rect{fill:url(#p)}</style>%", "%<style>.a{fill:url(#p)}</style>", "<g fill='url(#p)'>%</g>",
        "<style>*{stroke:url(\"#p\")}</style>%", "<style><![CDATA[g > .b, .a{FILL : url( '#p' )}]]></style>%",
        "<style>/*{*/.a/*}*/{fill:url(#p)}</style>%", "<style>@media all{.a{fill:url(#p)}}</style>%",
        "<style>.x{}</style><style>rect[class]{fill:url(#p)}</style>%", "<g style='/*;*/fill:url(#p)'>%</g>",
        "<g fill='url(#p)'><use href='#all'/></g><defs><g id='all'>%</g></defs>",
        "<style><a></a>.a{fill:url(#p)}</style>%", "<style>.a.b{fill:url(#p)}</style>%",
    ])
    func whatRulesSay_countsForEachElement(_ text: String) throws {
        func drawing(_ count: Int) -> SharedBytes {
            let shapes = String(repeating: "<rect class='b a' width='9' height='9'/>", count: count)
            return svg(Self.patterns + text.replacing("%", with: shapes))
        }
        #expect(try SVGInspector.complexity(of: drawing(10)).elementCount > 10_000)
        #expect(excess(drawing(600)) == .elements(limit: DrawingLimits.elements))
    }

    @Test func rulesForOthers_doNotCount() throws {
        let shapes = String(repeating: "<rect class='b a' width='9' height='9'/>", count: 600)
        for rule in [".c{fill:url(#p)}", "circle{fill:url(#p)}", "#x{fill:url(#p)}", "rect .c{filter:url(#f)}"] {
            let header = try SVGInspector.complexity(of: svg("<style>\(rule)</style>\(Self.patterns)\(shapes)"))
            #expect(header.elementCount < 2000 && header.layerCount == 0, "\(rule): \(header)")
        }
        let layers = try SVGInspector.complexity(of: svg("<style>.a{filter:url(#f)}</style>\(Self.patterns)\(shapes)"))
        #expect(layers.layerCount == 600 && layers.filterCount == 600)
    }

    @Test(arguments: [
        "<style>@import url(data:text/css;base64,Kg)</style>", "<style>@\\69mport 'data:,x'</style>",
        "<style>@import 'd\\61 ta:,x'</style>", "<style>.a{f\\69ll:url(#p)}</style>",
        "<style>.a{fill:url('\\#p')}</style>", "<style>&#46;a{fill:url(#p)}</style>", "<g style='f\\69ll:url(#p)'/>",
        "<?xml-stylesheet href='data:text/css,x'?>",
    ])
    func rulesThatAreHidden_areRefused(_ text: String) { #expect(excess(svg(text)) == .expansion) }

    @Test func escapesInNamesOfFonts_areLetIn() {
        #expect(excess(svg("<style>text{font-family:'\\5b8b\\4f53', \"a\\\"b;{\"}</style><text>a</text>")) == nil)
        #expect(excess(svg("<style>@import url(other.css);</style>")) == nil)
    }

    private func image(_ data: [UInt8], _ type: String = "image/png") -> String {
        "<image width='9' height='9' href='data:\(type);base64,\(Base64.text(of: data))'/>"
    }

    /// The header of a PNG, which is all that is looked at.
    private func png(_ widthPx: Int, _ heightPx: Int) throws -> [UInt8] {
        var data = try picture(2, 2, .png) { _, _ in red }.withUnsafeBytes { Array($0) }
        for (place, value) in [(16, widthPx), (20, heightPx)] {
            for index in 0..<4 { data[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        // The checksum of IHDR.
        var sum: UInt32 = 0xffff_ffff
        for byte in data[12..<29] {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        for index in 0..<4 { data[29 + index] = UInt8(truncatingIfNeeded: ~sum >> UInt32(24 - 8 * index)) }
        return data
    }

    @Test func picturesInside_countByTheirPixels() throws {
        let one = try SVGInspector.complexity(of: svg(image(png(2000, 1000))))
        #expect(one.picturePixelCount == 2_000_000 && one.elementCount > 500)
        // Whatever it is called, and however it is written.
        let data = try png(2000, 1000)
        let loose = Base64.text(of: data).replacing("=", with: "").map { "\($0) " }.joined()
        for text in [
            image(data, "text/plain"), "<image href=' DATA:;BASE64,\(loose)'/>",
            "<feImage href='data:;base64,\(Base64.text(of: data))'/>",
        ] {
            #expect(try SVGInspector.complexity(of: svg(text)).picturePixelCount == 2_000_000, "\(text.prefix(40))")
        }
        let limit = DrawingExcess.pictures(limit: DrawingLimits.picturePixelCount)
        #expect(excess(svg(image(try png(50_000, 50_000)))) == limit)
        #expect(excess(svg(String(repeating: image(try png(2000, 1000)), count: 13))) == limit)
        #expect(excess(svg(String(repeating: image(try png(2000, 1000)), count: 12))) == nil)
        // One that is drawn again and again.
        let many =
            "<defs><g id='a'>\(image(try png(4000, 4000)))</g></defs>"
            + String(repeating: "<use href='#a'/>", count: 200)
        #expect(excess(svg(many)) == .elements(limit: DrawingLimits.elements))
    }

    @Test func drawingsInsideDrawings_andWhatIsNotKnown_areRefused() throws {
        let inner = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        let tiff: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
        for data in [inner, tiff, Array("! XPM2".utf8), [0x1f, 0x8b, 8, 0]] {
            #expect(excess(svg(image(data, "image/svg+xml"))) == .expansion)
        }
        #expect(excess(svg("<image href='data:image/svg+xml,%3Csvg/%3E'/>")) == .expansion)
        #expect(excess(svg("<image href='data:,'/><image href='other.png'/><a href='data:,x'/>")) == nil)
    }
}
