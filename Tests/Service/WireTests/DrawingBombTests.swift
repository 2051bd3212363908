import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService
import WrittenDocuments

/// #15.6: drawings that ask for more than they look like are refused at once, and keep nobody waiting.
@Suite(.timeLimit(.minutes(5))) struct DrawingBombTests {
    private static func svg(_ content: String) -> [UInt8] {
        Array("<svg xmlns='http://www.w3.org/2000/svg' width='320' height='240'>\(content)</svg>".utf8)
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static var nestedUses: String {
        let levels = (1...9).map { level in "<g id='a\(level)'>\(repeated("<use href='#a\(level - 1)'/>", 10))</g>" }
        return "<defs><g id='a0'><rect width='9' height='9'/></g>\(levels.joined())</defs><use href='#a9'/>"
    }

    private static var nestedForms: [UInt8] {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add(
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Resources << /XObject << /F 5 0 R >> >> \
            /Contents 4 0 R >>
            """)
        let drawing = Array(repeated("/F Do\n", 100).utf8)
        file.add("", stream: drawing)
        for _ in 0..<4 {
            file.add(
                """
                /Type /XObject /Subtype /Form /BBox [0 0 600 600] \
                /Resources << /XObject << /F \(file.nextNumber + 1) 0 R >> >>
                """, stream: drawing)
        }
        file.add("/Type /XObject /Subtype /Form /BBox [0 0 600 600]", stream: Array("0 0 m 600 600 l S".utf8))
        return file.bytes(root: 1)
    }

    /// A page whose commands, 20 MB of them, are packed in a stream with this dictionary.
    private static func packedCommands(_ dictionary: String) -> [UInt8] {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Contents 4 0 R >>")
        file.add(dictionary, stream: Packing.zlib(Array(repeated("0 0 m 600 600 l S\n", 1_200_000).utf8), level: 1))
        return file.bytes(root: 1)
    }

    /// The header of a PNG of 50,000 × 50,000 pixels, in base64.
    private static let hugePicture = "iVBORw0KGgoAAAANSUhEUgAAw1AAAMNQAQAAAABj1ABnAAAADElEQVR4nGNgoD0AAABkAAGGZDw1"

    private static let bombs: [(name: String, bytes: [UInt8])] = [
        ("use.svg", svg(nestedUses)),
        ("use.svgz", Packing.gzip(svg(nestedUses))),
        (
            "filter.svg",
            svg(
                """
                <filter id='f'><feTurbulence numOctaves='100000'/><feMorphology radius='100000'/></filter>\
                <rect width='320' height='240' filter='url(#f)'/>
                """)
        ),
        (
            "path.svg",
            svg("<path stroke='red' stroke-dasharray='.001' d='M0 0\(repeated("L320 240 0 240 ", 20_000))'/>")
        ),
        ("deep.svg", svg(repeated("<g>", 100_000))),
        (
            "rules.svg",
            svg("<style>\((0..<20_000).map { ".a\($0){fill:red}" }.joined())</style>\(repeated("<rect/>", 20_000))")
        ),
        (
            "sheet.svg",
            svg(
                """
                <style>rect{fill:url(#p)}</style><pattern id='p'>\(repeated("<path d='M0 0h9'/>", 2000))</pattern>\
                \(repeated("<rect width='9' height='9'/>", 2000))
                """)
        ),
        ("picture.svg", svg("<image width='9' height='9' href='data:image/png;base64,\(hugePicture)'/>")),
        (
            "inner.svg",
            svg(
                "<image width='9' height='9' href='data:image/svg+xml,<svg/>'/>".replacing("<svg/>", with: "%3Csvg/%3E")
            )
        ),
        ("spaces.svgz", Packing.gzip(svg(repeated(" ", 40 << 20)))),
        ("twice.svgz", Packing.gzip(Packing.gzip(svg(repeated(" ", 1 << 20))))),
        ("flate.pdf", packedCommands("/Filter /FlateDecode")),
        ("image.pdf", packedCommands("/Subtype /Image /Filter /FlateDecode")),
        ("names.pdf", packedCommands("/Filter /#46lateDecode")),
        ("forms.pdf", nestedForms),
        ("entity.svg", typed("<!ENTITY p '\(repeated("L320 240 0 240 ", 40))'>", "<path d='M0 0&p;'/>")),
        ("attributes.svg", typed("<!ATTLIST path stroke-dasharray CDATA '.001'>", "<path d='M0 0L320 240'/>")),
        ("outline.svg", svg(dashedOutline)),
        ("photograph.jpg", svg(dashedOutline)),
        ("text.svg", svg("<text>\(repeated("ab cd ", 20_000))</text>")),
        ("scan.pdf", hugeScan),
    ]

    private static let dashedOutline =
        "<g stroke='red' stroke-dasharray='.01'><rect width='1e6' height='1e6'/></g>"

    /// A drawing with a document type.
    private static func typed(_ declaration: String, _ content: String) -> [UInt8] {
        Array("<!DOCTYPE svg [\(declaration)]>".utf8) + svg(content)
    }

    /// A page that shows a picture of 400 million pixels.
    private static var hugeScan: [UInt8] {
        var file = WrittenPDF()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add(
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Resources << /XObject << /I 5 0 R >> >> \
            /Contents 4 0 R >>
            """)
        file.add("", stream: Array("600 0 0 600 0 0 cm /I Do".utf8))
        file.add(
            """
            /Type /XObject /Subtype /Image /Width 20000 /Height 20000 /BitsPerComponent 8 /ColorSpace /DeviceGray \
            /Filter /FlateDecode
            """, stream: Packing.zlib([UInt8](repeating: 0, count: 20_000)))
        return file.bytes(root: 1)
    }

    /// Every bomb is asked for at once, in every way in which a picture is looked at, while photographs are made. Work has a
    /// price beyond which it is refused, and none of these is let in.
    @Test func bombsAreRefused_andPhotographsGoOn() throws {
        let pictures = try PictureFolder()
        for (name, bytes) in Self.bombs { try pictures.add(name, bytes) }
        let service = try RunningService(pictures: pictures) { configuration in
            configuration.workers = 2
            configuration.costLimit = 5
        }
        var asked: [(client: WireClient, target: String)] = []
        for (name, _) in Self.bombs {
            for target in ["/asset?id=\(name)&format=png&width=1000", "/assets/\(name)", "/assets/\(name)/pages"] {
                let client = try WireClient(service.address)
                client.request(target)
                asked.append((client, target))
            }
        }
        let client = try WireClient(service.address)
        for width in 30..<36 { #expect(try client.get("/asset?id=a.png&format=jpeg&width=\(width)").code == 200) }
        for (client, target) in asked {
            let answer = try client.read()
            #expect([413, 422].contains(answer.code), "\(target): \(answer.code)")
            let problems = ["source-too-complex", "result-too-costly", "source-too-large"]
            #expect(problems.contains(answer.problem ?? ""), "\(target): \(answer.text)")
        }
        #expect(eventually { (try? client.metric("veduta_jobs_running")) == 0 })
    }

    /// Bombs over a photograph, too.
    @Test func bombsAreNotLaidOverPictures() throws {
        let pictures = try PictureFolder()
        for (name, bytes) in Self.bombs { try pictures.add(name, bytes) }
        let (_, _, client) = try RunningService.withPictures(in: pictures) { $0.costLimit = 5 }
        for (name, _) in Self.bombs {
            let answer = try client.get("/asset?id=a.png&format=png&width=300&overlay=\(name):center:0:0:90p")
            #expect([413, 422].contains(answer.code), "\(name): \(answer.code)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent)) func bombsOfElsewhere_areRefused() throws {
        let files = SharedData.folder.appending(path: "hostile/files").path
        let service = try RunningService { configuration in
            configuration.library = files
            configuration.costLimit = 5
        }
        let client = try WireClient(service.address)
        for name in ["filter_huge.svg", "path_long.svg", "deep.svg", "bomb.svgz", "flate_bomb.pdf"] {
            let answer = try client.get("/asset?id=\(name)&format=png&width=1000")
            #expect([413, 422].contains(answer.code), "\(name): \(answer.code)")
        }
    }

    // MARK: Packed drawings as assets

    @Test func packedDrawings_areReadWhereDrawingsAre() throws {
        let it = try UploadingService()
        let plain = Self.svg(Self.repeated("<circle cx='99' cy='99' r='50' fill='red'/>", 30))
        let packed = Packing.gzip(plain)
        try it.pictures.add("a.svg", plain)
        try it.pictures.add("a.svgz", packed)
        let picture = try it.client.get("/asset?id=a.svg&format=png&width=80")
        #expect(picture.code == 200)
        #expect(try it.client.get("/asset?id=a.svgz&format=png&width=80").content == picture.content)
        let told = try it.client.get("/assets/a.svgz").json()
        #expect(told["format"] as? String == "svg" && told["bytes"] as? Int == packed.count)
        let stored = try it.send("POST", "/assets", packed)
        #expect(stored.code == 201)
        let record = try stored.json()
        #expect(record["mediaType"] as? String == "application/gzip")
        let id = try #require(record["id"] as? String)
        let original = try it.client.get("/assets/\(id)/original")
        #expect(original.content == packed && original.field("Content-Encoding") == nil)
        #expect(original.field("Content-Type") == "application/gzip")
        #expect(original.field("Content-Disposition") == "attachment; filename=\"\(id.dropFirst()).svgz\"")
        #expect(try it.client.get("/asset?id=\(id)&format=png&width=80").content == picture.content)
        #expect(try it.send("POST", "/assets", Packing.gzip(Array("no drawing".utf8))).code == 415)
    }
}
