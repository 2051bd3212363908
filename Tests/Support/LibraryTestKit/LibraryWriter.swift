import AssetLibrary
import Bytes
package import DiskTestKit
import Glibc
import Reactor
import SeededRandom

/// Uploads and deletes as fast as it can until it is killed, and says on standard output what it begins and what is done.
package struct LibraryWriter: Sendable {
    private var folder = ""
    private var numberCount = 400
    private var threadCount = 8
    private var version = 1
    private var seed: UInt64 = 1
    private var stepCount = Int.max

    /// A writer as `arguments` (pairs of a name and a value) say.
    package init(arguments: [String]) throws(Complaint) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst(), let number = name == "--folder" ? 0 : Int(value) else {
                throw Complaint("\(name) has no value")
            }
            switch name {
            case "--folder": folder = value
            case "--count": numberCount = number
            case "--threads": threadCount = max(number, 1)
            case "--version": version = number
            case "--seed": seed = UInt64(number)
            case "--steps": stepCount = number
            default: throw Complaint("\(name) is not known")
            }
        }
    }

    package func run() throws {
        let library = try UploadLibrary(TestAsset.settings(folder))
        let threads = try (0..<threadCount).map { index in
            try OwnedThread.start(name: "writer-\(index)", stackByteCount: 1 << 20) { work(library, index) }
        }
        for thread in threads { thread.join() }
    }

    /// Each thread has numbers of its own; folders and the catalogue are everybody's.
    private func work(_ library: UploadLibrary, _ index: Int) {
        var random = SeededGenerator(state: seed &* 64 &+ UInt64(index))
        var version = version + index
        for _ in 0..<stepCount / threadCount {
            let number = Int.random(in: 0..<numberCount / threadCount, using: &random) * threadCount + index
            version += threadCount
            let id = TestAsset.id(number)
            do throws(UploadError) {
                if random.next() % 3 == 0 {
                    Self.say("r \(number)")
                    do throws(UploadError) { try library.remove(id) } catch { if error != .notFound { throw error } }
                    Self.say("R \(number)")
                } else {
                    let asset = TestAsset(number: number, version: version)
                    Self.say("s \(number) \(asset.version)")
                    try upload(asset, id, library, &random)
                    Self.say("S \(number) \(asset.version)")
                }
            } catch {
                Self.say("! \(number): \(error)")
            }
        }
    }

    private func upload(
        _ asset: TestAsset, _ id: String, _ library: UploadLibrary, _ random: inout SeededGenerator
    ) throws(UploadError) {
        let bytes = asset.content
        let isNamed = TestAsset.isNamed(asset.number)
        // From memory, from a file that can be taken as it is, and from one that is copied.
        let place = [nil, folder + "/incoming", "/dev/shm"][Int(random.next() % 3)]
        guard let place, let spool = try? FileDescriptor.openSpool(in: place), (try? spool.write(bytes, at: 0)) != nil
        else {
            let content = UploadContent.bytes(SharedBytes(bytes))
            if isNamed { try library.put(id, content) } else { try library.add(content) }
            return
        }
        let content = UploadContent.file(number: spool.rawValue, byteCount: bytes.count)
        if isNamed { try library.put(id, content) } else { try library.add(content) }
    }

    /// One line by one system call, which a pipe takes whole.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
