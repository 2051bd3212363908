import Foundation
import ServiceConfiguration
import Testing

/// What `veduta completions` prints.
extension CommandTests {
    /// They know every option of the table of settings, and the words that it takes.
    @Test func completions_areThoseOfTheSettings() throws {
        for shell in ["bash", "zsh", "fish"] {
            let run = try ReleaseBinary.run(["completions", shell])
            #expect(run.status == 0 && run.text.contains("extract"), "\(shell)")
            for setting in Setting.all {
                #expect(run.text.contains(setting.name), "\(shell) \(setting.name)")
                for word in setting.words { #expect(run.text.contains(word), "\(shell) \(setting.name) \(word)") }
            }
        }
        let bash = Self.temporary("bash")
        defer { try? FileManager.default.removeItem(atPath: bash) }
        let script = try ReleaseBinary.run(["completions", "bash"]).text
        try script.write(toFile: bash, atomically: true, encoding: .utf8)
        let check = Process()
        check.executableURL = URL(filePath: "/bin/bash")
        check.arguments = ["-n", bash]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
        let other = try ReleaseBinary.run(["completions", "tcsh"])
        #expect(other.status != 0 && other.text.contains("bash"), "\(other.text)")
    }

    /// bash offers what is in the folder wherever a command takes a file or a folder; those of settings are files to it.
    @Test func completions_offerFilesAndFolders() throws {
        let folder = URL(filePath: Self.temporary("completions"))
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "thefolder"), withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "thefile"))
        // Calls the function of the script as bash does.
        let shell = """

            while read -r line; do
                read -ra COMP_WORDS <<<"veduta $line the"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="veduta $line the" COMP_TYPE=9 COMPREPLY=()
                COMP_POINT=${#COMP_LINE}
                _veduta veduta the "${COMP_WORDS[-2]}" 2>/dev/null
                echo "$line: ${COMPREPLY[*]}"
            done
            """
        try (ReleaseBinary.run(["completions", "bash"]).text + shell).write(
            to: folder.appending(path: "script"), atomically: true, encoding: .utf8)
        let places = [
            "serve --library", "serve --config", "render /asset --output", "map check", "map check --maps",
            "map check --map-archive", "map check --map-style", "map check --config", "map extract https://a.example/a",
            "library check --config", "library list --config", "cache warm", "cache inspect --config",
            "sign /asset --config", "health --config",
        ]
        let folders = [
            "library list --library", "library check --uploads", "map check --map-files", "cache inspect --cache-dir",
            "sample",
        ]
        let (bash, input, output) = (Process(), Pipe(), Pipe())
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["script"]
        bash.currentDirectoryURL = folder
        bash.standardInput = input
        bash.standardOutput = output
        try bash.run()
        try input.fileHandleForWriting.write(contentsOf: Data((places + folders).map { $0 + "\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        bash.waitUntilExit()
        for place in places + folders {
            let line = text.split(separator: "\n").first { $0.hasPrefix(place + ": ") } ?? "nothing"
            #expect(line.contains("thefolder"), "\(line)")
            #expect(line.contains("thefile") == places.contains(place), "\(line)")
        }
    }
}
