import Foundation
import TestSupport
import Testing

/// How `scripts/serve` finds out whether the caller has named a library or a map; what it says wins over its own samples.
@Suite(.timeLimit(.minutes(5))) struct ServeScriptTests {
    /// Whether `option` counts as named with these arguments, variables and lines of a configuration file.
    private func isNamed(
        _ option: String, arguments: [String] = [], variables: [String: String] = [:], file: String? = nil
    ) throws -> Bool {
        let folder = try PictureFolder()
        defer { folder.remove() }
        var (arguments, variables) = (arguments, variables)
        if let file {
            try folder.add("veduta.conf", Array(file.utf8))
            if arguments.isEmpty {
                variables["VEDUTA_CONFIG"] = folder.path + "/veduta.conf"
            } else {
                arguments += ["--config", folder.path + "/veduta.conf"]
            }
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let script = SharedData.packageRoot.appending(path: "scripts/lib/settings.sh").path
        process.arguments =
            ["-euc", ". \"$0\"; if is_named \"$@\"; then exit 0; else exit 10; fi", script, option] + arguments
        process.environment = variables.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 || process.terminationStatus == 10)
        return process.terminationStatus == 0
    }

    @Test func nothing_isNamedByItself() throws {
        for option in ["--library", "--map-archive", "--maps"] {
            #expect(try !isNamed(option))
            #expect(try !isNamed(option, arguments: ["--map-side", "2048", "--log-level=debug"]))
        }
    }

    @Test(arguments: [
        ["--map-archive", "a.pmtiles"], ["--map-archive=a.pmtiles"], ["--workers", "2", "--map-archive", "b"],
    ])
    func anOption_isFound(_ arguments: [String]) throws {
        #expect(try isNamed("--map-archive", arguments: arguments))
        // Not one whose name begins alike.
        #expect(try !isNamed("--maps", arguments: arguments) && !isNamed("--map", arguments: arguments))
    }

    @Test func aVariable_isFound_unlessItIsEmpty() throws {
        #expect(try isNamed("--map-archive", variables: ["VEDUTA_MAP_ARCHIVE": "a.pmtiles"]))
        #expect(try isNamed("--maps", variables: ["VEDUTA_MAPS": "maps.json"]))
        #expect(try !isNamed("--maps", variables: ["VEDUTA_MAPS": "", "VEDUTA_MAP_STYLE": "x"]))
        #expect(try !isNamed("--maps", arguments: ["--maps", ""]))
    }

    @Test(arguments: [
        ("VEDUTA_MAPS=maps.json\n", true), ("# first\n  VEDUTA_MAPS = \"my maps.json\"  \n", true),
        ("VEDUTA_MAPS='m'", true), ("#VEDUTA_MAPS=maps.json\n", false), ("VEDUTA_MAPS=\n", false),
        ("VEDUTA_MAPS=\"\"\n", false), ("VEDUTA_MAP_STYLE=VEDUTA_MAPS=x\n", false), ("", false),
    ])
    func aLineOfTheFile_isFound(_ text: String, _ isFound: Bool) throws {
        #expect(try isNamed("--maps", file: text) == isFound)
        #expect(try isNamed("--maps", arguments: ["--workers=2"], file: text) == isFound)
    }
}
