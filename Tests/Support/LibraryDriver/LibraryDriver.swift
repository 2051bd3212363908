import DiskTestKit
import Glibc
import LibraryTestKit

/// A library of uploads under ill treatment, in processes that may be killed; for tests and for
/// `scripts/conformance library`.
@main
enum LibraryDriver {
    private static let usage = """
        LibraryDriver write --folder PATH [--count N] [--threads N] [--version N] [--seed N] [--steps N]
        LibraryDriver kill TIMES [SEED]
        """

    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            switch arguments.first {
            case "write": try LibraryWriter(arguments: Array(arguments.dropFirst())).run()
            case "kill": try kill(Array(arguments.dropFirst()))
            default:
                print(usage)
                exit(2)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func kill(_ arguments: [String]) throws {
        let times = arguments.first.flatMap { Int($0) } ?? 200
        let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
        let folder = try StoreTestFolder.temporary()
        defer { folder.remove() }
        let kit = LibraryTestKit(executable: "/proc/self/exe", folder: folder, seed: seed)
        for round in 0..<times { try kit.round(round) }
        print("kill: \(times) rounds with seed \(seed): \(kit.tally)")
    }
}
