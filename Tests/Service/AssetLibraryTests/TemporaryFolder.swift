import Foundation
import Glibc

/// A folder of its own for one test, removed with all that is in it when the test lets go.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/veduta-library-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(call: "mkdtemp", errno: errno) }
        path = String(cString: made)
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    private func check(_ call: String, _ result: Int32) throws {
        guard result >= 0 else { throw Failure(call: call, errno: Glibc.errno) }
    }

    func at(_ name: String) -> String { "\(path)/\(name)" }

    func makeFolder(_ name: String, mode: mode_t = 0o755) throws { try check("mkdir", mkdir(at(name), mode)) }

    func makeFile(_ name: String, _ content: [UInt8] = Array("content".utf8)) throws {
        let file = Glibc.open(at(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644 as mode_t)
        try check("open", file)
        defer { close(file) }
        try check("write", content.isEmpty ? 0 : Int32(write(file, content, content.count)))
    }

    /// Makes a file, and the folders above it as far as they are missing.
    func makeFile(_ name: String, _ content: [UInt8] = Array("content".utf8), makingFolders: Bool) throws {
        let parent = URL(filePath: at(name)).deletingLastPathComponent()
        if makingFolders { try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true) }
        try makeFile(name, content)
    }

    func remove(_ name: String) throws { try check("unlink", unlink(at(name))) }

    func makeLink(_ name: String, to target: String) throws { try check("symlink", symlink(target, at(name))) }

    func makePipe(_ name: String) throws { try check("mkfifo", mkfifo(at(name), 0o644)) }

    func move(_ name: String, to other: String) throws { try check("rename", rename(at(name), at(other))) }

    func setModified(_ name: String, seconds: Int, nanoseconds: Int) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        try check("utimensat", utimensat(AT_FDCWD, at(name), [time, time], 0))
    }
}

/// Calls `body` with the file rights of the user nobody, on this thread alone; nil if this process cannot do that.
func asNobody<Result>(_ body: () throws -> Result) rethrows -> Result? {
    // Glibc's module leaves the call out. It changes the calling thread only, so tests beside this one keep their
    // rights.
    guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return nil }
    let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    return try body()
}

/// How many descriptors this process has open beneath `path`.
func openDescriptorCount(beneath path: String) -> Int {
    var count = 0
    guard let stream = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        if target?.hasPrefix(path) == true { count += 1 }
    }
    return count
}
