import Foundation
import ServiceConfiguration
import TestSupport
import Testing

/// Commands of the program that need no server, or one on loopback.
@Suite(.timeLimit(.minutes(10)), .enabled(if: ReleaseBinary.isPresent)) struct CommandTests {
    static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)-\(name)").path
    }

    /// #21: what `veduta render` writes, byte for byte, is what a server with the same options sends: of every resource that
    /// makes images, and of what says in which format.
    private static let renders: [(target: String, accept: String)] = [
        ("/asset?id=lagoon.jpg&width=200&format=webp", "*/*"),
        ("/asset?id=lagoon.jpg&width=120&height=90&fit=cover&format=jpeg", "*/*"),
        ("/asset?id=lagoon.jpg&format=json", "*/*"),
        ("/asset?id=lagoon.jpg&width=90", "*/*"),
        ("/asset?id=lagoon.jpg&width=90", "image/webp,*/*;q=0.5"),
        ("/asset?id=lagoon.jpg&width=90", "image/avif,image/webp,*/*;q=0.8"),
        ("/asset?id=badge.png&width=64", "image/png"),
        ("/asset?id=badge.png&width=64&format=avif&quality=60", "*/*"),
        ("/asset?id=badge.png&width=80&format=gif&colors=16", "*/*"),
        ("/asset?id=night.jpg&width=100&height=100&fit=cover&gravity=attention&format=png", "*/*"),
        ("/asset?id=night.jpg&width=100&rotate=90&filter=sepia:60,blur:1.5&format=jpeg&quality=auto", "*/*"),
        ("/asset?id=morning.jpg&width=160&height=160&fit=contain&background=blur&format=webp", "*/*"),
        ("/asset?id=morning.jpg&width=160&overlay=badge.png:bottom-right:4:4:25p&text=Ciao&format=png", "*/*"),
        ("/asset?id=morning.jpg&preset=small,dark", "*/*"),
        ("/map?center=0,0&zoom=3&size=200x150&format=png", "*/*"),
        ("/map?latitude=0&longitude=0&zoom=15&size=300x200&style=dark&format=webp", "*/*"),
        ("/map?latitude=43.77&longitude=11.25&zoom=5&size=200x200&scale=2&scalebar=metric&format=jpeg", "*/*"),
        ("/map?center=43.77,11.25&zoom=6&size=200x200&marker=color:red%7Ctitle:A%7C43.77,11.25", "image/webp,*/*"),
        ("/tiles/light/3/4/3.png", "*/*"),
        ("/avatar?names=Anna,Bo&size=96&format=png", "*/*"),
        ("/poll?question=Where&option=votes:3%7Chere&option=votes:5%7Cthere&format=png", "*/*"),
        ("/poll.json?question=Where&option=votes:3%7Chere&option=votes:5%7Cthere", "*/*"),
        ("/card?template=quote&quote=Veduta&format=webp", "*/*"),
        ("/iiif/3/lagoon.jpg/100,100,300,200/150,/90/gray.jpg", "*/*"),
        ("/assets/lagoon.jpg/original", "*/*"),
    ]

    @Test func render_givesTheBytesOfAServer() throws {
        let library = try TestLibrary.samples()
        let city = library.folder.deletingLastPathComponent().appending(path: "maps/city.pmtiles").path
        let presets = Self.temporary("presets")
        try "small=width=90&format=webp\ndark=filter=brightness:-20\n".write(
            toFile: presets, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: presets) }
        let options = ["--map-archive", city, "--presets", presets]
        let server = try ReleaseServer(options, library: library)
        defer { _ = server.stop() }
        for (target, accept) in Self.renders {
            let file = Self.temporary("picture")
            defer { try? FileManager.default.removeItem(atPath: file) }
            let run = try ReleaseBinary.run(
                ["render", target, "--accept", accept, "--library", library.folder.path, "--output", file] + options)
            #expect(run.status == 0, "\(target): \(run.text)")
            let sent = try server.get(target, ["Accept": accept])
            #expect(sent.status == 200, "\(target): \(sent.text)")
            let written = try? Data(contentsOf: URL(filePath: file))
            #expect(written?.isEmpty == false && written == Data(sent.content), "\(target), \(accept)")
        }
    }

    @Test func render_saysWhatIsWrong() throws {
        let library = try TestLibrary.samples()
        let file = Self.temporary("none")
        let options = ["--library", library.folder.path, "--output", file]
        let fault = try ReleaseBinary.run(["render", "/asset?id=lagoon.jpg&width=wide"] + options)
        #expect(fault.status == 2 && fault.text.contains("`width` must be "))
        #expect(try ReleaseBinary.run(["render", "/asset?id=nothing"] + options).status == 2)
        #expect(try ReleaseBinary.run(["render", "asset id"] + options).status != 0)
        #expect(!FileManager.default.fileExists(atPath: file))
        let accepting = ["render", "/asset?id=lagoon.jpg&width=50", "--accept"]
        #expect(
            try ReleaseBinary.run(accepting + ["image/webp\r\nX: y"] + options).text.contains("--accept has a control"))
        #expect(try ReleaseBinary.run(accepting + ["image/webp, */*;q=0.5"] + options).status == 0)
        #expect(try Data(contentsOf: URL(filePath: file)).prefix(4) == Data("RIFF".utf8))
        try FileManager.default.removeItem(atPath: file)
    }

    @Test func config_tellsValues_sources_andNoSecret() throws {
        let file = Self.temporary("conf")
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "VEDUTA_QUEUE=77\nVEDUTA_TOKEN=abcdefghijklmnop\n".write(toFile: file, atomically: true, encoding: .utf8)
        let run = try ReleaseBinary.run(
            ["config", "--changed", "--config", file, "--loops", "3"], environment: ["VEDUTA_WORKERS": "2"])
        #expect(
            run.text == """
                # --loops
                VEDUTA_LOOPS=3
                # VEDUTA_WORKERS
                VEDUTA_WORKERS=2
                # \(file), line 1: VEDUTA_QUEUE
                VEDUTA_QUEUE=77
                # \(file), line 2: VEDUTA_TOKEN
                VEDUTA_TOKEN=(not shown)

                """)
        #expect(try ReleaseBinary.run(["config"]).text.contains("\n# VEDUTA_QUEUE: "))
        // The query of a URL may have a key.
        let archive = try ReleaseBinary.run(["config", "--map-archive", "https://a.example/x.pmtiles?key=hush"])
        #expect(archive.text.contains("\nVEDUTA_MAP_ARCHIVE=https://a.example/x.pmtiles?(not shown)\n"))
    }

    /// What is no value of the setting is refused in its name, and a path may be anything.
    @Test func everyOption_reachesItsSetting() throws {
        for setting in Setting.all {
            let run = try ReleaseBinary.run(["config", "--changed", "--\(setting.name)", "/\u{7}"])
            #expect(run.text.contains("--\(setting.name)"), "\(setting.name): \(run.text.prefix(200))")
        }
    }

    @Test func configCheck_tellsAllFaults() throws {
        #expect(try ReleaseBinary.run(["config", "check", "--queue", "5"]).status == 0)
        let run = try ReleaseBinary.run(
            ["config", "check", "--queue", "many", "--workers", "none"], environment: ["VEDUTA_QUEU": "1"])
        #expect(run.status == 2)
        #expect(run.text.contains("--queue=many is invalid") && run.text.contains("--workers=none is invalid"))
        #expect(run.text.contains("VEDUTA_QUEU is not a setting; did you mean VEDUTA_QUEUE?"))
        #expect(try ReleaseBinary.run(["config", "check", "--presets", "/nothing/there"]).status == 2)
        // What is valid by itself, and not with the other settings.
        for (options, name) in [
            (["--metrics-listen", "1.2.3.4:99999"], "--metrics-listen"),
            (["--uploads", "s3://pictures/new"], "VEDUTA_S3_ENDPOINT is not set"),
            (["--shared-objects", "s3://pictures/new"], "--shared-objects"),
        ] {
            let run = try ReleaseBinary.run(["config", "check"] + options)
            #expect(run.status == 2 && run.text.contains(name), "\(options): \(run.text)")
        }
        // Where credentials are is told by variables that are no settings.
        let arguments = ["config", "check", "--s3-endpoint", "http://127.0.0.1:1", "--s3-credentials", "environment"]
        let keys = ["AWS_ACCESS_KEY_ID": "K", "AWS_SECRET_ACCESS_KEY": "hush"]
        #expect(try ReleaseBinary.run(arguments, environment: keys).status == 0)
        let missing = try ReleaseBinary.run(arguments, environment: ["AWS_ACCESS_KEY_ID": "K"])
        #expect(missing.status == 2 && missing.text.contains("AWS_SECRET_ACCESS_KEY is not set"))
    }

    @Test func cacheWarm_asksForEveryLine() throws {
        let server = try ReleaseServer(library: try TestLibrary.samples())
        defer { _ = server.stop() }
        let file = Self.temporary("urls")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let lines = [
            "# two images", "/asset?id=lagoon.jpg&width=50&format=png",
            "https://elsewhere.example/asset?id=lagoon.jpg&width=51&format=png", "", "/asset?id=nothing",
        ]
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let first = try ReleaseBinary.run(["cache", "warm", file, "--server", "http://" + server.address])
        #expect(first.status == 1 && first.text.contains("3 asked for, 0 cached already, 1 failed"), "\(first.text)")
        #expect(first.text.contains("/asset?id=nothing: status 404"), "\(first.text)")
        let again = try ReleaseBinary.run(["cache", "warm", file, "--server", "http://" + server.address])
        #expect(again.text.contains("3 asked for, 2 cached already, 1 failed"), "\(again.text)")
        // Of many failures the first are told, and how many more there are.
        try (0..<23).map { "/asset?id=nothing-\($0)" }.joined(separator: "\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        let failed = try ReleaseBinary.run(["cache", "warm", file, "--server", "http://" + server.address])
        #expect(failed.status == 1 && failed.text.contains("\nand 3 more\n"), "\(failed.text)")
        #expect(failed.text.split(separator: "\n").filter { $0.hasSuffix(": status 404 or 410") }.count == 20)
    }

    @Test func cacheInspect_countsWhatAServerKept() throws {
        let folder = Self.temporary("cache")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try ReleaseBinary.run(["cache", "inspect"]).text.contains("--cache-dir"))
        #expect(try ReleaseBinary.run(["cache", "inspect", "--cache-dir", folder]).text.contains("there is no folder"))
        let server = try ReleaseServer(["--cache-dir", folder], library: try TestLibrary.samples())
        for width in 50..<53 { _ = try server.get("/asset?id=badge.png&width=\(width)&format=png") }
        #expect(eventually { (try? server.metric("veduta_cache_disk_stores_total")) == 3 })
        // Also while a server uses it.
        for isRunning in [true, false] {
            if !isRunning { #expect(server.stop() == 0) }
            let run = try ReleaseBinary.run(["cache", "inspect", "--cache-dir", folder])
            #expect(run.status == 0 && run.text.contains("images: 3\n"), "\(run.text)")
            #expect(run.text.firstMatch(of: /bytes on disk: [1-9]/) != nil, "\(run.text)")
            #expect(run.text.contains("can be written: yes\n"), "\(run.text)")
        }
    }

    @Test func version_isThatOfTheOption() throws {
        let run = try ReleaseBinary.run(["version"])
        #expect(run.status == 0 && run.text.hasPrefix("veduta ") && run.text.contains(" with libvips "), "\(run.text)")
        #expect(try ReleaseBinary.run(["--version"]).text == run.text)
    }

    @Test func libraryList_hasWhatAServerWouldHave() throws {
        let folder = try TestLibrary.samples().folder.path
        let run = try ReleaseBinary.run(["library", "list", "--library", folder])
        #expect(run.status == 0)
        let ids = run.text.split(separator: "\n").compactMap { $0.split(separator: "\t").last }
        #expect(ids.contains("lagoon.jpg") && ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let line = run.text.split(separator: "\n").first { $0.hasSuffix("\tlagoon.jpg") }
        #expect(line?.contains("\timage/jpeg\t") == true, "\(run.text)")
        let later = try ReleaseBinary.run(["library", "list", "--library", folder, "--after", "lagoon.jpg"])
        #expect(later.status == 0 && !later.text.contains("\tlagoon.jpg"))
        #expect(try ReleaseBinary.run(["library", "list"]).status != 0)
        #expect(try ReleaseBinary.run(["library", "list", "--library", folder + "/none"]).status != 0)
    }

    @Test func mapExtract_saysWhatIsWrong() throws {
        let file = Self.temporary("x.pmtiles")
        for arguments in [
            ["https://a.example/x.pmtiles", file], ["ftp://a.example/x", file, "--around", "1,2"],
            ["https://a.example/x.pmtiles", file, "--bbox", "5,0,1,2"],
            ["http://127.0.0.1:1/x.pmtiles", file, "--around", "1,2"],
        ] {
            #expect(try ReleaseBinary.run(["map", "extract"] + arguments).status != 0, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
