import DiskTestKit
import Glibc

/// A store of entries under ill treatment, in processes that may be killed; for tests and for `scripts/conformance cache`.
@main
enum Driver {
    private static let usage = """
        DiskStoreDriver write --folder PATH [--count N] [--from N] [--threads N] [--bytes N] [--version N] [--seed N]
        DiskStoreDriver kill TIMES [SEED] [FOLDER]
        DiskStoreDriver full MOUNT      (a file system of a megabyte or two, on which nothing else is)
        DiskStoreDriver fill FOLDER COUNT
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        switch arguments.first {
        case "write": try WriterProcess(arguments: Array(arguments.dropFirst())).run()
        case "kill": try kill(Array(arguments.dropFirst()))
        case "full" where arguments.count == 2: try full(arguments[1])
        case "fill" where arguments.count == 3: try Fill.run(path: arguments[1], count: Int(arguments[2]) ?? 0)
        default:
            print(usage)
            exit(2)
        }
    }

    private static func full(_ mount: String) throws {
        let kit = try FullDiskTestKit(mount)
        try kit.fill()
        _ = try kit.forbidWriting(at: mount)
        try kit.finish()
        for note in kit.notes { print("full: \(note)") }
    }

    private static func kill(_ arguments: [String]) throws {
        let times = arguments.first.flatMap { Int($0) } ?? 1000
        let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
        let folder = try StoreTestFolder.temporary()
        defer { folder.remove() }
        let kit = KillTestKit(executable: "/proc/self/exe", folder: folder, numberCount: 768, seed: seed)
        var round = 0
        while kit.tally.killCount < times {
            try kit.round(round)
            round += 1
        }
        print("kill: \(round) rounds with seed \(seed): \(kit.tally)")
    }
}
