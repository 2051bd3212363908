// swift-tools-version: 6.2
import PackageDescription

// Kinds of target first, then the areas in order: a target may use targets of its own area and of areas above it. What a row
// names is all that the module may import (docs/architecture/README.md).
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

func module(_ name: String, _ uses: Target.Dependency..., more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: uses, swiftSettings: strict + more)
}

/// Loops over pixels, coordinates and tiles are optimised in debug builds too, with their assertions: tests would wait for them.
let optimised = SwiftSetting.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))

/// A module that imports C: what it does with pointers is spelled `unsafe`.
func wrapper(_ name: String, _ uses: Target.Dependency..., more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: uses, swiftSettings: strict + [.strictMemorySafety()] + more)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// C with loops over pixels is optimised in debug builds too: tests would wait for it.
func shim(_ name: String, _ uses: Target.Dependency..., exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: uses, exclude: exclude,
        cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))])
}

func program(_ name: String, _ uses: Target.Dependency..., more: [SwiftSetting] = []) -> Target {
    .executableTarget(name: name, dependencies: uses, swiftSettings: strict + more)
}

/// Tests read their data by `#filePath`; `data` names its folders.
func tests(
    _ name: String, _ uses: Target.Dependency..., data: [String] = [], more: [SwiftSetting] = []
) -> Target {
    .testTarget(name: name, dependencies: uses, exclude: data, swiftSettings: strict + more)
}

/// A folder of `Sources` and of `Tests`.
struct Area {
    let folder: String
    let targets: [Target]

    init(_ folder: String, _ targets: [Target]) {
        self.folder = folder
        self.targets = targets
        for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
    }
}

/// The targets of `areas`; a target that uses one of an area below its own stops the build.
func ordered(_ areas: [Area]) -> [Target] {
    var rank: [String: Int] = [:]
    for (index, area) in areas.enumerated() {
        for target in area.targets { rank[target.name] = index }
    }
    for (index, area) in areas.enumerated() {
        for target in area.targets {
            for case .byNameItem(let used, _) in target.dependencies {
                guard let place = rank[used] else { fatalError("\(target.name) uses \(used), which is in no area") }
                precondition(place <= index, "\(target.name) in \(area.folder) uses \(used) of \(areas[place].folder)")
            }
        }
    }
    return areas.flatMap(\.targets)
}

