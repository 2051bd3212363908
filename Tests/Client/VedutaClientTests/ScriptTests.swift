import Foundation
import Parameters
import Testing

@testable import VedutaClient

/// `Vectors/urls.jsonl` has parameters and the query that the builders make of them; `/veduta.js` of the server must make
/// the same. To record it again after a change of the grammar: `VEDUTA_RECORD_VECTORS=1 scripts/test --filter ScriptTests`.
@Suite(.timeLimit(.minutes(5)))
struct ScriptTests {
    private struct Vector: Codable {
        enum Value: Codable {
            case number(Double), flag(Bool), text(String), list([Value])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let flag = try? container.decode(Bool.self) {
                    self = .flag(flag)
                } else if let number = try? container.decode(Double.self) {
                    self = .number(number)
                } else if let list = try? container.decode([Value].self) {
                    self = .list(list)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .number(let number): try container.encode(number)
                case .flag(let flag): try container.encode(flag)
                case .text(let text): try container.encode(text)
                case .list(let list): try container.encode(list)
                }
            }

            var text: String {
                switch self {
                case .number(let number): number.parameterText
                case .flag(let flag): flag ? "1" : "0"
                case .text(let text): text
                case .list(let list): list.map(\.text).joined(separator: ",")
                }
            }
        }

        let kind: String
        let parameters: [String: Value]
        var query: String

        var built: String {
            get throws {
                if kind == "avatar" || kind == "poll" { return try card }
                guard kind == "map" else {
                    var url = AssetURL("")
                    for (name, value) in parameters {
                        if name == "overlay", case .list(let overlays) = value {
                            for overlay in overlays { url.parameters.append(name, overlay.text) }
                        } else {
                            url = url.parameter(name, value.text)
                        }
                    }
                    return try url.canonical
                }
                var url = MapURL.aroundOverlays.parameter("fit", nil)
                for (name, value) in parameters {
                    if name == "marker", case .list(let markers) = value {
                        for marker in markers { url = url.adding(name, marker.text) }
                    } else {
                        url = url.parameter(name, value.text)
                    }
                }
                return try url.canonical
            }
        }

        private var card: String {
            get throws {
                var list = ParameterList()
                for (name, value) in parameters {
                    if ["person", "option"].contains(name), case .list(let values) = value {
                        for value in values { list.append(name, value.text) }
                    } else {
                        list.set(name, value.text)
                    }
                }
                let url = try #require(URL(string: "\(kind)://?\(list.text)"))
                return kind == "avatar" ? try AvatarURL(parsing: url).canonical : try PollURL(parsing: url).canonical
            }
        }
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/urls.jsonl")

    private static func vectors() throws -> [Vector] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Vector.self, from: Data($0.utf8))
        }
    }

    @Test func vectors_areThoseOfTheBuilders() throws {
        var vectors = try Self.vectors()
        guard ProcessInfo.processInfo.environment["VEDUTA_RECORD_VECTORS"] != "1" else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for index in vectors.indices { vectors[index].query = try vectors[index].built }
            let lines = try vectors.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
            try lines.joined().write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(vectors.count > 12)
        for vector in vectors { #expect(try vector.built == vector.query) }
    }

    @Test(.needsServer, .enabled(if: isNodeInstalled, "the machine has no `node`"))
    func moduleOfTheServer_makesTheVectors() async throws {
        let program = """
            import { readFileSync } from "node:fs";
            import { asset, map, avatar, poll, srcset, overlay, parts } from "./module.mjs";
            const options = { base: "" };
            for (const line of readFileSync(process.argv[2], "utf8").trim().split("\\n")) {
              const { kind, parameters } = JSON.parse(line);
              const { id, ...rest } = parameters;
              const build = { map, avatar, poll }[kind];
              console.log((build ? build(parameters, options) : asset(id, rest, options)).split("?")[1]);
            }
            console.log(srcset("a b.jpg", { width: 4, height: 3, fit: "cover" }, { widths: [320, 641], base: "https://h", signature: "sig=x" }));
            console.log(srcset("a.jpg", { width: 9 }, { densities: [1, 1.5], ...options }));
            console.log(overlay({ color: "red", label: "A|\\\\" }, [[59.94, 30.31], [-0.0000001, 2]]));
            console.log(poll({ option: [parts({ votes: 3, label: "a|b" }), "B"] }, options));
            try { asset("a", { widht: 3 }); } catch (error) { console.log(error.message); }
            """
        let wanted =
            try Self.vectors().map(\.query) + [
                "https://h/asset?id=a%20b.jpg&width=320&height=240&fit=cover&sig=x 320w, "
                    + "https://h/asset?id=a%20b.jpg&width=641&height=481&fit=cover&sig=x 641w",
                "/asset?id=a.jpg&width=9&scale=1 1x, /asset?id=a.jpg&width=9&scale=1.5 1.5x",
                "color:red|label:A\\|\\\\|59.94,30.31|-0.0000001,2",
                "/poll?option=votes:3%7Clabel:a%5C%7Cb&option=B", "widht is no parameter of /asset",
            ]
        #expect(try await lines(of: program, importing: "/veduta.js", [Self.file.path]) == wanted)
    }

    /// Of an asset whose id ends like the path of something of another asset, too.
    @Test(.needsServer, .enabled(if: isNodeInstalled, "the machine has no `node`"))
    func pathsOfAssetsInPages_areThoseOfSignatures() async throws {
        let ids = ["a b.png", "x/original", "x/pages", "deep/er/focus", "original", "x/original/b.png", "%2Foriginal"]
        let program = """
            import { assetPath } from "./module.mjs";
            for (const id of process.argv.slice(2)) console.log(assetPath(id));
            """
        let made = try await lines(of: program, importing: "/pages/common.js", ids)
        #expect(made == ids.map(AssetAddress.path) && made[1] == "/assets/x%2Foriginal")
    }

    /// The lines that `program` prints, which imports what a server has at `path` as `./module.mjs`.
    private func lines(
        of program: String, importing path: String, _ arguments: [String]
    ) async throws -> [String] {
        let server = try await TestServer()
        defer { withExtendedLifetime(server) {} }
        let module = try await server.plain(path)
        #expect(module.fields["content-type"] == "text/javascript; charset=utf-8")
        try module.content.write(to: server.folder.url.appending(path: "module.mjs"))
        let file = server.folder.url.appending(path: "run.mjs")
        try Data(program.utf8).write(to: file)
        let child = try ChildProcess(
            ["node", file.path] + arguments, log: server.folder.url.appending(path: "node.log"),
            program: "/usr/bin/env")
        child.process.waitUntilExit()
        return child.text.split(separator: "\n").map(String.init)
    }

    private static let isNodeInstalled: Bool = {
        let log = FileManager.default.temporaryDirectory.appending(path: "veduta-node-\(getpid())")
        defer { try? FileManager.default.removeItem(at: log) }
        guard let child = try? ChildProcess(["node", "--version"], log: log, program: "/usr/bin/env") else {
            return false
        }
        child.process.waitUntilExit()
        return child.process.terminationStatus == 0
    }()
}
