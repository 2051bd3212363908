import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

extension EndToEnd {
    /// #21.10
    @Suite struct HandoverTests {
        @Test func newServer_takesOver_andTheOldOneEnds() throws {
            let place = HandoverPlace()
            let old = try ReleaseServer(place.options + ["--metrics-listen", "127.0.0.1:0"])
            var information = stat()
            #expect(lstat(place.path, &information) == 0)
            #expect(information.st_mode & 0o777 == 0o600)
            // Three in a row: each gets the sockets of the one before.
            let second = try place.successor(of: old.address)
            #expect(old.wait() == 0)
            #expect(old.log.contains("has taken over") && old.log.contains("all requests finished"), "\(old.log)")
            #expect(try old.get("/health/ready").status == 200)
            let third = try place.successor(of: old.address)
            #expect(second.wait() == 0)
            #expect(try old.get("/health/ready").status == 200)
            third.signal(SIGTERM)
            #expect(third.wait() == 0)
            let isGone = (try? old.get("/health/ready")) == nil
            #expect(isGone)
            // Its file is stale now, and a server starts all the same.
            let fresh = try ReleaseServer(place.options)
            #expect(try fresh.get("/health/ready").status == 200)
            #expect(fresh.stop() == 0)
        }

        @Test func newServerThatDoesNotStart_leavesTheOldOneServing() throws {
            let place = HandoverPlace()
            let old = try ReleaseServer(place.options)
            let options = ["serve", "--listen", old.address, "--library", "/nonexistent"] + place.options
            let run = try ReleaseBinary.run(options)
            #expect(run.status == 2, "\(run.text)")
            #expect(eventually { old.log.contains("so this one goes on") })
            let elsewhere = try ReleaseBinary.run(["serve", "--listen", "127.0.0.2:0"] + place.options)
            #expect(elsewhere.status == 2, "\(elsewhere.text)")
            #expect(elsewhere.text.contains("does not listen on 127.0.0.2:0"), "\(elsewhere.text)")
            #expect(try old.get("/health/ready").status == 200)
            // One that is killed while it starts is no matter either.
            let killed = try Child(["serve", "--listen", old.address] + place.options)
            killed.signal(SIGKILL)
            _ = killed.wait()
            let successor = try place.successor(of: old.address)
            #expect(old.wait() == 0)
            successor.signal(SIGTERM)
            #expect(successor.wait() == 0)
        }

        @Test func folderOfUploads_isGivenUpByTheOldServer() throws {
            let place = HandoverPlace()
            let uploads = place.folder.appending(path: "uploads").path
            let options = ["--uploads", uploads]
            let old = try ReleaseServer(place.options + options)
            let successor = try place.successor(of: old.address, options)
            #expect(old.wait() == 0)
            #expect(try old.get("/health/ready").status == 200)
            successor.signal(SIGTERM)
            #expect(successor.wait() == 0)
        }

        /// The old one has the folder until a client has taken its answer.
        @Test func newServerThatWaitsForTheFolder_endsAtOnce() throws {
            let noise = try NoiseLibrary()
            let place = HandoverPlace()
            let options = place.options + ["--uploads", place.folder.appending(path: "uploads").path]
            let old = try ReleaseServer(options, library: noise.library)
            let content = try old.get(NoiseLibrary.target).content
            let download = try SlowDownload(NoiseLibrary.target, from: Client(old.address), expecting: content)
            download.take(10_000)
            let successor = try Child(["serve", "--listen", old.address] + options)
            #expect(eventually { old.log.contains("has taken over") })
            successor.signal(SIGTERM)
            #expect(successor.wait() == 0, "\(successor.text)")
            #expect(successor.text.contains("told to end before it served") && old.isRunning)
            while !download.isOver { download.take(1 << 20) }
            #expect(download.isWhole)
            #expect(old.wait() == 0, "\(old.log)")
        }

        /// It would wait half a minute.
        @Test func newServerThatWaitsForAnotherHandover_endsOnTerminate() throws {
            let place = HandoverPlace()
            let busy = try Listener.bind(#require(SocketAddress("unix:" + place.path)), backlog: 8)
            let socket = busy.rawValue
            let successor = try Child(["serve", "--listen", "127.0.0.1:0"] + place.options)
            let isThere = eventually {
                var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) == 1
            }
            #expect(isThere)
            successor.signal(SIGTERM)
            #expect(successor.wait() == 0, "\(successor.text)")
            #expect(successor.text.contains("told to end before it served"))
            // It listens until here.
            _ = busy.rawValue
        }

        /// Faults of other settings are found before the old server is told to give up its folder.
        @Test(arguments: [
            ["--access-log", "json", "--access-log-file", "/nonexistent/log"], ["--metrics-listen", "192.0.2.1:1"],
        ])
        func newServerThatDoesNotStart_leavesTheFolderOfUploads(_ fault: [String]) throws {
            let place = HandoverPlace()
            let options = ["--uploads", place.folder.appending(path: "uploads").path]
            let old = try ReleaseServer(place.options + options)
            let run = try ReleaseBinary.run(["serve", "--listen", old.address] + fault + place.options + options)
            #expect(run.status == 2, "\(run.text)")
            #expect(eventually { old.log.contains("so this one goes on") })
            #expect(try old.get("/health/ready").status == 200)
            #expect(old.stop() == 0)
        }

        @Test func whatIsNoServer_isRefusedByName() throws {
            let place = HandoverPlace()
            let run = try ReleaseBinary.run(
                ["serve", "--listen", "127.0.0.1:0", "--handover", "/" + String(repeating: "a", count: 107)])
            #expect(run.status == 2 && run.text.contains("--handover"), "\(run.text)")
            let both = try ReleaseBinary.run(["serve", "--listen", "systemd"] + place.options)
            #expect(both.status == 2 && both.text.contains("no need"), "\(both.text)")
            // A file that is no socket is left alone.
            try Data("mine".utf8).write(to: place.folder.appending(path: "handover"))
            let file = try ReleaseBinary.run(["serve", "--listen", "127.0.0.1:0"] + place.options)
            #expect(file.status == 2 && file.text.contains(place.path), "\(file.text)")
            #expect(try Data(contentsOf: place.folder.appending(path: "handover")) == Data("mine".utf8))
        }
    }
}

/// A folder of its own with the socket of a handover; removed with its owner.
private final class HandoverPlace {
    let folder: URL
    var path: String { folder.appending(path: "handover").path }
    var options: [String] { ["--handover", path] }

    init() {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "veduta-handover-\(UUID().uuidString.prefix(8))")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A server that serves in place of the one at `address`.
    func successor(of address: String, _ more: [String] = []) throws -> Child {
        let child = try Child(["serve", "--listen", address] + options + more)
        guard eventually({ child.text.contains("listening on") || !child.isRunning }), child.isRunning else {
            throw ReleaseServer.StartFailure(log: child.text)
        }
        return child
    }
}
