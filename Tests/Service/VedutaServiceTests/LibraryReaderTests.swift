import AssetLibrary
import Originals
import Synchronization
import TestSupport
import Testing

/// Files of the library that are read on threads of their own, once for all who wait.
@Suite(.timeLimit(.minutes(5))) struct LibraryReaderTests {
    /// Composed and decomposed letters are equal as texts.
    @Test func filesWhoseNamesLookTheSame_areBothRead() throws {
        let folder = try PictureFolder()
        let names = ["\u{e9}.png", "e\u{301}.png"]
        // So large that the first is still being read when the second is asked for.
        for name in names { try folder.add(name, [UInt8](repeating: 7, count: 32 << 20)) }
        let reader = try LibraryReader(try FolderLibrary(rootPath: folder.path, digestLimit: .max))
        let doneCount = Mutex(0)
        for name in names {
            let isRead = try reader.read(name, done: { doneCount.withLock { $0 += 1 } })
            #expect(isRead)
        }
        reader.stop()
        #expect(doneCount.withLock { $0 } == 2)
        for name in names { #expect(reader.isKnown(name)) }
    }
}
