/// One parser, or several that belong together, held against what must be true of every input.
package struct FuzzTarget: Sendable {
    package typealias Check = @Sendable ([UInt8]) throws(BrokenInvariant) -> Void

    /// Also that of its folder in `Tests/Corpora`.
    package let name: String
    /// Bytes of the longest input that fuzzing tries.
    package let longest: Int
    /// Words for libFuzzer: a file `Tests/Corpora/NAME.dict`.
    package let dictionary: String
    package let check: Check

    private init(_ name: String, longest: Int, dictionary: String, _ check: @escaping Check) {
        (self.name, self.longest, self.dictionary, self.check) = (name, longest, dictionary, check)
    }

    /// - Parameter isAlone: Nothing else happens in the process.
    package static func all(isAlone: Bool) -> [FuzzTarget] {
        [
            .init("head", longest: 1024, dictionary: "http", HeadInput.check),
            .init("connection", longest: 2048, dictionary: "http") { bytes throws(BrokenInvariant) in
                try ConnectionInput.check(bytes, isAlone: isAlone)
            },
            .init("multipart", longest: 2048, dictionary: "http", MultipartInput.check),
            .init("tus", longest: 1024, dictionary: "http", ResumableUploadInput.check),
            .init("query", longest: 512, dictionary: "query", QueryInput.check),
            .init("canonical", longest: 1024, dictionary: "query", CanonicalInput.check),
            .init("card", longest: 1024, dictionary: "query", CardInput.check),
            .init("signed", longest: 512, dictionary: "query", SignedInput.check),
            .init("form", longest: 1024, dictionary: "form", SignedFormInput.check),
            .init("pmtiles", longest: 2048, dictionary: "none", PMTilesInput.check),
            .init("mvt", longest: 1024, dictionary: "none", VectorTileInput.check),
            .init("mbtiles", longest: 4096, dictionary: "json", MBTilesInput.check),
            .init("style", longest: 2048, dictionary: "json", StyleInput.check),
            .init("expression", longest: 512, dictionary: "json", ExpressionInput.check),
            .init("geojson", longest: 2048, dictionary: "json", GeoJSONInput.check),
            .init("polyline", longest: 256, dictionary: "none", PolylineInput.check),
            .init("png", longest: 1024, dictionary: "none", PNGInput.check),
            .init("exif", longest: 1024, dictionary: "none", ExifInput.check),
            .init("metadata", longest: 2048, dictionary: "markup", MetadataInput.check),
            .init("worker", longest: 2048, dictionary: "worker", WorkerInput.check),
            .init("region", longest: 2048, dictionary: "none", RegionInput.check),
            .init("drawing", longest: 2048, dictionary: "markup", DrawingInput.check),
        ]
    }
}
