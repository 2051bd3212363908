import Foundation
import Testing

/// The examples of answers in openapi.yaml, of schemas for which the client has models. They are written there as JSON, which
/// YAML takes as it is.
struct ContractExample {
    let schema: String
    let name: String
    private(set) var text = ""

    var json: Data { Data(text.utf8) }

    /// All of these schemas.
    static func all(of schemas: Set<String>) throws -> [ContractExample] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../openapi.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        var found: [ContractExample] = []
        for start in lines.indices.dropFirst() where lines[start].hasSuffix(" examples:") {
            let reference = lines[start - 1].components(separatedBy: "schema: {$ref: '#/components/schemas/")
            guard reference.count == 2, let schema = reference.last?.dropLast(2), schemas.contains(String(schema))
            else { continue }
            let depth = indentation(lines[start])
            for line in lines[(start + 1)...].prefix(while: { indentation($0) > depth }) {
                switch indentation(line) - depth {
                case 2:
                    let name = line.dropFirst(depth + 2).dropLast()
                    found.append(ContractExample(schema: String(schema), name: String(name)))
                // The names `summary` and `value`.
                case 4: continue
                default:
                    if let last = found.indices.last { found[last].text += "\(line)\n" }
                }
            }
        }
        return found
    }

    /// The content of one.
    static func json(_ schema: String, _ name: String) throws -> Data {
        try #require(try all(of: [schema]).first { $0.name == name }).json
    }
}
