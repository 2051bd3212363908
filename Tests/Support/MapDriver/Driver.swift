import Foundation
import MapTestKit

/// Draws the public render tests; for `scripts/conformance render`.
@main
enum Driver {
    private static let usage = "MapDriver FOLDER ASSETS OUT [MATCH…]: writes OUT/<group>/<test>/actual.png"

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3 else {
            print(usage)
            exit(2)
        }
        do {
            let kit = RenderTestKit(folder: arguments[0], assets: arguments[1])
            let out = URL(fileURLWithPath: arguments[2], isDirectory: true)
            let matches = arguments.dropFirst(3)
            for test in try kit.tests() where matches.isEmpty || matches.contains(where: test.name.contains) {
                let folder = out.appendingPathComponent(test.name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                do {
                    try kit.render(test).write(to: folder.appendingPathComponent("actual.png"))
                } catch {
                    print("\(test.name): \(error)")
                }
            }
        } catch {
            print("render: \(error)")
            exit(1)
        }
    }
}
