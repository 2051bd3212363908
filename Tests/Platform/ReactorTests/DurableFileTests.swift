import Glibc
import Testing

@testable import Reactor

/// Files that get their name when they are whole.
@Suite(.timeLimit(.minutes(5))) final class DurableFileTests {
    private let path: String
    private let folder: FileDescriptor

    init() throws {
        var template = Array("/tmp/veduta-durable-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        path = String(cString: try #require(made))
        folder = try FileDescriptor.openFolder(path)
    }

    @Test func namelessFile_getsAName_onceItIsFree() throws {
        defer { removeAll() }
        let file = try folder.makeNamelessFile()
        try file.write([1, 2, 3], at: 0)
        #expect(try file.state().nameCount == 0)
        try file.sync()
        try folder.link(file, as: RelativePath("a"))
        try folder.sync()
        #expect(try file.state().nameCount == 1)
        #expect(try folder.openFile(RelativePath("a")).read(byteCount: 9, at: 0) == [1, 2, 3])
        let other = try folder.makeNamelessFile()
        #expect(throws: Errno.alreadyExists) { try folder.link(other, as: RelativePath("a")) }
        // What the server spools can be kept too.
        let spool = try FileDescriptor.openSpool(in: path)
        try folder.link(number: spool.rawValue, as: RelativePath("b"))
        #expect(
            try folder.state(of: RelativePath("b")).fileNumber
                == FileDescriptor.state(number: spool.rawValue).fileNumber)
    }

    @Test func modificationTime_isKeptToTheNanosecond_asFarAsTheFileSystemDoes() throws {
        defer { removeAll() }
        let file = try folder.makeNamelessFile()
        for time: Int64 in [0, 1_700_000_000_000_000_001, 4_000_000_000_999_999_999] {
            try FileDescriptor.setModified(number: file.rawValue, nanoseconds: time)
            #expect(try file.state().modifiedNanoseconds == time)
        }
    }

    private func removeAll() {
        for name in ["a", "b"] { try? folder.removeFile(RelativePath(name)) }
        rmdir(path)
    }
}
