import ImagePlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct FilterTextTests {
    private func filters(_ text: String) throws -> [ImageFilter] {
        try ImageRequest.parse([QueryItem(name: "id", value: "a"), QueryItem(name: "filter", value: text)]).filters
    }

    private func allowed(_ text: String) -> String? {
        do throws(ParameterFaults) {
            _ = try ImageRequest.parse([QueryItem(name: "id", value: "a"), QueryItem(name: "filter", value: text)])
            return nil
        } catch {
            guard case .malformed(let allowed)? = error.faults.first?.reason else { return nil }
            return allowed
        }
    }

    @Test(arguments: [
        ("blur(2)", "blur:2"), ("tint(red,50)", "tint:ff0000:50"), ("tint( red , 50 ),edges", "tint:f00:50,edges"),
        ("grayscale()", "grayscale"), ("unsharp(1.5)", "unsharp:1.5:1:0"),
        ("duotone(#000,#fff)", "duotone:000:fff:100"),
        ("noise(5,0),invert", "noise:5,invert"), ("hue(-90)", "hue:270"),
    ])
    func parenthesesAndColonsMeanTheSame(call: String, colons: String) throws {
        #expect(try filters(call) == filters(colons))
        #expect(try filters(call).isEmpty == false)
    }

    @Test func misspeltFilters_getTheNearestName() {
        #expect(allowed("grayscal") == "a list of known filters; filter 1 is unknown, did you mean `grayscale`?")
        #expect(
            allowed("blur:2,satruation:5") == "a list of known filters; filter 2 is unknown, did you mean `saturation`?"
        )
        #expect(allowed("zzz")?.hasPrefix("a list of blur, sharpen, ") == true)
        #expect(allowed("blur:200") == nil)
        #expect(
            allowed("median") == "a list in which median is written median:radius, with a whole number from 1 to 10")
    }

    @Test(arguments: [
        ("blur(4, 10, 20.50, 30p, 40)", "blur:4:10:20.5:30p:40"),
        ("pixelate:8:0p:0:100p:25.0p", "pixelate:8:0p:0:100p:25p"),
    ])
    func rectangles_followTheArgument(text: String, canonical: String) throws {
        let request = try ImageRequest.parse([
            QueryItem(name: "id", value: "a"), QueryItem(name: "filter", value: text),
        ])
        #expect(request.canonical == "id=a&filter=\(canonical)")
        #expect(try filters(canonical) == request.filters)
        if case .within? = request.filters.first {} else { Issue.record("\(request.filters)") }
    }

    @Test(arguments: [
        "blur:4:1", "blur:4:1:2:3", "blur:4:1:2:3:4:5", "pixelate:8:a:0:1:1", "pixelate:8:0:0:p:1", "blur:4:1:2:3:4px",
    ])
    func halfARectangle_isRefused(text: String) {
        #expect(allowed(text)?.contains(":x:y:width:height") == true)
    }

    @Test(arguments: [
        "blur:4:-1:0:5:5", "blur:4:0:0:0:5", "pixelate:8:0:0:5:0p", "pixelate:8:0:101p:5:5", "blur:4:16385:0:5:5",
    ])
    func emptyRectanglesAndThoseBeyondReason_areRefused(text: String) {
        #expect(throws: ParameterFaults.self) { try filters(text) }
    }

    @Test func rectanglesInPixels_growWithTheScale() throws {
        var request = ImageRequest(id: "a")
        request.scale = 1.5
        request.filters = try filters("pixelate:8:3:10p:5:7")
        let plan = try request.plan(for: ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60), output: .jpeg)
        #expect(plan.steps == [.filter(try filters("pixelate:12:4.5:10p:7.5:10.5")[0])])
        request.scale = 0.5
        request.filters = try filters("pixelate:2:3:10p:5:7")
        #expect(try request.plan(for: ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60), output: .jpeg).steps == [])
    }

    @Test func whatChangesNothing_isDropped() throws {
        let idle =
            "brightness:0,contrast:0,saturation:0,vibrance:0,highlights:0,shadows:0,temperature:0,hue:360,hue:0,gamma:1,"
            + "exposure:0,sepia:0,tint:red:0,vignette:0,noise:0:3,unsharp:2:0"
        #expect(try filters(idle) == [])
    }

    @Test func seventeenFilters_areRefused() {
        let text = [String](repeating: "invert", count: 17).joined(separator: ",")
        #expect(throws: ParameterFaults.self) { try filters(text) }
        #expect(throws: Never.self) { try filters(String(text.dropLast(7))) }
    }

    /// A look is no more than its list: the plan is that of the list, at every scale.
    @Test(arguments: ImageFilter.Look.allCases)
    func looksAreTheirLists(look: ImageFilter.Look) throws {
        let source = ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60)
        for scale in [PlainDecimal(1), 2] {
            var named = ImageRequest(id: "a")
            named.filters = [.look(look)]
            named.scale = scale
            var listed = named
            listed.filters = look.filters
            let plan = try named.plan(for: source, output: .jpeg)
            #expect(try plan == listed.plan(for: source, output: .jpeg))
            #expect(plan.steps.count == look.filters.count)
            #expect(!plan.steps.contains(.filter(.look(look))))
        }
    }

    @Test func lengthsGrowWithTheScale() throws {
        var request = ImageRequest(id: "a")
        request.scale = 2
        request.filters = [
            .median(radius: 3), .pixelate(size: 8), .unsharp(radius: 2, amount: 1, threshold: 5),
            .noise(amount: 5, seed: 1),
        ]
        let plan = try request.plan(for: ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60), output: .jpeg)
        #expect(
            plan.steps == [
                .filter(.median(radius: 6)), .filter(.pixelate(size: 16)),
                .filter(.unsharp(radius: 4, amount: 1, threshold: 5)), .filter(.noise(amount: 5, seed: 1)),
            ])
        request.scale = 0.5
        request.filters = [.pixelate(size: 2), .median(radius: 1)]
        let small = try request.plan(for: ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60), output: .jpeg)
        #expect(small.steps == [.filter(.median(radius: 1))])
    }
}
