package import Digest
import Reactor

/// What tells one state of the files below a folder from another without reading them.
package struct FolderState {
    /// Files and folders that are looked at; what lies beyond is not told apart.
    private static let entryLimit = 20_000
    /// Folders in folders that are looked at.
    private static let depthLimit = 8

    private var lines: [String] = []
    private var count = 0
    private let hasTimes: Bool

    private init(hasTimes: Bool) { self.hasTimes = hasTimes }

    /// A digest of the names and sizes of all files below `folder`, with the times of their last change where `hasTimes`;
    /// of nothing where it cannot be read. Links are not followed.
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
            let place = RelativePath(bytes: name.bytes)
            guard let state = try? folder.state(of: place) else { continue }
            let line = path + "/" + name.text
            switch state.kind {
            case .file: lines.append("\(line) \(state.byteCount) \(hasTimes ? state.modifiedNanoseconds : 0)")
            case .folder where depth < Self.depthLimit:
                if let inner = try? folder.openFolder(place) { add(inner, below: line, depth: depth + 1) }
            case .folder, .other: break
            }
        }
    }
}
