package import Digest
import Reactor

/// Tells one state of the files below a folder from another without reading them.
package struct FolderState {
    /// The most files and folders that are looked at; changes beyond go unnoticed.
    private static let entryLimit = 20_000
    private static let depthLimit = 8

    private var lines: [String] = []
    private var count = 0
    private let hasTimes: Bool

    private init(hasTimes: Bool) { self.hasTimes = hasTimes }

    /// A digest of the names and sizes of all files below `folder`, and if `hasTimes` of the times of their last
    /// change. An unreadable folder counts as empty. Links are not followed.
    package static func digest(of folder: String, hasTimes: Bool) -> Digest256 {
        var state = FolderState(hasTimes: hasTimes)
        if let root = try? FileDescriptor.openFolder(folder) { state.add(root, below: "", depth: 0) }
        var hash = SHA256()
        for line in state.lines.sorted() { hash.update(field: line) }
        return hash.digest()
    }

    private mutating func add(_ folder: borrowing FileDescriptor, below path: String, depth: Int) {
        guard let opened = try? FileDescriptor.duplicate(folder.rawValue),
            var listing = try? FolderListing(adopting: opened)
        else { return }
        while count < Self.entryLimit, let name = try? listing.next() {
            count += 1
            let entry = RelativePath(bytes: name.bytes)
            guard let state = try? folder.state(of: entry) else { continue }
            let line = path + "/" + name.text
            switch state.kind {
            case .file: lines.append("\(line) \(state.byteCount) \(hasTimes ? state.modifiedNanoseconds : 0)")
            case .folder where depth < Self.depthLimit:
                if let inner = try? folder.openFolder(entry) { add(inner, below: line, depth: depth + 1) }
            case .folder, .other: break
            }
        }
    }
}
