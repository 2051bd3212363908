import Digest
import ImageEngine
import Renditions
import ServiceConfiguration
import Testing
import TestSupport

@testable import VedutaService

/// Keys and tags begin with what decides the bytes of all pictures.
@Suite(.timeLimit(.minutes(5))) struct FingerprintTests {
    init() throws { try RunningService.prepare() }

    @Test func everyCause_changesTheHash() {
        func digest(
            pipeline: String = "1", engine: String = "8", libraries: [String] = ["a 1", "b 2"],
            settings: [String] = ["jpeg 80"]
        ) -> String {
            RenditionFingerprint(
                pipelineVersion: pipeline, engineVersion: engine, libraries: libraries, encoderSettings: settings
            ).digest().hex
        }
        let all = [
            digest(), digest(pipeline: "2"), digest(engine: "9"), digest(libraries: ["a 1", "b 3"]),
            digest(libraries: ["a 1"]), digest(libraries: ["a 1b 2"]), digest(libraries: []),
            digest(settings: ["jpeg 81"]), digest(libraries: ["a 1", "b 2", "jpeg 80"], settings: []),
        ]
        #expect(Set(all).count == all.count)
        #expect(digest() == all[0])
    }

    /// The codecs of every format, color management and mathematics; libvips' loader of HEIF may be a file of its own.
    @Test(arguments: ["libvips.", "libjpeg.", "libpng", "libwebp.", "libheif", "libaom", "liblcms2", "libm.", "libz"])
    func libraries_nameWhatDecidesPictures(name: String) {
        #expect(ImageEngine.libraries.contains { $0.hasPrefix(name) })
    }

    @Test func libraries_areInOrder_eachOnceWithItsBuildID() throws {
        let libraries = ImageEngine.libraries
        #expect(libraries == libraries.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let names = libraries.map { $0.prefix { $0 != " " } }
        #expect(Set(names).count == names.count)
        for library in libraries {
            let id = library.drop { $0 != " " }.dropFirst()
            #expect(id.count >= 16, "\(library)")
        }
    }

    /// What the runtime and this test have loaded beside it decides nothing.
    @Test func libraries_leaveOutWhatDecidesNothing() {
        for name in ["libc.", "libstdc++", "libswift", "libFoundation", "libcurl", "libMagick", "libglib"] {
            #expect(!ImageEngine.libraries.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }

    /// Libraries that come with the first picture of a format would make a tag depend on what was asked for before.
    @Test func libraries_areAllThereFromTheStart() throws {
        let before = ImageEngine.libraries
        let folder = try PictureFolder()
        let service = try RunningService { configuration in
            configuration.library = folder.path
            configuration.cacheMemory = 0
        }
        let client = try WireClient(service.address)
        for format in ["avif", "webp", "jpeg", "png"] {
            #expect(try client.get("/asset?id=a.png&width=20&filter=sharpen&format=\(format)").code == 200)
        }
        service.stop()
        #expect(ImageEngine.libraries == before)
    }
}
