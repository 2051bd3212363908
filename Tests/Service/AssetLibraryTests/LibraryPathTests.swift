import Testing

@testable import AssetLibrary

@Suite("Asset ids", .timeLimit(.minutes(5)))
struct LibraryPathTests {
    private func fault(_ id: String) -> IDFault? {
        do {
            _ = try LibraryPath(id: id)
            return nil
        } catch LibraryError.invalidID(let fault) {
            return fault
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test(arguments: [
        "cat.jpg", "photos/cat.jpg", "a/b/c/d", ".hidden", "...", "..a/b..", "città d'arte/ponte vecchio.jpg", "写真.png",
        "good.jpg[fail_on=none,n=-1]", "100% %2e%2e.jpg", "a~b", "re\u{200E}mark.jpg",
    ])
    func plainNames_areTaken(id: String) throws {
        let path = try LibraryPath(id: id)
        #expect(path.components.joined(separator: "/") == id)
    }

    @Test func faults_sayWhatAndWhere() {
        #expect(fault("") == .empty)
        #expect(fault("/etc/passwd") == .absolute)
        #expect(fault("//127.0.0.1:18999/x.jpg") == .absolute)
        #expect(fault("~7f3a") == .reservedPrefix)
        #expect(fault("http://127.0.0.1:18999/x.jpg") == .emptyComponent(offset: 6))
        #expect(fault("a//b") == .emptyComponent(offset: 2))
        #expect(fault("a/") == .emptyComponent(offset: 2))
        #expect(fault("..") == .dotComponent(offset: 0))
        #expect(fault(".") == .dotComponent(offset: 0))
        #expect(fault("a/./b") == .dotComponent(offset: 2))
        #expect(fault("../../../../../../etc/passwd") == .dotComponent(offset: 0))
        #expect(fault("good.jpg/../good.jpg") == .dotComponent(offset: 9))
        #expect(fault("é/..") == .dotComponent(offset: 3))
        #expect(fault(#"..\..\etc\passwd"#) == .forbiddenCharacter(offset: 2))
        #expect(fault("good.jpg\0.png") == .forbiddenCharacter(offset: 8))
        #expect(fault("good.jpg\r\nX-Injected: 1") == .forbiddenCharacter(offset: 8))
        #expect(fault("\u{202E}gpj.doog") == .forbiddenCharacter(offset: 0))
        #expect(fault("é\u{85}") == .forbiddenCharacter(offset: 2))
    }

    @Test func everyControlCharacter_isRefused() throws {
        for value in Array(0...0x1f) + Array(0x7f...0x9f) as [UInt32] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(fault("a" + String(Character(scalar))) == .forbiddenCharacter(offset: 1))
        }
    }

    @Test func lengths_areBounded() {
        #expect(fault(String(repeating: "a", count: 255)) == nil)
        #expect(fault(String(repeating: "a", count: 256)) == .componentTooLong(offset: 0, limit: 255))
        #expect(fault("b/" + String(repeating: "é", count: 128)) == .componentTooLong(offset: 2, limit: 255))
        #expect(fault(String(repeating: "a/", count: 511) + "aa") == nil)
        #expect(fault(String(repeating: "a/", count: 512) + "a") == .tooLong(limit: 1024))
        #expect(fault(String(repeating: "a", count: 10_000)) == .tooLong(limit: 1024))
    }
}

@Suite("Routes through links", .timeLimit(.minutes(5)))
struct LinkRouteTests {
    @Test func aTarget_takesThePlaceOfTheLink() throws {
        var route = LinkRoute(["a", "link", "c.jpg"])
        try route.follow(["x", "y"], isAbsolute: false, at: 1, rootSpellings: [])
        #expect(route.components == ["a", "x", "y", "c.jpg"])
    }

    @Test func steppingUp_takesOneFolderOff() throws {
        var route = LinkRoute(["a", "..", "b"])
        try route.stepUp(at: 1)
        #expect(route.components == ["b"])
        #expect(throws: LibraryError.notFound) { try route.stepUp(at: 0) }
    }

    @Test func absoluteTargets_countBeneathTheRootOnly() throws {
        let roots = [["srv", "pictures"], ["mnt", "disk"]]
        var route = LinkRoute(["a", "link"])
        try route.follow(["mnt", "disk", "b", "c"], isAbsolute: true, at: 1, rootSpellings: roots)
        #expect(route.components == ["b", "c"])
        route = LinkRoute(["a", "link"])
        for outside in [["srv"], ["srv", "pictures2", "x"], ["etc", "passwd"], []] {
            #expect(throws: LibraryError.notFound) {
                try route.follow(outside, isAbsolute: true, at: 1, rootSpellings: roots)
            }
        }
        #expect(throws: LibraryError.notRegularFile) {
            try route.follow(["srv", "pictures"], isAbsolute: true, at: 1, rootSpellings: roots)
        }
    }

    @Test func linksAndStepsAndLengths_areBounded() throws {
        var route = LinkRoute(["a"])
        for _ in 0..<LinkRoute.linkLimit { try route.follow(["a"], isAbsolute: false, at: 0, rootSpellings: []) }
        #expect(throws: LibraryError.notFound) {
            try route.follow(["a"], isAbsolute: false, at: 0, rootSpellings: [])
        }
        var long = LinkRoute(["a"])
        #expect(throws: LibraryError.notFound) {
            try long.follow(
                Array(repeating: "a", count: LinkRoute.componentLimit + 1), isAbsolute: false, at: 0, rootSpellings: [])
        }
        var up = LinkRoute(Array(repeating: "a", count: 200))
        for _ in 0..<LinkRoute.stepUpLimit { try up.stepUp(at: 1) }
        #expect(throws: LibraryError.notFound) { try up.stepUp(at: 1) }
    }
}
