import ArgumentParser
import Glibc
import VedutaService

extension Map {
    struct Extract: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the tiles of an area of a remote PMTiles archive to an archive of its own.",
            discussion: """
                Reads only the parts that are needed, by range requests: some megabytes for a city, of a planet of 100 GB. \
                Example: veduta map extract https://example.org/planet.pmtiles florence.pmtiles --around 43.77,11.25 --km 10
                """)

        @Argument(help: "The address of the archive.") var url: String
        @Argument(help: "The file to write, such as city.pmtiles; it is replaced at the end.", completion: .file())
        var file: String
        @Option(help: "The area as WEST,SOUTH,EAST,NORTH in degrees; --bbox=-10,… where it begins with a minus.")
        var bbox: String?
        @Option(help: "The middle of the area as LATITUDE,LONGITUDE; --around=-33,… where it begins with a minus.")
        var around: String?
        @Option(help: "With --around: from the middle to each side, in kilometers.") var km = 10.0
        @Option(help: "The lowest zoom.") var minZoom = 0
        @Option(help: "The highest zoom; default that of the archive.") var maxZoom = 30
        @Option(help: "The most bytes of tiles.") var maxBytes = 2 << 30

        func run() throws {
            let extract = try ArchiveExtract(url)
            var line = ProgressLine()
            let result = try extract.run(try area(), to: file, byteLimit: maxBytes) { done, all in
                line.show(done, of: all, "of \(all / 1_000_000) MB")
            }
            line.end()
            print("\(file): \(result.tileCount) tiles, \(result.byteCount) bytes, \(result.requestCount) requests")
        }

        private func area() throws -> ExtractArea {
            guard (0...30).contains(minZoom), (minZoom...30).contains(maxZoom) else {
                throw ValidationError(
                    "--min-zoom and --max-zoom must be numbers from 0 to 30, the first not above the second")
            }
            switch (bbox.map(numbers), around.map(numbers)) {
            case (let sides?, nil) where sides.count == 4:
                if let area = ExtractArea(
                    west: sides[0], south: sides[1], east: sides[2], north: sides[3], zooms: minZoom...maxZoom)
                {
                    return area
                }
            case (nil, let middle?) where middle.count == 2:
                if let area = ExtractArea(
                    latitude: middle[0], longitude: middle[1], kilometers: km, zooms: minZoom...maxZoom)
                {
                    return area
                }
            default: break
            }
            throw ValidationError(
                "name the area by --bbox WEST,SOUTH,EAST,NORTH or by --around LATITUDE,LONGITUDE and --km, in degrees, not across the antimeridian"
            )
        }

        private func numbers(_ text: String) -> [Double] {
            text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        }
    }
}
