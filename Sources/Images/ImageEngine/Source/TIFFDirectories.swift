/// The image file directories of a TIFF, one per page: libvips reads all of them whenever it opens the file.
enum TIFFDirectories {
    /// How many follow one another (TIFF 6.0 §2), counted up to `limit` + 1; 0 if the file is no TIFF. A chain that leads back
    /// into itself ends there, as in libtiff.
    static func count(in file: RawSpan, limit: Int) -> Int {
        guard let reader = ExifReader(tiff: file) else { return 0 }
        var seen: Set<Int> = []
        var next = reader.number(4)
        while seen.count <= limit, let start = next, start > 0, let entries = reader.number(start, width: 2),
            seen.insert(start).inserted
        {
            next = reader.number(start + 2 + entries * 12)
        }
        return seen.count
    }
}
