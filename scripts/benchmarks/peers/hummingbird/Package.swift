// swift-tools-version: 6.2
import PackageDescription

// A peer to measure Veduta against. A package of its own, so that SwiftNIO stays out of Veduta's graph; `scripts/bench http`
// copies it to a temporary folder and builds it there.
let package = Package(
    name: "hummingbird-peer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "hummingbird-peer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ])
    ]
)
