import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// #15.6: what a drawing asks for is counted in its text, and too much of it is refused before a library sees it.
@Suite(.timeLimit(.minutes(5))) struct DrawingTests {
    private func svg(_ content: String, _ attributes: String = "width='320' height='240'") -> SharedBytes {
        let mark = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>"
        return SharedBytes(Array("<?xml version='1.0'?>\n\(mark)\(content)</svg>".utf8))
    }

    private func excess(_ bytes: SharedBytes) -> DrawingExcess? {
        do throws(ImageError) {
            _ = try DrawingSurvey.traits(of: bytes)
            return nil
        } catch .tooComplex(let excess) {
            return excess
        } catch {
            return nil
        }
    }

    @Test func elementsThatAreUsedAgain_areCountedEachTime() throws {
        var groups = "<g id='a0'>" + String(repeating: "<rect width='9' height='9'/>", count: 10) + "</g>"
        for level in 1...2 {
            groups += "<g id='a\(level)'>" + String(repeating: "<use xlink:href='#a\(level - 1)'/>", count: 10) + "</g>"
        }
        let few = try DrawingSurvey.traits(of: svg("<defs>\(groups)</defs><use href=' #a2 '/>"))
        // 1000 rectangles, 111 groups, 111 uses, the drawing and its definitions' group.
        #expect((1200...1300).contains(few.elementCount), "\(few)")
        for level in 3...9 {
            groups += "<g id='a\(level)'>" + String(repeating: "<use xlink:href='#a\(level - 1)'/>", count: 10) + "</g>"
        }
        #expect(
            excess(svg("<defs>\(groups)</defs><use xlink:href='#a9'/>")) == .elements(limit: DrawingLimits.elements))
        // What nobody refers to is not drawn, and what shows itself ends.
        #expect(excess(svg("<defs>\(groups)</defs>")) == nil)
        #expect(excess(svg("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>")) == nil)
        let markers = "<marker id='m'>" + String(repeating: "<path d='M0 0'/>", count: 1000) + "</marker>"
        let points = String(repeating: "1 2 ", count: 5000)
        let line = "\(markers)<polyline marker-mid='url(#m)' points='\(points)'/>"
        #expect(excess(svg(line)) == .elements(limit: DrawingLimits.elements))
    }

    @Test func elementsInsideOneAnother_areBounded() {
        func nested(_ count: Int) -> SharedBytes {
            svg(String(repeating: "<g>", count: count) + String(repeating: "</g>", count: count))
        }
        #expect(excess(nested(200)) == nil)
        #expect(excess(nested(300)) == .nesting(limit: DrawingLimits.nesting))
    }

    @Test(arguments: [
        "<path stroke-dasharray='0.001' d='%'/>", "<path style='fill:none;stroke-dasharray: .001, .001' d='%'/>",
        "<g stroke-dasharray='.001'><path d='%'/></g>", "<style>path{stroke-dasharray:.001}</style><path d='%'/>",
    ])
    func dashesAreCounted(_ text: String) {
        let path = "M0 0 " + String(repeating: "L320 240 0 240 ", count: 200)
        #expect(excess(svg(text.replacing("%", with: path))) == .dashes(limit: DrawingLimits.dashes))
        #expect(excess(svg(text.replacing("%", with: path).replacing("001", with: "9"))) == nil)
    }

    @Test(arguments: [
        ("M0 0L3 4", 5.0), ("m10 10 3 4 3 4z", 20), ("M0,0H10V5h-10z", 30), ("M0 0C0 10 10 10 10 0", 30),
        ("m1 1c0 10 10 10 10 0", 30), ("M0 0A5 5 0 0 1 10 0", 16), ("m0 0a5 5 0 0110 0", 16), ("M0 0 1e1 0", 10),
        ("", 0),
        ("M0 0L-.5.5-1 1", 1.41421356),
    ])
    func linesAreMeasuredByTheirControlPoints(_ path: String, _ length: Double) {
        #expect(abs(PathLength.ofPath(Array(path.utf8)[...]) - length) < 1e-6)
    }

    @Test(arguments: [
        "<!DOCTYPE svg [<!ENTITY a 'aaa'><!ENTITY b '&a;&a;'>]>", "<!DOCTYPE svg [<!ENTITY a \"<rect/>\">]>",
    ])
    func entitiesOfEntities_areRefused(_ type: String) {
        let text = type + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>"
        #expect(excess(SharedBytes(Array(text.utf8))) == .expansion)
    }

    @Test func whatIsHidden_isRefused() {
        #expect(excess(svg("<path stroke-dasharray='&#48;.001' d='M0 0'/>")) == .expansion)
        let text = "<?xml version='1.0' encoding='utf-7'?><svg width='9' height='9'></svg>"
        #expect(excess(SharedBytes(Array(text.utf8))) == .expansion)
        #expect(excess(svg("<a xlink:href='?a=1&amp;b=2'/>")) == nil)
    }

    @Test func filtersAndSurfacesHaveTheirPrice() throws {
        let plain = try cost(svg("<rect width='320' height='240'/>"))
        let filter = "<filter id='f'><feGaussianBlur stdDeviation='9'/></filter>"
        let blurred = try cost(svg("\(filter)<rect width='320' height='240' filter='url(#f)'/>"))
        #expect(blurred.microseconds > plain.microseconds && blurred.isDrawing && plain.isDrawing)
        let huge =
            "<filter id='f'><feTurbulence numOctaves='1000'/><feMorphology radius='3000'/></filter>"
            + "<rect width='320' height='240' filter='url(#f)'/>"
        #expect(try cost(svg(huge)).microseconds > 5_000_000)
    }

    private func cost(_ bytes: SharedBytes) throws -> PredictedCost {
        try engineStart.get()
        let traits = try ImageEngine.probe(bytes, limits: ImageLimits())
        let size = PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx)
        let plan = ImagePlan(source: size, steps: [], output: size, encoding: Encoding(formats: [.png]))
        return plan.predictedCost(traits)
    }

    // MARK: Files from elsewhere

    /// Each is refused by its text or by its price, or is harmless; none is drawn here.
    @Test(
        .enabled(if: Shared.isPresent),
        arguments: [
            ("filter_huge.svg", true), ("path_long.svg", true), ("deep.svg", true), ("flate_bomb.pdf", true),
            ("use_loop.svg", false), ("script.svg", false), ("action.pdf", false),
        ])
    func hostileDrawings_areRefusedBeforeTheyAreDrawn(_ name: String, _ isRefused: Bool) throws {
        let bytes = try Shared.read("hostile/files/\(name)")
        do {
            #expect(try (cost(bytes).microseconds > 5_000_000) == isRefused, "\(name)")
        } catch ImageError.tooComplex {
            #expect(isRefused, "\(name)")
        }
    }

    @Test(
        .enabled(if: Shared.isPresent), arguments: ["vector.svg", "lv_logo.svg", "three_pages.pdf", "lv_reschart.pdf"])
    func ordinaryDrawings_costLittle(_ name: String) throws {
        let bytes = try Shared.read("images/\(name)")
        #expect(try cost(bytes).microseconds < 1_000_000, "\(name)")
    }
}
