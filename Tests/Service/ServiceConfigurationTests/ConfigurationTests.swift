import Foundation
import Testing

@testable import ServiceConfiguration

@Suite(.timeLimit(.minutes(5))) struct ConfigurationTests {
    @Test func nothingGiven_leavesTheDefaults() throws {
        #expect(try Configuration.load(options: [:], environment: [:]) == Configuration())
        // An empty value is none.
        let empty = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.variable, "") })
        #expect(try Configuration.load(options: [:], environment: empty) == Configuration())
    }

    /// Every setting with a value that is not its default, and with one that is refused, if there is any.
    static let values: [String: (good: String, bad: String?)] = [
        "listen": ("[::1]:9000", "a\u{7}b"), "library": ("/photos", nil),
        "handover": ("/run/veduta/handover", nil),
        "uploads": ("/uploads", nil), "upload-limit": ("9m", "1023"), "upload-count": ("5", "0"),
        "upload-total": ("1g", "10"), "map-archive": ("/maps/a.pmtiles", nil),
        "map-world": ("off", "yes"), "map-style": ("/maps/own.json", nil), "map-files": ("/maps", nil),
        "maps": ("/maps/maps.json", nil), "map-allow": ("https://tiles.example.org", "tiles.example.org/x"),
        "map-attribution": ("optional", "off"), "map-side": ("8192", "511"),
        "cache-memory": ("3g", "3t"), "loops": ("3", "257"), "workers": ("5", "-1"), "queue": ("9", "0"),
        "cache-control": ("no-store", "a\r\nX: y"), "source-bytes": ("2m", "1023"), "source-pixels": ("500", "0"),
        "connections": ("77", "many"), "head-timeout": ("3", "0"), "idle-timeout": ("4", "3601"),
        "write-timeout": ("6", "1.5"), "render-timeout": ("7", "+1"), "drain-timeout": ("0", "٣"),
        "connections-per-address": ("5", "0"), "content-timeout": ("8", "0"), "minimum-rate": ("0", "-1"),
        "log-format": ("json", "xml"), "log-level": ("warning", "loud"),
        "access-log": ("json", "yes"), "access-log-file": ("/var/log/veduta.log", nil),
        "cors-origins": ("https://example.org", "example.org"),
        "public-url": ("https://maps.example.org/tiles/", "maps.example.org"),
        "trusted-proxies": ("10.0.0.0/8, ::1, unix", "10.0.0.1/8"),
        "cross-origin-resource-policy": ("same-site", "cross"), "source-lifetime": ("0", "-1"),
        "token": ("dG9rZW4-/._~+==", "to ken"),
        "source-stale": ("9", "86401"), "map-cache-control": ("max-age=5", "a\nb"), "cache-dir": ("/cache", nil),
        "formats": ("svg, pdf", "svg,tga"), "frames": ("1", "0"), "frame-pixels": ("5", "0"),
        "linear-light": ("on", "yes"), "masters": ("off", "no"),
        "presets": ("/presets", nil), "card-templates": ("/templates", nil), "client-hints": ("on", "true"),
        "remote-allow": ("https://*.example.org, http://10.0.0.7:8080", "https://example.org/path"),
        "remote-rewrite": ("/rewrites", nil),
        "remote-addresses": ("10.0.0.0/8,::1", "10.1.0.0/8"), "remote-identities": ("/identities.json", nil),
        "remote-timeout": ("5", "0"), "remote-lifetime": ("0", "86401"), "offline": ("1", "2"),
        "upload-expiry": ("60", "0"),
        "cost-limit": ("9", "0"), "memory-limit": ("300m", "1k"), "render-memory": ("2g", "2 g"),
        "effort-max": ("10", "11"),
        "s3-endpoint": ("https://s3.example.org", "s3.example.org"), "s3-region": ("eu-west-1", "a\u{7}"),
        "s3-style": ("virtual-host", "host"), "s3-key-id": ("AKID", "a b"), "s3-secret": ("a/b+c", "a\u{7}b"),
        "s3-buckets": ("one,two.three", "Upper"),
        "token-file": ("/tokens", nil),
        "keys": ("a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "a:c2hvcnQ="), "unsigned": ("small, presets", "all"),
        "budget": ("60", "-1"), "budget-depth": ("5", "0"), "budget-owner": ("key", "ip"),
        "forwarded-field": ("forwarded", "via"), "hosts": ("a.example.org,*.example.com", "https://a"),
        "presets-only": ("on", "yes"), "image-side": ("2000", "8193"), "sizes": ("640, 320", "0"),
        "size-rule": ("refuse", "off"), "metrics-listen": ("127.0.0.1:9", nil), "listing": ("off", "no"),
        "originals": ("token", "no"), "metadata": ("token", "no"), "explain": ("off", "no"),
        "isolation": ("untrusted", "no"), "compat": ("ui-avatars", "gravatar"),
        "cache-disk": ("2g", "1023k"), "cache-files": ("12", "0"), "cache-storage": ("memory", "disk"),
        "shared-cache": ("redis://:pass@127.0.0.1:6380/2", "http://127.0.0.1"),
        "shared-objects": ("s3://bucket/prefix", "a\u{7}b"), "shared-prefix": ("blue-2", "blue.2"),
        "cdn-cache-control": ("max-age=5", "a\r\nX: y"),
        "s3-session-token": ("a/b+c", "a\u{7}b"), "s3-credentials": ("profile:media", "profile:"),
    ]

    @Test func everySetting_isReadFromOptionAndVariable() throws {
        #expect(Set(Self.values.keys) == Set(Setting.all.map(\.name)))
        for setting in Setting.all {
            let value = Self.values[setting.name]?.good ?? ""
            let byOption = try Configuration.load(options: [setting.name: value], environment: [:])
            let byVariable = try Configuration.load(options: [:], environment: [setting.variable: value])
            #expect(byOption == byVariable, "\(setting.name)")
            #expect(byOption != Configuration(), "\(setting.name)")
            #expect(setting.variable.hasPrefix("VEDUTA_") && !setting.variable.contains("-"))
            #expect(!setting.purpose.isEmpty && !setting.allowed.isEmpty)
        }
    }

    @Test func unknownVariables_areNamedWithTheNearestSetting() {
        let environment = [
            "VEDUTA_LIBARY": "/x", "VEDUTA_LISTEN": ":1", "VEDUTA_CONFIG": "/c", "VEDUTA_SHARED": "/y", "HOME": "/",
        ]
        let found = Configuration.unknownVariables(in: environment)
        #expect(found.map(\.name) == ["VEDUTA_LIBARY"])
        #expect(found.first?.suggestion == "VEDUTA_LIBRARY")
    }

    @Test func emptyOption_leavesTheVariable() throws {
        let configuration = try Configuration.load(options: ["library": ""], environment: ["VEDUTA_LIBRARY": "/x"])
        #expect(configuration.library == "/x")
    }

    @Test func options_winOverVariables() throws {
        let loaded = try Configuration.load(options: ["queue": "5"], environment: ["VEDUTA_QUEUE": "not looked at"])
        #expect(loaded.queue == 5)
    }

    /// #21.9
    @Test func secrets_mayBeInFiles() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var variables: Set<String> = []
        for setting in Setting.all {
            guard let variable = setting.secretFileVariable else { continue }
            variables.insert(variable)
            let value = Self.values[setting.name]?.good ?? ""
            try "\(value)\n".write(toFile: path, atomically: true, encoding: .utf8)
            let byOption = try Configuration.load(options: [setting.name: value], environment: [:])
            let byFile = try Configuration.load(options: [:], environment: [variable: path])
            #expect(byFile == byOption && byFile != Configuration(), "\(setting.name)")
            #expect(Configuration.unknownVariables(in: [variable: path]).isEmpty)
            let report = try ConfigurationReport(ConfigurationSource(options: [:], environment: [variable: path]))
            let row = report.rows.first { $0.variable == setting.variable }
            #expect(row?.source == variable && row?.value == "(not shown)")
            // The value itself wins, and nothing counts as none.
            let given = [variable: "/nothing/there", setting.variable: value]
            #expect(try Configuration.load(options: [:], environment: given) == byOption)
            try " \n".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try Configuration.load(options: [:], environment: [variable: path]) == Configuration())
        }
        let names = ["KEYS", "SHARED_CACHE", "S3_KEY_ID", "S3_SECRET", "S3_SESSION_TOKEN"]
        #expect(variables == Set(names.map { "VEDUTA_\($0)_FILE" }))
        let missing = ["VEDUTA_S3_SECRET_FILE": "/nothing/there", "VEDUTA_QUEUE": "x"]
        do throws(ConfigurationError) {
            _ = try Configuration.load(options: [:], environment: missing)
            Issue.record("accepted")
        } catch {
            #expect(Set(error.faults.map(\.source)) == Set(missing.keys))
        }
    }

    @Test func allFaults_areReportedAtOnce() throws {
        var environment: [String: String] = [:]
        for setting in Setting.all { environment[setting.variable] = Self.values[setting.name]?.bad }
        let options = ["queue": "x"]
        do {
            _ = try Configuration.load(options: options, environment: environment)
            Issue.record("accepted")
        } catch {
            let refused = Setting.all.filter { Self.values[$0.name]?.bad != nil }
            #expect(error.faults.map(\.source) == refused.map { $0.name == "queue" ? "--queue" : $0.variable })
            for fault in error.faults {
                let isSecret = ["TOKEN", "KEY_ID", "SECRET", "SHARED_CACHE"].contains { fault.source.hasSuffix($0) }
                #expect(!isSecret || fault.value == "(not shown)")
                #expect(error.description.contains("\(fault.source)=\(fault.value) is invalid: \(fault.allowed)"))
            }
        }
    }

    /// No image could have a listed size.
    @Test func listsOfSizesAboveTheSide_areRefused() throws {
        let options = ["sizes": "800,640", "image-side": "500"]
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration.load(options: options, environment: [:])
        }
        let text = "--sizes=800,640 is invalid: one number at least must be at most --image-side, which is 500"
        #expect(error.description == text)
        for (sizes, side) in [("800,640", "0"), ("800,640", "640"), ("800,320", "500"), ("off", "500")] {
            let loaded = try Configuration.load(options: ["sizes": sizes, "image-side": side], environment: [:])
            #expect(loaded.imageSide == Int(side), "\(sizes), \(side)")
        }
    }

    @Test(arguments: [
        ("0", 0), ("1", 1), ("1k", 1024), ("2K", 2048), ("256m", 256 << 20), ("1G", 1 << 30), ("1024g", 1 << 40),
    ])
    func sizes_takeSuffixes(_ text: String, _ count: Int) throws {
        #expect(try Configuration.load(options: ["cache-memory": text], environment: [:]).cacheMemory == count)
    }

    @Test(arguments: ["k", "1 k", "-1", "1025g", "99999999999999999999", "9223372036854775807g", "1kk", "0x10", "1.5m"])
    func sizesThatAreNone_areRefused(_ text: String) {
        #expect(throws: ConfigurationError.self) {
            try Configuration.load(options: ["cache-memory": text], environment: [:])
        }
    }
}
