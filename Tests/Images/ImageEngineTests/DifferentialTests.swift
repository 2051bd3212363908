import Bytes
import Foundation
import Glibc
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// The same pictures by the command of libvips, which shares the library but none of our code.
    @Suite(.enabled(if: Vips.isPresent, "the command `vips` is not installed (libvips-tools)"))
    struct DifferentialTests {
        private static func source() throws -> SharedBytes {
            try picture(301, 203, .png) { x, y in
                let wave = sin(Double(x * x + y * y) / 2500)
                return [
                    UInt8(128 + 100 * wave), UInt8(abs((x * 5 + y * 3) % 256 - 128) + 60), UInt8(255 - x * 255 / 301),
                    255,
                ]
            }
        }

        private func compare(_ query: String, _ command: [String], mean: Double, worst: Int, margin: Int = 0) throws {
            let source = try Self.source()
            let ours = try Decoded(render(source, query).content)
            let theirs = try Decoded(Vips.run(command, on: source))
            try #require(
                ours.widthPx == theirs.widthPx && ours.heightPx == theirs.heightPx && ours.bands == theirs.bands)
            var (sum, most, count) = (0, 0, 0)
            for y in margin..<(ours.heightPx - margin) {
                for x in margin..<(ours.widthPx - margin) {
                    for (left, right) in zip(ours[x, y], theirs[x, y]) {
                        let difference = abs(Int(left) - Int(right))
                        (sum, most, count) = (sum + difference, max(most, difference), count + 1)
                    }
                }
            }
            let found = Double(sum) / Double(count)
            #expect(found <= mean && most <= worst, "\(query): mean \(found), worst \(most)")
        }

        @Test func turnsFlipsAndCropsAreTheSame() throws {
            try compare("rotate=90", ["rot", "IN", "OUT", "d90"], mean: 0, worst: 0)
            try compare("rotate=180", ["rot", "IN", "OUT", "d180"], mean: 0, worst: 0)
            try compare("rotate=270", ["rot", "IN", "OUT", "d270"], mean: 0, worst: 0)
            try compare("flip=h", ["flip", "IN", "OUT", "horizontal"], mean: 0, worst: 0)
            try compare("flip=v", ["flip", "IN", "OUT", "vertical"], mean: 0, worst: 0)
            try compare("crop=17,5,100,90", ["crop", "IN", "OUT", "17", "5", "100", "90"], mean: 0, worst: 0)
            try compare(
                "width=311&height=223&fit=contain&background=fff",
                ["gravity", "IN", "OUT", "centre", "311", "223", "--extend", "white"], mean: 0, worst: 0)
        }

        @Test func sizesComeOutAlike() throws {
            try compare("width=100", ["thumbnail", "IN", "OUT", "100"], mean: 1.6, worst: 24)
            try compare(
                "width=80&height=120&fit=fill", ["thumbnail", "IN", "OUT", "80", "--height", "120", "--size", "force"],
                mean: 1.6, worst: 30)
            try compare("width=602&enlarge=1", ["resize", "IN", "OUT", "2"], mean: 2.5, worst: 24, margin: 8)
        }

        @Test func filtersComeOutAlike() throws {
            try compare("filter=invert", ["invert", "IN", "OUT"], mean: 0, worst: 0)
            try compare("filter=median:1", ["rank", "IN", "OUT", "3", "3", "4"], mean: 0, worst: 0, margin: 2)
            // Both cut the kernel at a fifth of its height; theirs are rounded down.
            try compare(
                "filter=blur:3", ["gaussblur", "IN", "OUT", "3", "--precision", "float"], mean: 0.7, worst: 2, margin: 8
            )
        }

        @Test func tiltsComeOutAlike() throws {
            let interpolate = ["--interpolate", "bicubic"]
            let source = try Self.source()
            let ours = try Decoded(render(source, "rotate=20").content)
            let theirs = try Decoded(Vips.run(["rotate", "IN", "OUT", "20"] + interpolate, on: source))
            // Their canvas holds no alpha and its size is rounded in another way.
            #expect(abs(ours.widthPx - theirs.widthPx) <= 2 && abs(ours.heightPx - theirs.heightPx) <= 2)
            var sum = 0
            for y in -60..<60 {
                for x in -90..<90 {
                    let left = ours[ours.widthPx / 2 + x, ours.heightPx / 2 + y]
                    let right = theirs[theirs.widthPx / 2 + x, theirs.heightPx / 2 + y]
                    sum += zip(left, right).map { abs(Int($0) - Int($1)) }.max() ?? 0
                }
            }
            #expect(Double(sum) / (120 * 180) < 16)
        }

        @Test func bordersAreFoundAlike() throws {
            let source = try picture(120, 90, .png) { x, y in
                (20..<77).contains(x) && (11..<60).contains(y) ? [10, 90, 200, 255] : [255, 255, 255, 255]
            }
            let text = try Vips.text(["find_trim", "IN"], on: source)
            #expect(text.split(whereSeparator: \.isWhitespace) == ["20", "11", "57", "49"])
            let ours = try Decoded(render(source, "trim=10").content)
            #expect(ours.widthPx == 57 && ours.heightPx == 49)
        }

        @Test func inkComesOutAlike() throws {
            guard Shared.isPresent else { return }
            let photo = try Shared.read("images/sh_cmyk.jpg")
            let ours = try Decoded(render(photo, "width=150").content)
            let theirs = try Decoded(
                Vips.run(["thumbnail", "IN", "OUT", "150", "--export-profile", "srgb"], on: photo))
            let differences = zip(ours.samples, theirs.samples).map { abs(Int($0) - Int($1)) }
            #expect(ours.samples.count == theirs.samples.count)
            // They take another intent, so paper and ink black differ by some levels.
            #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 9)
        }
    }
}

/// The command of libvips.
enum Vips {
    static let path = "/usr/bin/vips"
    static let isPresent = access(path, X_OK) == 0

    /// Runs `vips` with `IN` and `OUT` in the place of files.
    static func run(_ command: [String], on source: SharedBytes) throws -> SharedBytes {
        try inFolder { folder in
            _ = try call(command, source, folder)
            return SharedBytes([UInt8](try Data(contentsOf: folder.appendingPathComponent("out.png"))))
        }
    }

    /// What `vips` prints.
    static func text(_ command: [String], on source: SharedBytes) throws -> String {
        try inFolder { try call(command, source, $0) }
    }

    /// All that `vipsheader` knows about a picture.
    static func fields(of source: SharedBytes) throws -> String {
        try inFolder { try call(["-a", "IN"], source, $0, program: "/usr/bin/vipsheader") }
    }

    private static func inFolder<R>(_ work: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("veduta-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try work(folder)
    }

    private static func call(
        _ command: [String], _ source: SharedBytes, _ folder: URL, program: String = path
    ) throws -> String {
        let file = folder.appendingPathComponent("in")
        try Data(source.array).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = command.map {
            $0 == "IN" ? file.path : $0 == "OUT" ? folder.appendingPathComponent("out.png").path : $0
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let printed = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: printed, as: UTF8.self)
    }
}
