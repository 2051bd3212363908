import Bytes
import Foundation
import Glibc
import ImageEngine
import ImagePlan
import Reactor
import VedutaService

/// A folder with a few pictures, made for one test and removed with it: `a.png` (400×300), `b.png` (300×400), and what the
/// test adds.
package final class PictureFolder: Sendable {
    package let path: String

    package init() throws {
        try RunningService.prepare()
        var template = Array("/tmp/veduta-wire-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw WireFault.malformed("no temporary folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try add("a.png", Self.picture(400, 300))
        try add("b.png", Self.picture(300, 400))
    }

    deinit { remove() }

    /// Removes it now: from under whoever serves it, or in processes that end without letting go of it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file at `name`, whose folders are made.
    package func add(_ name: String, _ bytes: [UInt8]) throws {
        let parts = name.split(separator: "/").map(String.init)
        var folder = path
        for part in parts.dropLast() {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
        guard let file = fopen(path + "/" + name, "w") else { throw WireFault.malformed("cannot write \(name)") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WireFault.malformed("disk full") }
    }

    package func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }

    /// A picture of that size as PNG, with some detail in it.
    package static func picture(_ widthPx: Int, _ heightPx: Int) throws -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(widthPx * heightPx * 4)
        for y in 0..<heightPx {
            for x in 0..<widthPx {
                pixels.append(UInt8(truncatingIfNeeded: x &* 3 &+ y))
                pixels.append(UInt8(truncatingIfNeeded: x ^ y))
                pixels.append(UInt8(truncatingIfNeeded: y &* 2))
                pixels.append(255)
            }
        }
        return try encoded(pixels, widthPx, heightPx)
    }

    /// These pixels, RGBA, as PNG.
    package static func encoded(_ pixels: [UInt8], _ widthPx: Int, _ heightPx: Int) throws -> [UInt8] {
        let png = try ImageEngine.encode(
            rgba: SharedBytes(pixels), widthPx: widthPx, heightPx: heightPx, output: .png, quality: nil,
            shouldStop: { false })
        return png.withUnsafeBytes { Array($0) }
    }
}

extension WireClient {
    /// The value of a series in `/metrics`, asked for on this connection; 0 for a series that is not there yet.
    package func metric(_ series: String) throws(WireFault) -> Int {
        for line in try get("/metrics").text.split(separator: "\n") where line.hasPrefix(series + " ") {
            return Int(line.dropFirst(series.count + 1)) ?? 0
        }
        return 0
    }

    /// Waits until no worker of the server has anything to do; false if that takes too long.
    package func waitForWorkers() -> Bool {
        eventually {
            // Both in one answer: a job that leaves the queue in between would be in neither.
            guard let text = try? get("/metrics").text else { return false }
            return text.contains("\nveduta_jobs_queued 0\n") && text.contains("\nveduta_jobs_running 0\n")
        }
    }
}
