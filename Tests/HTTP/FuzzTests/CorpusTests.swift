import Glibc
import TestPlaces
import Testing

/// Plays every file of `Tests/Corpora` once: what fuzzing has found, and what it reached.
@Suite(.timeLimit(.minutes(5)), .serialized) struct CorpusTests {
    private static let folder = TestPlaces.rootPath + "/Tests/Corpora/"

    @Test(arguments: files(in: "head"))
    func headInput_breaksNoInvariant(_ file: String) throws {
        try HeadInput.check(try #require(Self.read("head/" + file)))
    }

    @Test(arguments: files(in: "connection"))
    func connectionInput_breaksNoInvariant(_ file: String) throws {
        try ConnectionInput.check(try #require(Self.read("connection/" + file)), isAlone: false)
    }

    @Test func thereAreInputs() {
        #expect(Self.files(in: "head").count >= 100)
        #expect(Self.files(in: "connection").count >= 100)
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
