import Originals
import AssetLibrary
import Digest
import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters
import Renditions
import ResponseCache
import SeededRandom
import TestSupport
import Testing

@testable import VedutaService

/// Over random requests: those for one picture share one key and one tag, those for different pictures never do. Each
/// request is a head as it comes from a socket, planned as the service renditions it.
@Suite(.timeLimit(.minutes(5))) struct RenditionKeyTests {
    private let folder: PictureFolder
    private let assets: AssetEndpoint
    private let maps: MapEndpoint

    init() throws {
        folder = try PictureFolder()
        for name in RandomPicture.ids.dropFirst(2) { try folder.add(name, PictureFolder.picture(120, 80)) }
        let originals = Originals(library: try FolderLibrary(rootPath: folder.path))
        assets = AssetEndpoint(originals: originals, options: RenderOptions())
        maps = MapEndpoint(maps: try MapServices.world(), originals: originals, options: RenderOptions())
    }

    /// Which resource, with its pictures.
    enum Subject: CaseIterable {
        case asset, map

        func picture(_ numbers: inout SeededGenerator) -> RandomPicture {
            self == .asset ? .asset(&numbers) : .map(&numbers)
        }
    }

    private func rendition(_ subject: Subject, query: String, accept: [String]) throws -> Rendition {
        let lines =
            ["GET /\(subject)?\(query) HTTP/1.1", "Host: veduta.test"] + accept.map { "Accept: " + $0 } + ["", ""]
        let head = try RequestHeadParsing.parse(lines.joined(separator: "\r\n"))
        let items = try QueryItems.parse(head.target.query ?? "")
        return try subject == .asset ? assets.rendition(items, head) : maps.rendition(items, head)
    }

    private func rendition(
        _ subject: Subject, _ picture: RandomPicture, _ numbers: inout SeededGenerator
    ) throws -> Rendition {
        try rendition(subject, query: picture.query(&numbers), accept: picture.acceptLines(&numbers))
    }

    private func key(_ rendition: Rendition) -> Digest256 { rendition.digest(with: .map("one state")) }

    @Test(arguments: Subject.allCases)
    func waysToAskForOnePicture_shareItsKey(subject: Subject) throws {
        var numbers = SeededGenerator(state: 11)
        for round in 0..<1000 {
            let picture = subject.picture(&numbers)
            let first = try rendition(subject, picture, &numbers)
            let name = first.name
            for _ in 0..<2 {
                let query = picture.query(&numbers)
                let other = try rendition(subject, query: query, accept: picture.acceptLines(&numbers))
                #expect(other.name == name && other.tag == first.tag)
                #expect(
                    key(other) == key(first) && other.canonical == first.canonical,
                    "round \(round): \(query) is \(other.canonical) \(other.variant), not \(first.canonical) \(first.variant)"
                )
            }
        }
    }

    @Test(arguments: Subject.allCases)
    func canonicalRequest_isItsOwnCanonicalForm(subject: Subject) throws {
        var numbers = SeededGenerator(state: 12)
        for _ in 0..<1000 {
            let picture = subject.picture(&numbers)
            let first = try rendition(subject, picture, &numbers)
            let again = try rendition(subject, query: first.canonical, accept: picture.acceptLines(&numbers))
            #expect(again.canonical == first.canonical)
            #expect(key(again) == key(first))
        }
    }

    /// Among thousands of pictures, two share a key only if they are one, and two tags are one only if the
    /// keys are.
    @Test(arguments: Subject.allCases)
    func differentPictures_neverShareAKey(subject: Subject) throws {
        var numbers = SeededGenerator(state: 13)
        var meanings: [Digest256: String] = [:]
        var tags: [String: Digest256] = [:]
        var names: Set<CacheKey> = []
        for _ in 0..<3000 {
            let picture = subject.picture(&numbers)
            let rendition = try rendition(subject, picture, &numbers)
            let key = key(rendition)
            #expect(meanings[key, default: picture.meaning] == picture.meaning)
            meanings[key] = picture.meaning
            names.insert(rendition.name)
            let identity = rendition.identity(with: .map("one state"))
            let tag = try #require(identity.entityTag).text
            #expect(tags[tag, default: key] == key)
            tags[tag] = key
        }
        #expect(meanings.count > 1000)
        #expect(names.count == meanings.count)
    }

    @Test(arguments: Subject.allCases)
    func anotherValueOfOneParameter_makesAnotherKey(subject: Subject) throws {
        var numbers = SeededGenerator(state: 14)
        for _ in 0..<12 {
            let picture = subject.parameters.map { ($0.name, $0.values.randomElement(using: &numbers) ?? "") }
            func key(with changes: [String: String]) throws -> Digest256 {
                let items = picture.map { "\($0.0)=\(changes[$0.0] ?? $0.1)" }
                return try self.key(rendition(subject, query: items.joined(separator: "&"), accept: []))
            }
            let first = try key(with: [:])
            for (name, values) in subject.parameters {
                let keys = try Set(values.map { try key(with: [name: $0]) })
                #expect(keys.count == values.count, "\(name) of \(picture)")
                #expect(keys.contains(first))
            }
        }
    }

    @Test func sourceRouteAndFormat_makeOtherKeys() throws {
        let query = "id=a.png&width=64"
        let webp = try rendition(.asset, query: query, accept: ["image/webp"])
        let avif = try rendition(.asset, query: query, accept: ["image/avif"])
        #expect(webp.canonical == avif.canonical)
        #expect(key(webp) != key(avif))
        #expect(webp.digest(with: .map("another state")) != key(webp))
        #expect(webp.resourceName == avif.resourceName)
        #expect(webp.name != avif.name)
    }

    /// What a purge of an asset reaches: all of its pictures, and no other's.
    @Test func picturesOfOneAsset_shareTheirTag() throws {
        var numbers = SeededGenerator(state: 16)
        var ids: [CacheTag: String] = [:]
        for _ in 0..<300 {
            let picture = RandomPicture.asset(&numbers)
            let rendition = try rendition(.asset, picture, &numbers)
            let id = picture.parameters[0].wording.meaning
            #expect(ids[rendition.tag, default: id] == id)
            ids[rendition.tag] = id
        }
        #expect(ids.count == RandomPicture.ids.count)
    }

    /// Both are made for real: the second is no copy out of a cache.
    @Test(arguments: Subject.allCases)
    func requestsOfOneKey_giveTheSameBytes(subject: Subject) throws {
        var numbers = SeededGenerator(state: 15)
        var keys: Set<Digest256> = []
        var contents: Set<Digest256> = []
        for _ in 0..<40 {
            let picture = subject.picture(&numbers)
            let renditions = try [rendition(subject, picture, &numbers), rendition(subject, picture, &numbers)]
            #expect(key(renditions[0]) == key(renditions[1]))
            keys.insert(key(renditions[0]))
            let digests = try renditions.map { rendition in
                SHA256.digest(of: try rendition.renderer.render(RenderJob()).bytes)
            }
            #expect(digests[0] == digests[1], "\(picture.meaning)")
            contents.insert(digests[0])
        }
        // The pictures are not all one.
        #expect(contents.count > keys.count / 2)
    }
}

