import Foundation
import HTTPMessage
import Parameters
import TestSupport
import Testing

@testable import ImagePlan

/// `docs/IMAGES.md` shows every option of `/asset`, each with a picture that `scripts/generate/docs-pictures/run` made.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
    /// A row of its tables: the file of the picture and the request that it answers.
    private struct Row {
        let file: String
        let items: [String: String]
    }

    private let rows: [Row]
    private let text: String
    private let pictures = SharedData.packageRoot.appending(path: "docs/images/asset")

    init() throws {
        let file = SharedData.packageRoot.appending(path: "docs/IMAGES.md")
        text = try String(contentsOf: file, encoding: .utf8)
        rows = text.matches(of: /\| !\[[^\]]+\]\(images\/asset\/([^)]+)\) \| `([^`]+)` \|/).map { match in
            let items = match.2.replacing("\\|", with: "|").split(separator: "&").map {
                $0.split(separator: "=", maxSplits: 1).map(String.init)
            }
            return Row(
                file: String(match.1),
                items: Dictionary(items.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 })
        }
    }

    private var filters: [String] {
        rows.compactMap { $0.items["filter"] }.flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// #15.30: an example that is typed as it is printed is an address.
    @Test(arguments: [("IMAGES.md", "asset"), ("MAPS.md", "map"), ("CARDS.md", "poll"), ("CARDS.md", "avatar")])
    func everyRequest_canBeSentAsPrinted(_ document: String, _ path: String) throws {
        let text = try String(contentsOf: SharedData.packageRoot.appending(path: "docs/" + document), encoding: .utf8)
        let requests = text.matches(of: /\| !\[[^\]]+\]\(images\/[a-z]+\/[^)]+\) \| `([^`]+)` \|/)
        #expect(requests.count > 15)
        for request in requests.map({ $0.1.replacing("\\|", with: "|") }) {
            var parser = RequestHeadParser(limits: HTTPLimits())
            let head = Array("GET /\(path)?\(request) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            guard case .complete(let parsed, _) = parser.parse(head.span.bytes) else {
                Issue.record("\(request)")
                continue
            }
            #expect(throws: Never.self) { try QueryItems.parse(parsed.target.query ?? "") }
        }
    }

    /// `scripts/generate/docs-pictures/run` writes a file for each row: of two with one file, the first would show the second.
    @Test(arguments: [
        ("IMAGES.md", "asset"), ("MAPS.md", "map"), ("CARDS.md", "poll"), ("CARDS.md", "avatar"), ("CARDS.md", "card"),
    ])
    func everyPicture_isOfOneRequest(_ document: String, _ path: String) throws {
        let text = try String(contentsOf: SharedData.packageRoot.appending(path: "docs/" + document), encoding: .utf8)
        let files = text.matches(of: /\| !\[[^\]]+\]\(images\/([^)]+)\) \| `/).map { String($0.1) }
            .filter { $0.hasPrefix(path + "/") }
        #expect(files.count > 5)
        for (file, rows) in Dictionary(grouping: files, by: \.self) { #expect(rows.count == 1, "\(file)") }
    }

    /// #15.16e: what was measured before stood there, and was better.
    @Test func figuresOfTheReadme_areThoseOfPerformance() throws {
        func read(_ path: String) throws -> String {
            try String(contentsOf: SharedData.packageRoot.appending(path: path), encoding: .utf8)
        }
        func figures(_ text: Substring) -> Set<String> {
            Set(text.matches(of: /[0-9]+(?:[.,][0-9]+)*(?: (?:µs|ms|MB))?/).map { String($0.0) })
        }
        let measured = try figures(read("docs/PERFORMANCE.md")[...])
        let sections = try read("README.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("Measured\n") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count == 5)
        for row in rows {
            let told = row.split(separator: "|").dropFirst().prefix(3).map(figures)
            #expect(told.count == 3 && told.allSatisfy { !$0.isEmpty && $0.isSubset(of: measured) }, "\(row)")
        }
    }

    @Test func everyParameter_isShown() {
        for parameter in ImageRequest.table.parameters where parameter.isBuilt {
            let isShown = rows.contains { $0.items[parameter.name] != nil }
            #expect(isShown, "\(parameter.name)")
        }
    }

    @Test func everyFilterAndEveryLook_isShown() {
        let names = Set(filters.map { String($0.prefix { $0 != ":" && $0 != "(" }) })
        for form in FilterForm.allCases { #expect(names.contains(form.rawValue), "\(form)") }
        for look in ImageFilter.Look.allCases { #expect(filters.contains("look:\(look)"), "\(look)") }
    }

    /// What a look is said to consist of is what it consists of.
    @Test func looks_areTheListsThatTheyAreSaidToBe() throws {
        for look in ImageFilter.Look.allCases {
            let line = try #require(text.split(separator: "\n").first { $0.contains("`filter=look:\(look)`") })
            let said = try #require(line.matches(of: /`([^`]+)`/).last).1
            #expect(try ImageFilter.parseList(String(said)) == look.filters, "\(look)")
        }
    }

    @Test func everyValueOfAList_isShown() {
        for fit in Fit.allCases { #expect(rows.contains { $0.items["fit"] == fit.rawValue }) }
        for flip in Flip.allCases { #expect(rows.contains { $0.items["flip"] == flip.rawValue }) }
        for mask in Mask.allCases { #expect(rows.contains { $0.items["mask"] == mask.rawValue }) }
        for compass in Compass.allCases { #expect(text.contains("`\(compass.rawValue)`"), "\(compass)") }
        for format in OutputFormat.allCases { #expect(text.contains("`\(format.rawValue)`"), "\(format)") }
    }

    @Test func everyRequestThatIsShown_isOneThatIsUnderstood() throws {
        for row in rows where row.items["preset"] == nil {
            var query = row.items.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
            if row.items["id"] == nil { query = "id=lagoon.jpg&\(query)" }
            #expect(throws: Never.self, "\(row.file)") { try ImageRequest.parse(QueryItems.parse(query)) }
        }
    }

    @Test func everyPicture_isThereAndSmall() throws {
        #expect(rows.count > 80)
        let files = try FileManager.default.contentsOfDirectory(atPath: pictures.path)
        #expect(Set(files).symmetricDifference(rows.map(\.file)).isEmpty)
        for row in rows {
            let bytes = try Data(contentsOf: pictures.appending(path: row.file))
            #expect((100...20_000).contains(bytes.count), "\(row.file): \(bytes.count)")
        }
    }
}
