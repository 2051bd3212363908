import Bytes
import Foundation
import MapRender
import MapStyle
import Synchronization
import TestThreads
import Testing

@testable import MapSources

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    private static let red = Data(
        base64Encoded: """
            iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==
            """)
    private static let blue = Data(
        base64Encoded: """
            iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFUlEQVR42mNgYPhPIhrVMKph2GoAAJLb/wHQPqPSAAAAAElFTkSuQmCC
            """)

    /// What the threads of a test share.
    private final class Common: Sendable {
        let colors = Mutex<Set<[UInt8]>>([])
    }

    /// An archive of one color down to the level 3.
    private func makeArchive(_ folder: TrialFolder, _ name: String, _ tile: Data?) throws {
        let bytes = [UInt8](try #require(tile))
        let tiles = (0...3).flatMap { z in (0..<1 << z).flatMap { x in (0..<1 << z).map { (z, x, $0, bytes) } } }
        try TrialMBTiles.make(folder.file(name), metadata: [("format", "png")], tiles: tiles)
    }

    @Test func aPicture_isOfOneState() throws {
        let folder = try TrialFolder()
        try makeArchive(folder, "red", Self.red)
        try makeArchive(folder, "blue", Self.blue)
        try folder.replace("a.mbtiles", byFileAt: folder.file("red"))
        let library = try MapLibrary(
            .trial(maps: try folder.write("maps.json", #"{"sources": {"map": {"archive": "a.mbtiles"}}}"#)))
        let engine = MapEngine(resources: library)
        let common = Common()
        try whileThreadsRepeat(2) { _, _ in
            #expect(throws: Never.self) {
                let style = try #require(library.style())
                let camera = Camera(longitude: 0, latitude: 0, zoom: 2, width: 64, height: 64)
                let picture = try engine.render(style.style, camera, resources: style.resources)
                let pixels = picture.pixels.withUnsafeBytes { [UInt8]($0) }
                let seen = Set(stride(from: 0, to: pixels.count, by: 4).map { [UInt8](pixels[$0..<$0 + 4]) })
                #expect(seen.count == 1)
                common.colors.withLock { $0.formUnion(seen) }
            }
        } meanwhile: {
            for round in 0..<20 {
                try folder.replace("a.mbtiles", byFileAt: folder.file(round.isMultiple(of: 2) ? "blue" : "red"))
                #expect(library.refresh())
            }
        }
        #expect(common.colors.withLock { $0.isSubset(of: [[255, 0, 0, 255], [0, 0, 255, 255]]) })
    }

    @Test func theThread_takesOverWhatIsReplaced() throws {
        let folder = try TrialFolder()
        try makeArchive(folder, "a.mbtiles", Self.red)
        try makeArchive(folder, "blue", Self.blue)
        let library = try MapLibrary(
            .trial(maps: try folder.write("maps.json", #"{"sources": {"map": {"archive": "a.mbtiles"}}}"#)))
        let validator = library.style()?.validator
        let watch = try MapWatch(library, interval: .milliseconds(1))
        try folder.replace("a.mbtiles", byFileAt: folder.file("blue"))
        for _ in 0..<150_000 where library.style()?.validator == validator { usleep(1000) }
        #expect(library.style()?.validator != validator)
        watch.stop()
    }
}