extension RenditionKeyTests.Subject {
    /// Parameters that all have a say whatever the others are, with values of which no two mean the same.
    fileprivate var parameters: [(name: String, values: [String])] {
        switch self {
        case .asset:
            [
                ("id", RandomPicture.ids.indices.map { "\($0).png" }), ("width", ["64", "90", "50p", "64p"]),
                ("height", ["64", "90", "50p", "50.5p"]), ("scale", ["1", "1.5", "2", "1.500000001"]),
                ("fit", ["cover", "contain"]), ("enlarge", ["0", "1"]),
                (
                    "crop",
                    [
                        "", "0,0,1,1", "0,0,2,1", "0.0,0.0,0.5,0.5", "60x40,left", "60x40,right", "40x60,left",
                        "60:40,left",
                        "square,left",
                    ]
                ),
                ("gravity", ["center", "top", "left", "top-left"]), ("rotate", ["0", "90", "180", "270", "none"]),
                ("flip", ["", "h", "v", "hv"]),
                (
                    "filter",
                    [
                        "", "grayscale", "blur:1.5", "blur:1.6", "sharpen", "sharpen:1.5", "brightness:1", "contrast:1",
                        "grayscale,blur:2", "blur:2,grayscale",
                    ]
                ),
                ("background", ["transparent", "red", "12345678", "123456", "white"]),
                ("format", ["jpeg", "webp", "avif"]), ("quality", ["", "30", "81", "100"]),
            ]
        case .map:
            [
                ("latitude", ["43", "43.000000001", "-43", "0"]), ("longitude", ["43", "43.000000001", "-43", "0"]),
                ("zoom", ["", "0", "1", "1.5"]), ("width", ["512", "64", "100"]), ("height", ["512", "64", "100"]),
                ("scale", ["1", "1.5", "2"]), ("format", ["jpeg", "webp", "avif"]),
                ("quality", ["", "30", "81", "100"]),
            ]
        }
    }
}
