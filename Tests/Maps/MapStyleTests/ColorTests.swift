import MapStyle
import Testing

@Suite("Colors", .timeLimit(.minutes(5)))
struct ColorTests {
    @Test(
        "CSS text is read in all its forms",
        arguments: [
            ("#f00", [255, 0, 0, 1]), ("#F008", [255, 0, 0, 136.0 / 255]), ("#00ff0080", [0, 255, 0, 128.0 / 255]),
            ("rgb(255, 0, 0)", [255, 0, 0, 1]), ("rgba(0,0,255,0.5)", [0, 0, 255, 0.5]),
            ("rgb(0 0 255 / 50%)", [0, 0, 255, 0.5]),
            ("rgb(100% 0% 0%)", [255, 0, 0, 1]), ("hsl(120, 100%, 50%)", [0, 255, 0, 1]),
            ("hsla(-120deg 100% 50% / .25)", [0, 0, 255, 0.25]), ("RebeccaPurple", [102, 51, 153, 1]),
            ("transparent", [0, 0, 0, 0]), ("rgb(300, -5, 0)", [255, 0, 0, 1]),
        ] as [(String, [Double])])
    func text_isRead(text: String, components: [Double]) throws {
        let color = try #require(StyleColor(text: text))
        let found = [color.red * 255, color.green * 255, color.blue * 255, color.alpha]
        #expect(zip(found, components).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test(
        "what is no color is refused",
        arguments: [
            "", "#", "#ff", "#ggg", "redd", "rgb(1,2)", "rgb(1 2 3 4)", "rgb(1,2,3", "rgb(1,2%,3)", "hsl(1,2,3)",
            "rgb(nan,0,0)",
            "rgb(0x10,0,0)", "rgb(1,2,3/4)", "#١٢٣",
        ])
    func otherText_isRefused(text: String) { #expect(StyleColor(text: text) == nil) }

    @Test("halfway between red and blue differs by space, and hue takes the shorter way")
    func spaces() throws {
        func middle(_ name: String) throws -> [Int] {
            let value = try evaluate("[\"to-rgba\", [\"\(name)\", [\"linear\"], 0.5, 0, \"red\", 1, \"blue\"]]")
            guard case .array(let parts) = value else { return [] }
            return parts.compactMap(\.number).map { Int($0.rounded()) }
        }
        #expect(try middle("interpolate-hcl") == [245, 0, 134, 1])
        #expect(try middle("interpolate-lab") == [193, 0, 136, 1])
    }

    @Test("components are mixed before alpha is applied")
    func alpha() throws {
        let value = try evaluate(
            "[\"interpolate\", [\"linear\"], 0.5, 0, \"rgba(255,0,0,1)\", 1, \"rgba(0,0,255,0)\"]", as: .value(.color))
        guard case .color(let color) = value else { return #expect(Bool(false)) }
        #expect(color == StyleColor(red: 0.5, green: 0, blue: 0.5, alpha: 0.5))
        #expect(color.premultiplied == SIMD4(0.25, 0, 0.25, 0.5))
    }
}
