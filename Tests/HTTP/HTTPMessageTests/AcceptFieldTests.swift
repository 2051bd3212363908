import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct AcceptFieldTests {
    private func parse(_ values: [String], ignoringParameters: Bool = false) -> AcceptField {
        var fields = Fields()
        fields.append(.host, "a")
        for value in values { fields.append(.accept, value) }
        return AcceptField.parse(fields, ignoringParameters: ignoringParameters)
    }

    private static let browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"

    @Test(arguments: [
        (browser, "image/avif", 1.0), (browser, "image/jpeg", 1), (browser, "text/html", 0.8),
        ("image/webp;q=0.5", "image/webp", 0.5), ("image/webp;q=0.5", "image/png", 0), ("*/*", "image/png", 1),
        ("image/*;q=0.2, */*;q=0.9", "image/png", 0.2), ("image/webp;q=0, */*", "image/webp", 0),
        ("image/*;q=0.3, image/png", "image/png", 1), ("IMAGE/WebP", "image/webp", 1),
        ("image/webp;Q=0.125", "image/webp", 0.125),
        ("image/webp ; q=0.5 ; ext=\"a,b\"", "image/webp", 0.5), ("image/webp;q=1.000", "image/webp", 1),
        ("image/webp;q=0.", "image/webp", 0), ("image/webp;;q=0.4", "image/webp", 0.4),
        ("image/webp;level=1, */*;q=0.1", "image/webp", 0.1), ("image/webp;q=0.2, image/webp;q=0.7", "image/webp", 0.7),
        ("text/x;a=\",image/webp,\", */*;q=0.1", "image/webp", 0.1), ("image/webpx", "image/webp", 0),
        ("image/web", "image/webp", 0),
        (", ,image/webp,", "image/webp", 1), ("\timage/webp\t", "image/webp", 1), ("image/png", "nonsense", 0),
    ])
    func quality_comesFromTheMostSpecificRange(_ value: String, _ type: String, _ quality: Double) {
        #expect(parse([value]).quality(of: type) == quality)
    }

    @Test(arguments: [
        "image/webp;q=9", "image/webp;q=abc", "image/webp;q=1.001", "image/webp;q=0.1234", "image/webp;q=-0",
        "image/webp;q=",
        "image/webp;q", "image/webp;q=.5", "image/webp q=1", "*/webp", "/webp", "image/", "image", "image/webp;q=1.1",
        "image /webp",
    ])
    func malformedRange_isPassedOver(_ value: String) {
        #expect(parse(["\(value), */*;q=0.1"]).quality(of: "image/webp") == 0.1)
    }

    @Test(arguments: [[], [""], [";q=,,/,*/;q=9"], ["rubbish"]])
    func nothingReadable_acceptsEverything(_ values: [String]) {
        let accept = parse(values)
        #expect(!accept.isPresent)
        #expect(accept.quality(of: "image/avif") == 1)
        #expect(!accept.isExplicit("image/avif"))
    }

    @Test func severalLines_areOneList() {
        let accept = parse(["image/webp;q=0.5", "image/avif"])
        #expect(accept.isPresent)
        #expect(accept.quality(of: "image/webp") == 0.5)
        #expect(accept.quality(of: "image/avif") == 1)
        #expect(accept.quality(of: "image/png") == 0)
    }

    /// As Prometheus asks for metrics.
    @Test func parameters_canBeIgnored() {
        let value = "application/openmetrics-text;version=1.0.0;q=0.5, text/plain;version=0.0.4;q=0.2, */*;q=x"
        let accept = parse([value], ignoringParameters: true)
        #expect(accept.quality(of: "application/openmetrics-text") == 0.5)
        #expect(accept.isExplicit("text/plain"))
        #expect(!parse([value]).isPresent)
    }

    @Test func wildcards_areNotExplicit() {
        let accept = parse([Self.browser + ", image/png;q=0"])
        #expect(accept.isExplicit("image/avif"))
        #expect(!accept.isExplicit("image/jpeg"))
        #expect(!accept.isExplicit("image/png"))
        #expect(!parse(["*/*"]).isExplicit("image/avif"))
    }

    @Test func rangesBeyondTheLimit_arePassedOver() {
        let many = (0..<64).map { "a/b\($0)" }.joined(separator: ",")
        #expect(parse([many + ",image/webp"]).quality(of: "image/webp") == 0)
        #expect(parse([many]).quality(of: "a/b63") == 1)
    }
}
