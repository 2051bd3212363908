import Bytes
import Glibc
import TestThreads
import Testing

@testable import AssetLibrary

/// What opening `id` comes to: its content, or the error.
private func outcome(_ library: FolderLibrary, _ id: String) -> Result<String, LibraryError> {
    Result { () throws(LibraryError) in
        let content = try library.open(id: id).read(limit: 1 << 20)
        return content.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("Opening originals in a folder", .timeLimit(.minutes(5)))
struct FolderLibraryTests {
    private let folder: TemporaryFolder
    private let library: FolderLibrary

    /// `root` beside `outside`, so that a link out has somewhere to lead.
    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("root")
        try folder.makeFolder("root/photos")
        try folder.makeFile("root/cat.jpg", Array("cat".utf8))
        try folder.makeFile("root/photos/dog.jpg", Array("dog".utf8))
        try folder.makeFile("root/città.jpg", Array("city".utf8))
        try folder.makeFile("root/good.jpg[n=-1]", Array("brackets".utf8))
        try folder.makeFolder("outside")
        try folder.makeFile("outside/secret", Array("secret".utf8))
        library = try FolderLibrary(rootPath: folder.at("root"))
    }

    @Test(arguments: [
        ("cat.jpg", "cat"), ("photos/dog.jpg", "dog"), ("città.jpg", "city"), ("good.jpg[n=-1]", "brackets"),
    ])
    func plainFiles_areRead(id: String, content: String) {
        #expect(outcome(library, id) == .success(content))
    }

    @Test func whatIsNoFile_isRefused() throws {
        try folder.makePipe("root/pipe.jpg")
        #expect(outcome(library, "pipe.jpg") == .failure(.notRegularFile))
        #expect(outcome(library, "photos") == .failure(.notRegularFile))
        #expect(outcome(library, "absent.jpg") == .failure(.notFound))
        #expect(outcome(library, "absent/cat.jpg") == .failure(.notFound))
        #expect(outcome(library, "cat.jpg/cat.jpg") == .failure(.notFound))
        #expect(outcome(library, "pipe.jpg/cat.jpg") == .failure(.notFound))
    }

    @Test func aSocket_isRefused() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.at("root/s.jpg").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(outcome(library, "s.jpg") == .failure(.notRegularFile))
    }

    @Test func invalidIDs_neverReachTheDisk() {
        for id in [
            "", "..", "../outside/secret", "photos/../cat.jpg", "/etc/passwd", folder.at("root/cat.jpg"), "a\0b",
        ] {
            guard case .failure(.invalidID) = outcome(library, id) else {
                Issue.record("\(id.debugDescription) was not refused")
                continue
            }
        }
    }

    @Test func encodedTraversal_isAPlainNameThatIsAbsent() {
        for id in ["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "%c0%ae%c0%ae/etc/passwd"] {
            #expect(outcome(library, id) == .failure(.notFound))
        }
    }

    @Test func linksBeneathTheRoot_areFollowed() throws {
        try folder.makeLink("root/file.jpg", to: "cat.jpg")
        try folder.makeLink("root/album", to: "photos")
        try folder.makeLink("root/slash", to: "./photos//")
        try folder.makeLink("root/photos/up.jpg", to: "../cat.jpg")
        try folder.makeLink("root/photos/round.jpg", to: "../album/../photos/dog.jpg")
        try folder.makeLink("root/absolute.jpg", to: folder.at("root/photos/dog.jpg"))
        try folder.makeLink("root/chain.jpg", to: "album/up.jpg")
        #expect(outcome(library, "file.jpg") == .success("cat"))
        #expect(outcome(library, "album/dog.jpg") == .success("dog"))
        #expect(outcome(library, "slash/dog.jpg") == .success("dog"))
        #expect(outcome(library, "photos/up.jpg") == .success("cat"))
        #expect(outcome(library, "album/up.jpg") == .success("cat"))
        #expect(outcome(library, "photos/round.jpg") == .success("dog"))
        #expect(outcome(library, "absolute.jpg") == .success("dog"))
        #expect(outcome(library, "chain.jpg") == .success("cat"))
    }

    @Test func dotsAfterALinkedFolder_goUpFromWhereItLeads() throws {
        try folder.makeFolder("root/photos/deep")
        try folder.makeFile("root/photos/here.jpg", Array("beside deep".utf8))
        try folder.makeFile("root/here.jpg", Array("beside the link".utf8))
        try folder.makeLink("root/short", to: "photos/deep")
        try folder.makeLink("root/test.jpg", to: "short/../here.jpg")
        #expect(outcome(library, "test.jpg") == .success("beside deep"))
    }

    @Test func linksOutOfTheRoot_leadNowhere() throws {
        try folder.makeLink("root/passwd.jpg", to: "/etc/passwd")
        try folder.makeLink("root/secret.jpg", to: "../outside/secret")
        try folder.makeLink("root/out", to: "../outside")
        try folder.makeLink("root/outAbsolute", to: folder.at("outside"))
        try folder.makeLink("root/photos/far.jpg", to: "../../outside/secret")
        try folder.makeLink("root/backIn.jpg", to: "../root/cat.jpg")
        try folder.makeLink("root/prefix.jpg", to: folder.at("root/../outside/secret"))
        try folder.makeLink("root/proc.jpg", to: "/proc/self/environ")
        try folder.makeLink("root/dangling.jpg", to: "nothing")
        for id in [
            "passwd.jpg", "secret.jpg", "out/secret", "outAbsolute/secret", "photos/far.jpg", "backIn.jpg",
            "prefix.jpg",
            "proc.jpg", "dangling.jpg",
        ] {
            #expect(outcome(library, id) == .failure(.notFound), "\(id)")
        }
    }

    @Test func linksToFolders_areNoFiles() throws {
        try folder.makeLink("root/folder.jpg", to: "photos")
        try folder.makeLink("root/self", to: ".")
        try folder.makeLink("root/photos/parent", to: "..")
        #expect(outcome(library, "folder.jpg") == .failure(.notRegularFile))
        #expect(outcome(library, "self") == .failure(.notRegularFile))
        #expect(outcome(library, "photos/parent") == .failure(.notRegularFile))
        #expect(outcome(library, "photos/parent/cat.jpg") == .success("cat"))
    }

    @Test func linkLoops_endTheWalk() throws {
        try folder.makeLink("root/a", to: "b")
        try folder.makeLink("root/b", to: "a")
        try folder.makeLink("root/self.jpg", to: "self.jpg")
        try folder.makeLink("root/grow", to: "grow/grow")
        try folder.makeLink("root/here", to: ".")
        #expect(outcome(library, "a") == .failure(.notFound))
        #expect(outcome(library, "a/cat.jpg") == .failure(.notFound))
        #expect(outcome(library, "self.jpg") == .failure(.notFound))
        #expect(outcome(library, "grow") == .failure(.notFound))
        #expect(outcome(library, String(repeating: "here/", count: 32) + "cat.jpg") == .success("cat"))
        #expect(outcome(library, String(repeating: "here/", count: 33) + "cat.jpg") == .failure(.notFound))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give up its rights on one thread"))
    func unreadableFiles_areDenied() throws {
        try folder.makeFolder("root/closed", mode: 0o700)
        try folder.makeFile("root/closed/in.jpg")
        try folder.makeFolder("root/through", mode: 0o711)
        try folder.makeFile("root/through/in.jpg", Array("in".utf8))
        try folder.makeFile("root/locked.jpg")
        chmod(folder.at("root/locked.jpg"), 0o600)
        let ids = ["locked.jpg", "closed/in.jpg", "through/in.jpg"]
        let outcomes = try #require(asNobody { ids.map { outcome(library, $0) } })
        #expect(outcomes == [.failure(.accessDenied), .failure(.accessDenied), .success("in")])
    }

    @Test func theRootMayBeALink_andIsOpenedOnce() throws {
        try folder.makeLink("current", to: "root")
        let linked = try FolderLibrary(rootPath: folder.at("current"))
        try folder.makeLink("root/viaLink.jpg", to: folder.at("current/cat.jpg"))
        try folder.makeLink("root/viaReal.jpg", to: folder.at("root/cat.jpg"))
        #expect(outcome(linked, "viaLink.jpg") == .success("cat"))
        #expect(outcome(linked, "viaReal.jpg") == .success("cat"))
        try folder.move("root", to: "moved")
        #expect(outcome(linked, "cat.jpg") == .success("cat"))
    }

    @Test func anUnavailableRoot_isSaidAtOnceAndLater() throws {
        #expect(throws: LibraryError.rootUnavailable(errno: ENOENT)) {
            try FolderLibrary(rootPath: folder.at("absent"))
        }
        #expect(throws: LibraryError.rootUnavailable(errno: ENOTDIR)) {
            try FolderLibrary(rootPath: folder.at("root/cat.jpg"))
        }
        try folder.makeFolder("brief")
        let brief = try FolderLibrary(rootPath: folder.at("brief"))
        try brief.checkAvailable()
        rmdir(folder.at("brief"))
        #expect(throws: LibraryError.rootUnavailable(errno: ENOENT)) { try brief.checkAvailable() }
    }

    @Test func descriptors_areAllClosedAgain() throws {
        try folder.makeLink("root/album", to: "photos")
        try folder.makeLink("root/out", to: "../outside")
        let before = openDescriptorCount(beneath: folder.path)
        for id in ["album/dog.jpg", "photos/dog.jpg", "out/secret", "absent", "photos", "cat.jpg/x"] {
            _ = outcome(library, id)
        }
        _ = library.list(limit: 10)
        #expect(before == 1)
        #expect(openDescriptorCount(beneath: folder.path) == before)
    }

    @Test func aNameSwappedForALinkOut_neverShowsTheOutside() throws {
        try folder.makeFolder("root/swap")
        try folder.makeFile("root/swap/secret", Array("inside".utf8))
        try folder.makeLink("root/trap", to: "../outside")
        let folder = folder.path
        whileThreadsRepeat { _, _ in
            rename("\(folder)/root/swap", "\(folder)/root/kept")
            rename("\(folder)/root/trap", "\(folder)/root/swap")
            rename("\(folder)/root/swap", "\(folder)/root/trap")
            rename("\(folder)/root/kept", "\(folder)/root/swap")
        } meanwhile: {
            for _ in 0..<5000 {
                let result = outcome(library, "swap/secret")
                #expect(result == .success("inside") || result == .failure(.notFound))
            }
        }
    }
}