/// Of `targets` the tests that `VEDUTA_TESTS` names and what they use, or all without it: sanitizers build little more than
/// they run.
func chosen(_ targets: [Target]) -> [Target] {
    guard let names = Context.environment["VEDUTA_TESTS"] else { return targets }
    var wanted: Set<String> = []
    var open = names.split(separator: " ").map(String.init)
    while let name = open.popLast() {
        guard wanted.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let used, _) in target.dependencies { open.append(used) }
    }
    return targets.filter { wanted.contains($0.name) }
}

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let sources = [
    Area(
        "Sources/Platform",
        [
            system("CDeflateSystem", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
            system("CCryptoSystem", pkgConfig: "libcrypto", apt: "libssl-dev"),
            system("CSQLiteSystem", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
            shim("CLinux"),
            shim("CSandbox"),
            shim("CDeflate", "CDeflateSystem"),
            shim("CCrypto", "CCryptoSystem"),
            shim("CSQLite", "CSQLiteSystem"),
            shim(
                "CResources",
                exclude: ["world.pmtiles", "city.pmtiles", "light.json", "dark.json", "veduta.js", "cards", "pages"]),
            module("Bytes"),
            module("JSON", "Bytes", more: [optimised]),
            module("Colors", "Bytes"),
            module("Parameters", "Colors", "JSON", "Bytes"),
            module("TextLines"),
            module("Telemetry"),
            module("Eviction"),
            module("BinaryCoding"),
            wrapper("Digest", "CCrypto", "Bytes"),
            wrapper("Compression", "CDeflate", "Bytes"),
            wrapper("Reactor", "CLinux", "Bytes"),
            wrapper("Sandbox", "CSandbox", "Reactor", "Digest", "Bytes"),
            wrapper("SQLite", "CSQLite", "Bytes"),
            wrapper("Resources", "CResources", "Bytes"),
        ]),
    Area(
        "Sources/HTTP",
        [
            system("CCurlSystem", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
            shim("CCurl", "CCurlSystem"),
            module("HTTPMessage", "Bytes"),
            module("HTTPServer", "HTTPMessage", "Reactor", "Bytes"),
            wrapper("Origin", "HTTPMessage", "Reactor", "CCurl", "Digest", "JSON", "Bytes"),
        ]),
    Area(
        "Sources/Cache",
        [
            wrapper("DiskStore", "Eviction", "Reactor", "Digest", "CDeflate", "Bytes"),
            system("CRedisSystem", pkgConfig: "hiredis", apt: "libhiredis-dev"),
            shim("CRedis", "CRedisSystem"),
            wrapper("SharedCache", "CRedis", "DiskStore", "Origin", "Reactor", "Digest", "Bytes"),
            module(
                "ResponseCache", "Eviction", "DiskStore", "SharedCache", "HTTPMessage", "Digest", "Bytes", "Reactor"),
            module(
                "OriginCache", "ResponseCache", "Origin", "HTTPMessage", "Eviction", "Digest", "Reactor", "Bytes"),
            module("CacheProxy", "HTTPServer", "HTTPMessage", "ResponseCache", "Origin", "Reactor", "Bytes"),
        ]),
    Area(
        "Sources/Graphics",
        [
            system("CFriBidiSystem", pkgConfig: "fribidi", apt: "libfribidi-dev"),
            system("CHarfBuzzSystem", pkgConfig: "harfbuzz", apt: "libharfbuzz-dev"),
            shim("CText", "CFriBidiSystem", "CHarfBuzzSystem"),
            module("Raster", "Colors", "Bytes", more: [optimised]),
            wrapper("TextEngine", "CText", more: [optimised]),
            module("TextDrawing", "TextEngine", "TextLines", "Raster", "Colors", "Bytes", more: [optimised]),
            wrapper("PNGCoding", "CDeflate", "Bytes", more: [optimised]),
        ]),
    Area(
        "Sources/Images",
        [
            system("CVipsSystem", pkgConfig: "vips", apt: "libvips-dev"),
            system("CJPEGSystem", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
            shim("CVips", "CVipsSystem"),
            shim("CJPEG", "CJPEGSystem"),
            shim("CPerception"),
            module("ImagePlan", "Parameters", "TextLines", "Colors", "Bytes"),
            wrapper("Perception", "CPerception", more: [optimised]),
            wrapper(
                "ImageEngine", "ImagePlan", "Parameters", "PNGCoding", "Perception", "CVips", "CJPEG", "CDeflate",
                "Colors", "Bytes", more: [optimised]),
            module("ImageWorkers", "ImageEngine", "ImagePlan", "Sandbox", "BinaryCoding", "Reactor", "Bytes"),
        ]),
    Area(
        "Sources/Composed",
        [
            module("CardGrammar", "ImagePlan", "Parameters", "TextLines", "Colors", "Bytes"),
            module(
                "CardPlan", "CardGrammar", "ImagePlan", "Parameters", "TextLines", "Digest", "JSON", "Colors", "Bytes",
                more: [optimised]),
            module("Cards", "CardPlan", "TextEngine", "Raster", "Colors", "Bytes", more: [optimised]),
        ]),
    Area(
        "Sources/Maps",
        [
            wrapper("Tiles", "CDeflate", "Bytes", more: [optimised]),
            module("MapStyle", "JSON", "Colors", "Bytes", more: [optimised]),
            module(
                "MapRender", "Eviction", "Tiles", "MapStyle", "TextEngine", "Raster", "Reactor", "JSON", "Colors",
                "Bytes", more: [optimised]),
            module("MapTiles", "MapRender", "MapStyle", "JSON", "Bytes"),
            module("MapGrammar", "ImagePlan", "Parameters", "JSON", "Colors", "Bytes"),
            module("MapPlan", "MapGrammar", "ImagePlan", "MapRender", "Parameters", "Bytes"),
            module(
                "MapOverlays", "MapPlan", "MapGrammar", "MapRender", "MapStyle", "Raster", "JSON", "Colors", "Bytes"),
            module(
                "MapSources", "MapRender", "MapStyle", "Tiles", "SQLite", "Origin", "OriginCache", "HTTPMessage",
                "ResponseCache",
                "Reactor", "Digest", "Raster", "Resources", "Parameters", "TextEngine", "JSON", "Bytes"),
        ]),
    Area(
        "Sources/Service",
        [
            module("URLSigning", "Parameters", "Digest", "Bytes"),
            module("ClientBudgets", "Reactor", "Bytes"),
            module("AssetLibrary", "SQLite", "Reactor", "Digest", "Bytes"),
            module(
                "Originals", "AssetLibrary", "OriginCache", "ResponseCache", "Origin", "ImageEngine", "ImagePlan",
                "HTTPMessage", "Reactor", "Digest", "Bytes"),
            module(
                "ServiceConfiguration", "URLSigning", "CardPlan", "HTTPMessage", "ImagePlan", "Origin", "Parameters",
                "Reactor",
                "ResponseCache", "Sandbox", "SharedCache", "Digest", "JSON", "Bytes"),
            module(
                "AccessLogging", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "Origin", "Reactor", "Telemetry"),
            module(
                "Renditions", "ClientBudgets", "Eviction", "ResponseCache", "SharedCache", "DiskStore", "HTTPServer",
                "HTTPMessage",
                "Reactor",
                "Telemetry",
                "Digest",
                "Bytes"),
            module(
                "VedutaService", "ServiceConfiguration", "URLSigning", "ClientBudgets", "AccessLogging", "Renditions",
                "MapGrammar", "MapPlan",
                "MapOverlays", "Colors",
                "MapSources",
                "CardGrammar", "CardPlan", "Cards", "TextDrawing", "TextEngine", "MapTiles", "AssetLibrary",
                "Originals", "Bytes",
                "Compression", "Digest", "DiskStore", "Eviction", "HTTPMessage", "HTTPServer",
                "OriginCache",
                "ImageEngine", "ImageWorkers", "Sandbox", "ImagePlan", "JSON", "MapRender", "MapStyle", "Origin",
                "Parameters", "Raster",
                "Reactor", "Resources", "ResponseCache", "SharedCache", "Telemetry", log),
        ]),
    Area(
        "Sources/Client",
        [
            module(
                "VedutaClient", "CardGrammar", "MapGrammar", "HTTPMessage", "ImagePlan", "Parameters", "Colors", "Bytes"
            ),
            program("veduta-gallery", "VedutaClient"),
        ]),
    Area(
        "Sources/Programs",
        [
            shim("CMeasure"),
            program(
                "veduta", "VedutaService", "ServiceConfiguration", "URLSigning", "ImagePlan", "Parameters", "Reactor",
                log,
                argumentParser),
            program("veduta-cache-proxy", "CacheProxy", "Origin", "Reactor"),
            program(
                "veduta-bench", "VedutaService", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "ResponseCache",
                "Eviction", "Reactor", "Sandbox", "Digest", "Bytes", "ImageEngine", "ImagePlan", "PNGCoding",
                "Parameters",
                "CMeasure", log),
        ]),
]

/// The fuzzing program, which only `scripts/fuzz` declares: it links with a sanitizer alone. What it runs is a folder of
/// tests, whose corpora every test run replays.
func fuzzing() -> [Target] {
    let uses: [Target.Dependency] = [
        "AssetLibrary", "BinaryCoding", "Bytes", "CardGrammar", "CardPlan", "HTTPMessage", "HTTPServer", "ImageEngine",
        "ImagePlan",
        "ImageWorkers", "JSON", "MapGrammar", "MapPlan",
        "MapRender", "MapSources", "MapStyle", "PNGCoding", "Parameters", "Reactor", "Renditions", "SQLite",
        "ServiceConfiguration", "Tiles",
        "URLSigning", "VedutaService",
    ]
    guard Context.environment["VEDUTA_FUZZ"] != nil else {
        return [.testTarget(name: "FuzzTests", dependencies: uses + ["TestPlaces"], swiftSettings: strict)]
    }
    return [
        .target(name: "FuzzTests", dependencies: uses, exclude: ["CorpusTests.swift"], swiftSettings: strict),
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzTests"], path: "Sources/Programs/Fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
    ]
}

let testing = [
    Area(
        "Tests/Support",
        [
            shim("CHostile"),
            module("SeededRandom"),
            module("TestPlaces"),
            module("TestThreads"),
            module("FakeOrigin", "Reactor"),
            module("WrittenDocuments", "CDeflate"),
            module("StyleTestKit", "TestPlaces", "MapStyle", "JSON"),
            module("MapTestKit", "MapRender", "MapStyle", "JSON", "Tiles", "Raster", "PNGCoding", "Bytes"),
            module("DiskTestKit", "DiskStore", "SeededRandom", "Reactor", "Digest", "Bytes"),
            module("LibraryTestKit", "DiskTestKit", "AssetLibrary", "SeededRandom", "Reactor", "Digest", "Bytes"),
            module(
                "TestSupport", "TestPlaces", "VedutaService", "ServiceConfiguration", "HTTPServer", "HTTPMessage",
                "ImageEngine", "ImagePlan", "CVips", "CDeflate", "Reactor", "Sandbox", "Bytes", log),
            program("MapStyleDriver", "StyleTestKit"),
            program("MapDriver", "MapTestKit"),
            program("DiskStoreDriver", "DiskTestKit"),
            program("SandboxDriver", "CHostile", "Sandbox", "Bytes"),
            program("LibraryDriver", "LibraryTestKit", "DiskTestKit"),
            program("ClientDriver", "VedutaClient"),
        ]),
    Area(
        "Tests/Platform",
        [
            tests("BytesTests", "Bytes"),
            tests("JSONTests", "JSON"),
            tests("TelemetryTests", "Telemetry", "TestThreads"),
            tests("ColorsTests", "Colors"),
            tests("ParametersTests", "Parameters", "Colors"),
            tests("DigestTests", "Digest", "Bytes"),
            tests("ReactorTests", "Reactor", "CLinux", "SeededRandom", "TestThreads", "Bytes"),
            tests("SQLiteTests", "SQLite"),
            tests("EvictionTests", "Eviction", "SeededRandom"),
            tests("BinaryCodingTests", "BinaryCoding"),
            tests("SandboxTests", "Sandbox", "SandboxDriver", "Reactor", "Bytes"),
        ]),
    Area(
        "Tests/HTTP",
        [
            tests("HTTPMessageTests", "HTTPMessage", "Bytes"),
            tests("HTTPServerTests", "HTTPServer", "HTTPMessage", "Reactor", "Bytes"),
            tests("OriginTests", "Origin", "FakeOrigin", "HTTPMessage", "Reactor", "Digest", "Bytes"),
        ]),
    Area(
        "Tests/Cache",
        [
            tests("DiskStoreTests", "DiskStore", "SeededRandom", "TestThreads", "Reactor", "Digest", "Bytes"),
            tests(
                "DiskFaultTests", "DiskTestKit", "DiskStoreDriver", "DiskStore", "SeededRandom", "Reactor", "Digest",
                "Bytes"),
            tests("SharedCacheTests", "SharedCache", "DiskStore", "Origin", "Reactor", "Digest", "Bytes"),
            tests(
                "ResponseCacheTests", "ResponseCache", "DiskStore", "HTTPMessage", "SeededRandom", "TestThreads",
                "Digest", "Bytes", "Reactor"),
            tests(
                "OriginCacheTests", "OriginCache", "ResponseCache", "Origin", "HTTPMessage", "Reactor", "Digest",
                "Bytes"),
            tests(
                "CacheProxyTests", "CacheProxy", "TestSupport", "FakeOrigin", "Origin", "HTTPServer", "HTTPMessage",
                "Reactor", "Bytes"),
        ]),
    Area(
        "Tests/Graphics",
        [
            tests("RasterTests", "Raster", "Colors", "SeededRandom", "Bytes"),
            tests("TextEngineTests", "TextEngine"),
            tests("TextDrawingTests", "TextDrawing", "TextEngine", "Raster", "SeededRandom", "Colors", "Bytes"),
            tests("PNGCodingTests", "PNGCoding", "CDeflate", "SeededRandom", "Bytes"),
        ]),
    Area(
        "Tests/Images",
        [
            tests("ImagePlanTests", "ImagePlan", "SeededRandom", "Parameters", "TextLines", "Colors"),
            tests("PerceptionTests", "Perception", "SeededRandom", "Bytes"),
            tests(
                "ImageEngineTests", "TestPlaces", "ImageEngine", "CVips", "SeededRandom", "TestThreads",
                "WrittenDocuments",
                "ImagePlan", "Parameters", "Colors", "Bytes", data: ["Waves"]),
            tests(
                "ImageWorkersTests", "ImageWorkers", "BinaryCoding", "ImageEngine", "ImagePlan", "Parameters", "Bytes"),
        ]),
    Area(
        "Tests/Composed",
        [
            tests(
                "CardPlanTests", "CardPlan", "CardGrammar", "Cards", "Digest", "TextEngine", "TextLines", "Raster",
                "Parameters",
                "ImagePlan",
                "SeededRandom",
                "Colors", "Bytes", more: [optimised])
        ]),
    Area(
        "Tests/Maps",
        [
            tests("TilesTests", "Tiles", "MapTestKit", "TestPlaces", "SeededRandom", "Bytes"),
            tests("MapStyleTests", "MapStyle", "JSON", "StyleTestKit", "SeededRandom"),
            tests(
                "MapRenderTests", "MapRender", "MapStyle", "JSON", "TextEngine", "Raster", "Tiles", "SeededRandom",
                "TestPlaces", "TestThreads", "Bytes", "Resources"),
            tests(
                "MapTilesTests", "MapTiles", "MapRender", "MapStyle", "JSON", "Raster", "Resources", "SeededRandom",
                "TestPlaces", "Tiles", "Bytes"),
            tests(
                "MapPlanTests", "MapPlan", "MapGrammar", "ImagePlan", "MapRender", "Parameters", "JSON", "Colors",
                "SeededRandom"),
            tests(
                "MapOverlaysTests", "MapOverlays", "MapPlan", "MapGrammar", "MapRender", "MapStyle", "JSON",
                "Parameters", "Colors",
                "PNGCoding", "Raster", "Tiles", "SeededRandom", "TestPlaces", "Bytes"),
            tests(
                "MapSourcesTests", "MapSources", "MapRender", "MapStyle", "JSON", "Tiles", "SQLite", "Origin",
                "OriginCache", "ResponseCache", "DiskStore", "FakeOrigin", "PNGCoding", "MapTestKit", "TestPlaces",
                "TestThreads", "HTTPMessage", "Raster", "Reactor",
                "Resources", "Bytes"),
        ]),
    Area(
        "Tests/Service",
        [
            tests(
                "AssetLibraryTests", "AssetLibrary", "SQLite", "Reactor", "SeededRandom", "TestPlaces", "TestThreads",
                "Digest", "Bytes"),
            tests("ClientBudgetsTests", "ClientBudgets", "Reactor", "SeededRandom"),
            tests("URLSigningTests", "URLSigning", "Parameters", data: ["vectors.tsv"]),
            tests("LibraryFaultTests", "LibraryDriver", "AssetLibrary", "Reactor", "Bytes"),
            tests(
                "ServiceConfigurationTests", "ServiceConfiguration", "URLSigning", "HTTPMessage", "Reactor", "Origin"),
            tests(
                "AccessLoggingTests", "AccessLogging", "ServiceConfiguration", "TestSupport", "HTTPServer",
                "HTTPMessage", "Reactor", "Telemetry", "Bytes"),
            tests(
                "VedutaServiceTests", "VedutaService", "CardPlan", "CardGrammar", "Cards", "URLSigning",
                "ClientBudgets", "Originals",
                "OriginCache",
                "Renditions", "Telemetry",
                "ServiceConfiguration", "MapGrammar", "MapPlan",
                "MapSources", "TestSupport",
                "Origin", "SeededRandom", "AssetLibrary", "Digest", "DiskStore", "HTTPMessage", "HTTPServer",
                "ImageEngine", "ImagePlan", "ImageWorkers", "JSON", "MapRender", "MapStyle", "Parameters", "Raster",
                "Reactor",
                "Resources", "ResponseCache", "MapTiles", "TextEngine", "Bytes", log,
                data: ["Texts/user-facing-texts.txt", "Signing/signed-form-vectors.txt"]),
            tests(
                "WireTests", "URLSigning", "Digest", "TestSupport", "TestPlaces", "WrittenDocuments",
                "FakeOrigin", "Origin", "OriginCache", "SeededRandom",
                "VedutaService", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "ImageEngine", "ImagePlan",
                "Reactor", "ResponseCache", "Sandbox", "Bytes", data: ["Cases"]),
            tests(
                "GoldenTests", "TestSupport", "VedutaService", "CardPlan", "CardGrammar", "Cards", "TextEngine",
                "ServiceConfiguration", "ImageEngine", "ImagePlan",
                "MapOverlays", "MapGrammar", "MapPlan", "MapRender", "MapSources", "Resources", "Raster", "Reactor",
                "Parameters", "Colors", "Bytes", log, data: ["Goldens"]),
            tests("FaultTests", "TestSupport", "VedutaService", "ServiceConfiguration", "HTTPServer", "Reactor"),
            tests(
                "EndToEndTests", "TestSupport", "TestThreads", "VedutaService", "ServiceConfiguration", "ImagePlan",
                "Reactor", "Bytes"),
        ]),
    Area("Tests/Fuzz", fuzzing()),
    Area(
        "Tests/Client",
        [
            tests(
                "VedutaClientTests", "VedutaClient", "veduta-gallery", "ClientDriver", "ImagePlan", "Parameters",
                "SeededRandom", "FakeOrigin", "Digest", "Bytes",
                data: ["Vectors"])
        ]),
]

let targets = chosen(ordered(sources + testing))
// A product whose target is left out is none.
let library = "VedutaClient"
let package = Package(
    name: "veduta",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: targets.contains { $0.name == library } ? [.library(name: library, targets: [library])] : [],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: targets,
    cLanguageStandard: .c2x
)
