import Bytes
import CardGrammar
import CardPlan
import Foundation
import HTTPMessage
import ImagePlan
import MapGrammar
import Parameters
import Resources
import TestSupport
import Testing

@testable import VedutaService

/// `openapi.yaml` is the contract: what it lists is what is parsed, and the other way round.
@Suite(.timeLimit(.minutes(5))) struct OpenAPITests {
    private let document: OpenAPIOutline

    init() throws {
        let file = SharedData.packageRoot.appending(path: "openapi.yaml")
        document = OpenAPIOutline(try String(contentsOf: file, encoding: .utf8))
    }

    @Test func parametersOfAsset_areThoseThatAreBuilt() {
        let built = ImageRequest.table.parameters.filter(\.isBuilt).map(\.name)
        #expect(document.queryParameters(of: "/asset") == built)
    }

    /// Otherwise run scripts/generate/page-parameters/run.
    @Test func controlsOfThePlayground_areThoseOfTheContract() throws {
        var tables: [String: [[String: Any]]] = [:]
        for file in Resources.pages where file.name.hasPrefix("parameters") {
            let json = try JSONSerialization.jsonObject(with: Data(file.bytes.withUnsafeBytes { [UInt8]($0) }))
            tables.merge(try #require(json as? [String: [[String: Any]]])) { first, _ in first }
        }
        // Fields of cards are those of templates.
        let fields = BuiltInTemplates.all.flatMap { card in
            card.table.parameters.map(\.name).filter { card.field($0) != nil }
        }
        for path in ["/asset", "/map", "/avatar", "/poll", "/card"] {
            let controls = try #require(tables[path])
            let names = document.queryParameters(of: path).flatMap { $0 == "fields" ? fields : [$0] }
            #expect(Set(controls.compactMap { $0["name"] as? String }) == Set(names), "\(path)")
            #expect(controls.allSatisfy { $0["group"] as? String != "Other" }, "a control of \(path) without a group")
        }
    }

    @Test func parametersOfSrcset_areThoseThatAreRead() {
        #expect(document.queryParameters(of: "/srcset") == SrcsetOptions.table.parameters.map(\.name))
    }

    @Test func parametersOfMap_areThoseThatAreBuilt() {
        let built = MapRequest.table.parameters.filter(\.isBuilt).map(\.name)
        #expect(document.queryParameters(of: "/map") == built)
    }

    @Test func parametersOfPolls_areThoseThatAreBuilt() {
        #expect(document.queryParameters(of: "/poll") == PollRequest.table(.picture).parameters.map(\.name))
        #expect(document.queryParameters(of: "/poll.json") == PollRequest.table(.positions).parameters.map(\.name))
        #expect(document.queryParameters(of: "/avatar") == AvatarRequest.table.parameters.map(\.name))
        // Fields are those of templates.
        let card = BuiltInTemplates.all[0]
        let common = card.table.parameters.map(\.name).filter { $0 != "template" && card.field($0) == nil }
        #expect(document.queryParameters(of: "/card") == ["template", "fields"] + common)
        #expect(document.queryParameters(of: "/api/") == NamedAvatar.table.parameters.map(\.name))
        #expect(document.queryParameters(of: "/avatar/{hash}") == HashedAvatar.table.parameters.map(\.name))
    }

    @Test func parametersOfTiles_areThoseThatAreRead() {
        let names = TileRequest.table.parameters.map(\.name)
        #expect(document.queryParameters(of: "/tiles/{style}/{z}/{x}/{y}.{extension}") == names)
        #expect(document.queryParameters(of: "/tiles/{style}.json") == names)
        #expect(document.queryParameters(of: "/data/{source}/{z}/{x}/{y}.{extension}").isEmpty)
    }

    @Test func parametersOfCache_areThoseThatAreRead() {
        #expect(document.queryParameters(of: "/cache", "delete") == CacheEndpoint.table.parameters.map(\.name))
    }

    @Test func parametersOfTheViewer_areThoseThatAreRead() {
        #expect(document.queryParameters(of: "/view") == ViewRequest.table.parameters.map(\.name))
    }

    @Test func parametersOfTheList_areThoseThatAreRead() {
        #expect(document.queryParameters(of: "/assets") == AssetsEndpoint.table.parameters.map(\.name))
    }

    /// What a client sends that is generated from the contract (#15.9).
    @Test(arguments: [
        "id=a", "id=a&width=9&height=9&crop=top", "id=a&width=9&height=9&fit=cover&gravity=smart", "id=a&format=json",
        "id=a&lossless=1&format=webp", "id=a&bytes=9k", "id=a&quality=auto", "id=a&pages=all", "id=a&explain=1",
    ])
    func defaultsOfAsset_areAsGoodAsAbsent(_ query: String) throws {
        try expectSame(query, "/asset") { try ImageRequest.parse($0).canonical }
    }

    /// #15.9
    @Test(arguments: [
        "latitude=1&longitude=2", "center=1,2&zoom=3", "bbox=1,2,3,4", "bbox=1,2,3,4&clip=inside",
        "fit=overlays&marker=1,2", "latitude=1&longitude=2&size=600x400", "center=1,2&width=600&theme=auto",
        "center=1,2&style=dark&labels=off",
    ])
    func defaultsOfMap_areAsGoodAsAbsent(_ query: String) throws {
        try expectSame(query, "/map") { try MapRequest.parse($0).canonical }
        try expectSame(query, "/map.json") { try MapRequest.parse($0, for: .positions).canonical }
    }

    @Test(arguments: ["option=a&option=b", "option=votes:2|a&option=b&theme=dark&width=300"])
    func defaultsOfPolls_areAsGoodAsAbsent(_ query: String) throws {
        try expectSame(query, "/poll") { try PollRequest.parse($0).canonical }
        try expectSame(query, "/poll.json") { try PollRequest.parse($0, for: .positions).canonical }
        try expectSame("names=a,b", "/avatar") { try AvatarRequest.parse($0).canonical }
        try expectSame("name=a", "/api/") { try NamedAvatar.parse($0).canonical }
    }

    /// #15.9
    @Test(arguments: ["", "tileSize=512", "labels=off&quality=9"])
    func defaultsOfTiles_areAsGoodAsAbsent(_ query: String) throws {
        for path in ["/tiles/{style}/{z}/{x}/{y}.{extension}", "/tiles/{style}.json"] {
            try expectSame(query, path) { try TileRequest.parse($0).canonical }
        }
    }

    /// #15.9: `after` in no form was taken beside `ids`.
    @Test(arguments: ["id=a", "ids=a,b"]) func defaultsOfTheViewer_areAsGoodAsAbsent(_ query: String) throws {
        try expectSame(query, "/view") { items in
            var reader = ParameterReader(items, table: ViewRequest.table)
            let view = ViewRequest(&reader)
            try reader.finish()
            return "\(view)"
        }
    }

    @Test(arguments: ["id=a&widths=9", "id=a&widths=9,20&width=4&height=3&fit=cover&html=1"])
    func defaultsOfSrcset_areAsGoodAsAbsent(_ query: String) throws {
        try expectSame(query, "/srcset") { items in
            let image = try ImageRequest.parse(SrcsetOptions.imageItems(items))
            return try SrcsetOptions.parse(items).canonical + image.canonical
        }
    }

    /// Each default of `path`, and all at once, sent beside `query`.
    private func expectSame(_ query: String, _ path: String, _ canonical: ([QueryItem]) throws -> String) throws {
        let given = try QueryItems.parse(query)
        let defaults = document.defaults(of: path).filter { item in !given.contains { $0.name == item.name } }
        #expect(!defaults.isEmpty, "\(path)")
        for items in defaults.map({ [$0] }) + [defaults] {
            #expect(try canonical(given + items) == canonical(given), "\(items)")
        }
    }

    @Test func version_isThatOfTheBuild() {
        #expect(document.text.contains("\n  version: \(Build.version)\n"))
    }

    private static func paths(of endpoint: Endpoint) -> [String] { endpoint.row.paths.flatMap(\.documented) }

    private static func endpoint(at path: String) -> Endpoint? {
        Endpoint.allCases.first { paths(of: $0).contains(path) }
    }

    @Test func methodsOfEveryPath_areThoseThatItsEndpointTakes() throws {
        for path in document.paths {
            let route = try #require(Self.endpoint(at: path))
            let listed = document.methods(of: path).sorted()
            #expect(listed == route.allow.split(separator: ", ").map { $0.lowercased() }.sorted(), "\(path)")
            for method in Method.allCases where method != .options {
                #expect(route.takes(method) == listed.contains("\(method.name)".lowercased()), "\(path)")
            }
        }
    }

    @Test func writes_areTheOnesThatNeedTheToken() {
        let needing = document.paths.filter { document.needsToken($0) }
        #expect(needing == ["/assets", "/assets/{id}", "/assets/{id}/focus", "/cache", "/uploads", "/uploads/{token}"])
        #expect(document.problemTypes.isSuperset(of: ["unauthorized", "writes-off"]))
    }

    @Test func problemTypes_areThoseOfTheMapping() throws {
        let folder = SharedData.packageRoot.appending(path: "Sources/Service/VedutaService/Problems")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let mapping = try files.filter { $0.lastPathComponent.hasPrefix("Problem+") }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        // A type stands between a status and a title.
        let types = mapping.matches(of: /[,\n] *"([a-z]+(?:-[a-z]+)+|unauthorized|overloaded)",\s+"[A-Z]/).map {
            String($0.1)
        }
        #expect(Set(types) == document.problemTypes)
    }

    @Test func paths_areThoseOfTheTable() {
        #expect(Set(Endpoint.allCases.flatMap(Self.paths)) == Set(document.paths))
    }

    @Test func servedDocument_isTheOneInTheRepository() {
        let served = Resources.openAPI.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(served == document.text)
    }
}

/// As much of the document's structure as the tests need, read by indentation.
private struct OpenAPIOutline {
    let text: String
    private let lines: [Substring]

    init(_ text: String) {
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var paths: [String] {
        block(["paths:"]).filter { $0.hasPrefix("  /") }.map { String($0.dropFirst(2).prefix { $0 != ":" }) }
    }

    func methods(of path: String) -> [String] {
        block(["paths:", "  \(path):"]).filter { $0.hasPrefix("    ") && !$0.hasPrefix("     ") }
            .map { String($0.dropFirst(4).prefix { $0 != ":" }) }.filter { $0 != "parameters" }
    }

    func needsToken(_ path: String) -> Bool { block(["paths:", "  \(path):"]).contains("        - token: []") }

    var problemTypes: Set<String> {
        let prefix = "            - " + Problem.typePrefix
        return Set(lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    /// The names of the query parameters that `path` lists for a method, in order.
    func queryParameters(of path: String, _ method: String = "get") -> [String] {
        queryComponents(of: path, method).map(\.name)
    }

    /// The query parameters of `path` that have a default, with it, unless it is empty.
    func defaults(of path: String) -> [QueryItem] {
        queryComponents(of: path, "get").compactMap { component in
            let schema = component.lines.drop { !$0.hasPrefix("      schema:") }
            let match = schema.joined(separator: "\n").firstMatch(of: /[{ ]default: (?:'([^']*)'|([^,}\n]+))/)
            guard let value = match?.1 ?? match?.2, !value.isEmpty else { return nil }
            return QueryItem(name: component.name, value: String(value))
        }
    }

    private func queryComponents(of path: String, _ method: String) -> [(name: String, lines: [Substring])] {
        block(["paths:", "  \(path):", "    \(method):", "      parameters:"]).compactMap { line in
            guard let reference = line.split(separator: "'").first(where: { $0.hasPrefix("#/components/parameters/") }),
                let key = reference.split(separator: "/").last
            else { return nil }
            let component = block(["components:", "  parameters:", "    \(key):"])
            guard component.contains("      in: query"),
                let name = component.first(where: { $0.hasPrefix("      name: ") })
            else { return nil }
            return (String(name.dropFirst(12)), component)
        }
    }

    /// The lines beneath a chain of keys, each found beneath the one before.
    private func block(_ keys: [String]) -> [Substring] {
        var range = lines[...]
        for key in keys {
            guard let start = range.firstIndex(where: { $0 == key || $0.hasPrefix(key + " ") }) else { return [] }
            let depth = key.prefix { $0 == " " }.count
            let rest = range[(start + 1)...]
            let end = rest.firstIndex { !$0.isEmpty && $0.prefix { $0 == " " }.count <= depth } ?? rest.endIndex
            range = rest[..<end]
        }
        return Array(range)
    }
}
