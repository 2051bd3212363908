import Glibc
import TestPlaces
import Testing

/// Plays every file of `Tests/Corpora` once: what fuzzing has found, and what it reached.
@Suite(.timeLimit(.minutes(5)), .serialized) struct CorpusTests {
    struct Input: CustomTestStringConvertible, Sendable {
        let target: FuzzTarget
        let file: String

        var testDescription: String { "\(target.name)/\(file)" }
    }

    private static let folder = TestPlaces.rootPath + "/Tests/Corpora/"

    private static let inputs = FuzzTarget.all(isAlone: false).flatMap { target in
        files(in: target.name).map { Input(target: target, file: $0) }
    }

    @Test(arguments: inputs)
    func input_breaksNoInvariant(_ input: Input) throws {
        try input.target.check(#require(Self.read(input.testDescription)))
    }

    @Test(arguments: FuzzTarget.all(isAlone: false).map(\.name))
    func everyTargetHasInputs(_ name: String) { #expect(Self.files(in: name).count >= 20) }

    @Test func everyDictionaryIsThere() {
        let names = Set(FuzzTarget.all(isAlone: false).map(\.dictionary)).subtracting(["none"])
        for name in names { #expect(Self.read("\(name).dict")?.isEmpty == false) }
    }

    private static func files(in name: String) -> [String] {
        guard let stream = opendir(folder + name) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(folder + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
