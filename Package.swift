// swift-tools-version: 6.2
import PackageDescription

// Kinds of target first, then the table. What a row names is all that the module may import (docs/architecture/README.md).
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

/// Tests read their data by `#filePath`; `data` names its folders.
func tests(_ name: String, _ uses: Target.Dependency..., data: [String] = []) -> Target {
    .testTarget(name: name, dependencies: uses, exclude: data, swiftSettings: strict)
}

/// The fuzzing targets, which only `scripts/fuzz` declares: they link with a sanitizer alone. What they run is a folder of
/// tests, whose corpora every test run replays.
func fuzzing() -> [Target] {
    let uses: [Target.Dependency] = ["HTTPServer", "HTTPMessage", "Reactor", "Bytes"]
    guard Context.environment["VEDUTA_FUZZ"] != nil else {
        return [.testTarget(name: "FuzzTests", dependencies: uses, swiftSettings: strict)]
    }
    return [
        .target(
            name: "FuzzTests", dependencies: uses, path: "Tests/FuzzTests", exclude: ["CorpusTests.swift"],
            swiftSettings: strict),
        .executableTarget(
            name: "FuzzRequestHead", dependencies: ["FuzzTests"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
        .executableTarget(
            name: "FuzzConnection", dependencies: ["FuzzTests"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
    ]
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

let package = Package(
    name: "veduta",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        system("CVipsSystem", pkgConfig: "vips", apt: "libvips-dev"),
        system("CDeflateSystem", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        system("CCryptoSystem", pkgConfig: "libcrypto", apt: "libssl-dev"),
        system("CJPEGSystem", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
        system("CSQLiteSystem", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CFriBidiSystem", pkgConfig: "fribidi", apt: "libfribidi-dev"),
        system("CHarfBuzzSystem", pkgConfig: "harfbuzz", apt: "libharfbuzz-dev"),
        system("CCurlSystem", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        shim("CLinux"),
        shim("CCurl", "CCurlSystem"),
        shim("CSQLite", "CSQLiteSystem"),
        shim("CText", "CFriBidiSystem", "CHarfBuzzSystem"),
        shim("CVips", "CVipsSystem"),
        shim("CJPEG", "CJPEGSystem"),
        shim("CDeflate", "CDeflateSystem"),
        shim("CCrypto", "CCryptoSystem"),
        shim("CResources", exclude: ["world.pmtiles", "city.pmtiles", "light.json", "dark.json"]),
        shim("CMeasure"),
        shim("CPerception"),

        module("Bytes"),
        module("JSON", "Bytes", more: [optimised]),
        module("Telemetry"),
        module("Parameters", "Bytes"),
        wrapper("Digest", "CCrypto", "Bytes"),
        wrapper("Reactor", "CLinux", "Bytes"),
        module("HTTPMessage", "Bytes"),
        module("HTTPServer", "HTTPMessage", "Reactor", "Bytes"),
        wrapper("Origin", "HTTPMessage", "Reactor", "CCurl", "Digest", "JSON", "Bytes"),
        wrapper("SQLite", "CSQLite", "Bytes"),
        module("AssetLibrary", "SQLite", "Reactor", "Digest", "Bytes"),
        module("Eviction"),
        wrapper("DiskStore", "Eviction", "Reactor", "Digest", "CDeflate", "Bytes"),
        module("ResponseCache", "Eviction", "DiskStore", "HTTPMessage", "Digest", "Bytes", "Reactor"),
        module(
            "CacheProxy", "HTTPServer", "HTTPMessage", "ResponseCache", "Origin", "Reactor", "Bytes"),
        .executableTarget(
            name: "veduta-cache-proxy", dependencies: ["CacheProxy", "Origin", "Reactor"], swiftSettings: strict),
        module("ImagePlan", "Parameters", "Bytes"),
        wrapper("Compression", "CDeflate", "Bytes"),
        wrapper("PNGCoding", "CDeflate", "Bytes", more: [optimised]),
        wrapper("Perception", "CPerception", "Bytes", more: [optimised]),
        wrapper(
            "ImageEngine", "ImagePlan", "Parameters", "PNGCoding", "Perception", "CVips", "CJPEG", "CDeflate", "Bytes",
            more: [optimised]),
        wrapper("Tiles", "CDeflate", "Bytes", more: [optimised]),
        module("MapStyle", "JSON", "Bytes", more: [optimised]),
        module("Raster", "Bytes", more: [optimised]),
        wrapper("MapText", "CText", more: [optimised]),
        module("MapRender", "Eviction", "Tiles", "MapStyle", "MapText", "Raster", "JSON", "Bytes", more: [optimised]),
        module("MapTiles", "MapRender", "MapStyle", "JSON", "Bytes"),
        module("MapPlan", "ImagePlan", "MapRender", "MapStyle", "Parameters", "JSON", "Bytes"),
        module("MapOverlays", "MapPlan", "MapRender", "MapStyle", "Parameters", "Raster", "JSON", "Bytes"),
        module(
            "MapSources", "MapRender", "MapStyle", "Tiles", "SQLite", "Origin", "HTTPMessage", "ResponseCache",
            "Reactor", "Eviction", "Digest", "Raster", "Resources", "Parameters", "MapText", "JSON", "Bytes"),
        wrapper("Resources", "CResources", "Bytes"),
        module(
            "ServiceConfiguration", "HTTPMessage", "ImagePlan", "Origin", "Parameters", "Reactor", "ResponseCache",
            "Digest", "Bytes"),
        module(
            "AccessLogging", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "Origin", "Reactor", "Telemetry",
            "Bytes"),
        module(
            "VedutaService", "ServiceConfiguration", "AccessLogging", "MapPlan", "MapOverlays", "MapSources",
            "MapTiles", "AssetLibrary", "Bytes", "Compression",
            "Digest",
            "DiskStore", "HTTPMessage", "HTTPServer", "ImageEngine",
            "ImagePlan",
            "JSON", "MapRender", "MapStyle", "Origin", "Parameters", "Raster", "Reactor", "Resources", "ResponseCache",
            "Telemetry",
            log),
        .executableTarget(
            name: "veduta", dependencies: ["VedutaService", "ServiceConfiguration", "Reactor", log, argumentParser],
            swiftSettings: strict),
        .executableTarget(
            name: "veduta-bench",
            dependencies: [
                "VedutaService", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "ResponseCache", "Eviction",
                "Reactor", "Digest", "Bytes",
                "ImageEngine", "ImagePlan", "PNGCoding", "Parameters", "CMeasure", log,
            ],
            swiftSettings: strict),

        tests("BytesTests", "Bytes"),
        tests("JSONTests", "JSON"),
        tests("TelemetryTests", "Telemetry", "TestThreads"),
        tests("ParametersTests", "Parameters"),
        tests("DigestTests", "Digest", "Bytes"),
        tests("ReactorTests", "Reactor", "CLinux", "SeededRandom", "TestThreads", "Bytes"),
        tests("HTTPMessageTests", "HTTPMessage", "Bytes"),
        .target(name: "TrialOrigin", dependencies: ["Reactor"], path: "Tests/TrialOrigin", swiftSettings: strict),
        tests("OriginTests", "Origin", "TrialOrigin", "HTTPMessage", "Reactor", "Digest", "Bytes"),
        tests("SQLiteTests", "SQLite"),
        tests(
            "AssetLibraryTests", "AssetLibrary", "SQLite", "Reactor", "SeededRandom", "TestThreads", "Digest", "Bytes"),
        tests("EvictionTests", "Eviction", "SeededRandom"),
        tests("DiskStoreTests", "DiskStore", "SeededRandom", "TestThreads", "Reactor", "Digest", "Bytes"),
        tests(
            "ResponseCacheTests", "ResponseCache", "DiskStore", "HTTPMessage", "SeededRandom", "TestThreads", "Digest",
            "Bytes", "Reactor"),
        tests("ImagePlanTests", "ImagePlan", "SeededRandom", "Parameters"),
        tests("PNGCodingTests", "PNGCoding", "CDeflate", "SeededRandom", "Bytes"),
        tests("PerceptionTests", "Perception", "SeededRandom", "Bytes"),
        tests(
            "ImageEngineTests", "ImageEngine", "CVips", "SeededRandom", "TestThreads", "WrittenDocuments", "ImagePlan",
            "Parameters", "Bytes"),
        tests("TilesTests", "Tiles", "MapTrial", "SeededRandom", "Bytes"),
        .target(
            name: "StyleTrial", dependencies: ["MapStyle", "JSON"], path: "Tests/StyleTrial", swiftSettings: strict),
        .executableTarget(
            name: "MapStyleExerciser", dependencies: ["StyleTrial"], path: "Tests/MapStyleExerciser",
            swiftSettings: strict),
        tests("MapStyleTests", "MapStyle", "JSON", "StyleTrial", "SeededRandom"),
        tests("RasterTests", "Raster", "SeededRandom", "Bytes"),
        tests("MapTextTests", "MapText"),
        tests(
            "MapRenderTests", "MapRender", "MapStyle", "JSON", "MapText", "Raster", "Tiles", "SeededRandom",
            "TestThreads",
            "Bytes",
            "Resources"),
        tests(
            "MapTilesTests", "MapTiles", "MapRender", "MapStyle", "JSON", "Raster", "Resources", "SeededRandom",
            "Tiles",
            "Bytes"),
        tests("MapPlanTests", "MapPlan", "ImagePlan", "MapRender", "Parameters", "SeededRandom"),
        tests(
            "MapOverlaysTests", "MapOverlays", "MapPlan", "MapRender", "MapStyle", "JSON", "Parameters", "PNGCoding",
            "Raster",
            "Tiles", "SeededRandom",
            "Bytes"),
        tests(
            "MapSourcesTests", "MapSources", "MapRender", "MapStyle", "JSON", "Tiles", "SQLite", "Origin",
            "TrialOrigin",
            "PNGCoding", "MapTrial", "TestThreads", "HTTPMessage", "Raster", "Reactor", "Resources", "Bytes"),
        .target(
            name: "MapTrial", dependencies: ["MapRender", "MapStyle", "JSON", "Tiles", "Raster", "PNGCoding", "Bytes"],
            path: "Tests/MapTrial", swiftSettings: strict),
        .executableTarget(
            name: "MapExerciser", dependencies: ["MapTrial"], path: "Tests/MapExerciser", swiftSettings: strict),
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
        .target(
            name: "WrittenDocuments", dependencies: ["CDeflate"], path: "Tests/WrittenDocuments", swiftSettings: strict),
        .target(name: "TestThreads", path: "Tests/TestThreads", swiftSettings: strict),
        .target(
            name: "DiskTrial", dependencies: ["DiskStore", "SeededRandom", "Reactor", "Digest", "Bytes"],
            path: "Tests/DiskTrial", swiftSettings: strict),
        .executableTarget(
            name: "DiskStoreExerciser", dependencies: ["DiskTrial"], path: "Tests/DiskStoreExerciser",
            swiftSettings: strict),
        tests(
            "DiskFaultTests", "DiskTrial", "DiskStoreExerciser", "DiskStore", "SeededRandom", "Reactor", "Digest",
            "Bytes"),
        .target(
            name: "LibraryTrial",
            dependencies: ["DiskTrial", "AssetLibrary", "SeededRandom", "Reactor", "Digest", "Bytes"],
            path: "Tests/LibraryTrial", swiftSettings: strict),
        .executableTarget(
            name: "LibraryExerciser", dependencies: ["LibraryTrial", "DiskTrial"], path: "Tests/LibraryExerciser",
            swiftSettings: strict),
        tests(
            "LibraryFaultTests", "LibraryExerciser", "AssetLibrary", "Reactor", "Bytes"),
        .target(
            name: "TestSupport",
            dependencies: [
                "VedutaService", "ServiceConfiguration", "HTTPServer", "HTTPMessage", "ImageEngine", "ImagePlan",
                "CVips", "CDeflate",
                "Reactor",
                "Bytes", log,
            ], path: "Tests/TestSupport", swiftSettings: strict),
        tests("HTTPServerTests", "HTTPServer", "HTTPMessage", "Reactor", "Bytes"),
        tests("ServiceConfigurationTests", "ServiceConfiguration", "Origin"),
        tests(
            "AccessLoggingTests", "AccessLogging", "ServiceConfiguration", "TestSupport", "HTTPServer", "HTTPMessage",
            "Reactor", "Telemetry", "Bytes"),
        tests(
            "VedutaServiceTests", "VedutaService", "ServiceConfiguration", "MapPlan", "MapSources",
            "TestSupport", "Origin",
            "SeededRandom", "AssetLibrary", "Digest",
            "DiskStore",
            "HTTPMessage",
            "HTTPServer", "ImageEngine", "ImagePlan", "JSON", "MapRender", "MapStyle", "Parameters", "Raster",
            "Reactor",
            "Resources",
            "ResponseCache", "MapTiles",
            "Bytes", log, data: ["Texts/user-facing-texts.txt"]),
        tests(
            "WireTests", "TestSupport", "WrittenDocuments", "TrialOrigin", "Origin", "SeededRandom", "VedutaService",
            "ServiceConfiguration", "HTTPServer",
            "HTTPMessage", "ImageEngine",
            "ImagePlan",
            "Reactor", "ResponseCache",
            "Bytes", data: ["Cases"]),
        tests(
            "GoldenTests", "TestSupport", "VedutaService", "ServiceConfiguration", "ImageEngine", "ImagePlan",
            "MapOverlays", "MapPlan",
            "MapRender",
            "MapSources",
            "Resources",
            "Raster", "Reactor", "Parameters", "Bytes", log, data: ["Goldens"]),
        tests(
            "CacheProxyTests", "CacheProxy", "TestSupport", "TrialOrigin", "Origin", "HTTPServer", "HTTPMessage",
            "Reactor", "Bytes"),
        tests("FaultTests", "TestSupport", "VedutaService", "ServiceConfiguration", "HTTPServer", "Reactor"),
        tests(
            "EndToEndTests", "TestSupport", "TestThreads", "VedutaService", "ServiceConfiguration", "ImagePlan",
            "Reactor", "Bytes"),
    ] + fuzzing(),
    cLanguageStandard: .c2x
)
package.targets = chosen(package.targets)
