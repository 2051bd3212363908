/// One row of the table of settings: an option of `veduta serve`, an environment variable, a line of the documents.
package struct Setting: Sendable {
    /// The option's name without dashes: `cache-memory`.
    package let name: String
    /// What it takes, for messages and documents.
    package let allowed: String
    /// What it is for.
    package let purpose: String
    /// Writes a value; false when the text is not allowed.
    let apply: @Sendable (String, inout Configuration) -> Bool

    /// The environment variable: `VEDUTA_CACHE_MEMORY`.
    package var variable: String {
        "VEDUTA_" + name.uppercased().replacing("-", with: "_")
    }

    /// Variables of the design that no version supports yet.
    static let plannedVariables = [
        "VEDUTA_CACHE_DIR", "VEDUTA_MAP_STYLE", "VEDUTA_REMOTE_ALLOW", "VEDUTA_TOKEN", "VEDUTA_KEYS",
    ]

    /// Variables of our scripts and tests.
    static let testVariables = [
        "VEDUTA_BINARY", "VEDUTA_SHARED", "VEDUTA_RECORD_GOLDENS", "VEDUTA_RUBBISH_SECONDS",
    ]

    /// Every setting.
    package static let all: [Setting] = [
        text("listen", \.listen, "host:port, [v6]:port or unix:/path", "where to listen; 127.0.0.1:8080"),
        path("library", \.library, "the folder whose pictures are served"),
        path("map-archive", \.mapArchive, "a PMTiles v3 archive of vector tiles; the built-in world"),
        size("cache-memory", \.cacheMemory, 0...(1 << 40), "bound of the memory cache, overhead included; 256m"),
        count("loops", \.loops, 0...256, "event loops; 0: one for each processor"),
        count("workers", \.workers, 0...256, "threads that decode, draw and encode; 0: one for each processor"),
        count("queue", \.queue, 1...65536, "jobs that may wait for a worker; 256"),
        text("cache-control", \.cacheControl, "a field value", "Cache-Control of pictures"),
        size("source-bytes", \.sourceBytes, 1024...(1 << 30), "largest source file; 64m"),
        count("source-pixels", \.sourcePixels, 1...1_000_000_000, "largest source in pixels of a page; 100000000"),
        count("connections", \.connections, 1...1_000_000, "connections open at once; 8192"),
        count("head-timeout", \.headTimeout, 1...3600, "seconds that a request head may take; 10"),
        count("idle-timeout", \.idleTimeout, 1...3600, "seconds that a connection may be idle; 60"),
        count("write-timeout", \.writeTimeout, 1...3600, "seconds that a client may take no octet of an answer; 30"),
        count("render-timeout", \.renderTimeout, 1...3600, "seconds that a picture may take; 30"),
        count("drain-timeout", \.drainTimeout, 0...3600, "seconds that running requests get after SIGTERM; 8"),
    ]

    private static func text(
        _ name: String, _ path: any WritableKeyPath<Configuration, String> & Sendable, _ allowed: String,
        _ purpose: String
    ) -> Setting {
        Setting(name: name, allowed: allowed, purpose: purpose) { text, configuration in
            // A value that ends up in a field must not be able to end it.
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return false }
            configuration[keyPath: path] = text
            return true
        }
    }

    private static func path(
        _ name: String, _ path: any WritableKeyPath<Configuration, String?> & Sendable, _ purpose: String
    ) -> Setting {
        Setting(name: name, allowed: "a path", purpose: purpose) { text, configuration in
            configuration[keyPath: path] = text
            return true
        }
    }

    private static func count(
        _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable, _ range: ClosedRange<Int>,
        _ purpose: String
    ) -> Setting {
        let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Setting(name: name, allowed: allowed, purpose: purpose) { text, configuration in
            guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(text), range.contains(value)
            else {
                return false
            }
            configuration[keyPath: path] = value
            return true
        }
    }

    private static func size(
        _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable, _ range: ClosedRange<Int>,
        _ purpose: String
    ) -> Setting {
        Setting(name: name, allowed: "octets, or with a suffix k, m or g: 256m", purpose: purpose) {
            text, configuration in
            guard let value = byteCount(text), range.contains(value) else { return false }
            configuration[keyPath: path] = value
            return true
        }
    }

    private static func byteCount(_ text: String) -> Int? {
        let shifts: [Character: Int] = ["k": 10, "K": 10, "m": 20, "M": 20, "g": 30, "G": 30]
        let shift = text.last.flatMap { shifts[$0] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(digits) else {
            return nil
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        return overflow ? nil : product
    }
}
