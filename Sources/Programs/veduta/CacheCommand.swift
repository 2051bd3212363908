import ArgumentParser
import Glibc
import ServiceConfiguration
import VedutaService

/// `veduta cache`: what is cached.
struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Inspect the cache folder; warm the cache of a server.", subcommands: [Inspect.self, Warm.self])

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count what is in the cache folder.",
            discussion: "A server may use the folder meanwhile. Nothing is evicted.")

        @Option(help: "The folder (VEDUTA_CACHE_DIR).", completion: .directory) var cacheDir: String?
        @Option(
            help: "Configuration file with lines NAME=value, named like the environment variables.",
            completion: .file())
        var config: String?

        func run() throws {
            let options = ["cache-dir": cacheDir, Setting.fileOption: config].compactMapValues { $0 }
            let source = ConfigurationSource(options: options, environment: Environment.settings())
            let configuration = try source.load()
            guard let folder = configuration.cacheDirectory else {
                throw ValidationError("set the folder with --cache-dir or VEDUTA_CACHE_DIR")
            }
            guard access(folder, F_OK) == 0 else { throw ValidationError("there is no folder \(folder)") }
            guard let counts = try CacheInspection.run(configuration) else {
                throw ValidationError("the folder could not be listed in time")
            }
            print("images: \(counts.entryCount)")
            print("bytes on disk: \(counts.byteCount)")
            print("bytes of index in memory: \(counts.indexByteCount)")
            print("can be written: \(counts.isWritable ? "yes" : "no")")
        }
    }

    /// `veduta cache warm FILE`: exits 1 when a request failed.
    struct Warm: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask a server for every URL of a file, so that it has rendered them.",
            discussion: """
                The file has a URL or a path a line; empty lines and those that begin with # are left out. Prints the first \
                \(CacheWarming.failureLimit) that failed, and how many were cached already. Exits 1 where one failed.
                """)

        /// More lines than a cache has entries by default.
        private static let lineLimit = 1_000_000

        @Argument(help: "The file of URLs; - for standard input.", completion: .file()) var file: String
        @Option(help: "The address of the server.") var server = "http://127.0.0.1:8080"
        @Option(help: "Requests at a time, from 1 to \(CacheWarming.parallelLimit).") var parallel = 4
        @Option(help: "The Accept field of the requests.") var accept = "image/avif,image/webp,*/*"

        func run() throws {
            guard (1...CacheWarming.parallelLimit).contains(parallel) else {
                throw ValidationError("--parallel must be a number from 1 to \(CacheWarming.parallelLimit)")
            }
            let targets = try readLines()
            let warming = try CacheWarming(server: server, parallel: parallel)
            var line = ProgressLine()
            let counts = warming.run(targets, accept: accept) {
                line.show($0, of: targets.count, "of \(targets.count)")
            }
            line.end()
            let further = counts.failureCount - counts.failures.count
            for failure in counts.failures + (further > 0 ? ["and \(further) more"] : []) {
                StandardStream.error.write(Array((failure + "\n").utf8))
            }
            print(
                "\(counts.done) asked for, \(counts.hits) cached already, \(counts.failureCount) failed, \(counts.byteCount) bytes"
            )
            guard counts.failureCount == 0 else { throw ExitCode(1) }
        }

        private func readLines() throws -> [String] {
            guard let stream = fopen(file == "-" ? "/dev/stdin" : file, "r") else {
                throw ValidationError("cannot read \(file)")
            }
            defer { fclose(stream) }
            var lines: [String] = []
            var buffer: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { free(buffer) }
            while getline(&buffer, &capacity, stream) >= 0, let text = buffer {
                let line = String(cString: text).filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
                guard !line.isEmpty, !line.hasPrefix("#") else { continue }
                guard lines.count < Self.lineLimit else {
                    throw ValidationError("\(file) has more than \(Self.lineLimit) URLs")
                }
                lines.append(line)
            }
            return lines
        }
    }
}
