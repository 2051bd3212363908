import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// The configuration file, SIGHUP and the access log of the binary.
    @Suite struct ReloadTests {
        private let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)")
        private var file: String { folder.appending(path: "veduta.conf").path }
        private var log: String { folder.appending(path: "access.log").path }

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        private func write(_ lines: String...) throws {
            // In one piece: the server may read at any moment.
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file), options: .atomic)
        }

        private func lines(_ path: String) -> [Substring] {
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        }

        private func cacheControl(_ server: ReleaseServer) throws -> String? {
            try server.get("/asset?id=\(server.library.photo)&width=32")["cache-control"]
        }

        @Test func hangUp_readsTheFileAgain_andNamesWhatNeedsARestart() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            try write("VEDUTA_CACHE_CONTROL=max-age=1", "VEDUTA_QUEUE=7")
            let server = try ReleaseServer(["--config", file])
            #expect(try cacheControl(server) == "max-age=1")
            try write("VEDUTA_CACHE_CONTROL=max-age=2", "VEDUTA_QUEUE=8", "VEDUTA_CORS_ORIGINS=*")
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("restart the server to apply queue") })
            #expect(server.log.contains("reloaded the configuration; changed: cache-control, cors-origins"))
            #expect(try cacheControl(server) == "max-age=2")
            #expect(try server.get("/health/live")["access-control-allow-origin"] == "*")
            #expect(server.stop() == 0)
        }

        /// #15: new presets were in force, and the log said that nothing had changed.
        @Test func presetsThatWereWrittenAnew_areNamed() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let presets = folder.appending(path: "presets")
            try Data("card=width=50\n".utf8).write(to: presets, options: .atomic)
            try write("VEDUTA_PRESETS=\(presets.path)")
            let server = try ReleaseServer(["--config", file])
            try Data("card=width=70\n".utf8).write(to: presets, options: .atomic)
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("reloaded the configuration; changed: presets") })
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("reloaded the configuration; changed: nothing") })
            #expect(server.stop() == 0)
        }

        @Test func faultyFile_changesNothing_andIsLogged() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            try write("VEDUTA_CACHE_CONTROL=max-age=1")
            let server = try ReleaseServer(["--config", file])
            try write("VEDUTA_CACHE_CONTROL=max-age=2", "VEDUTA_QUEUE=0")
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("cannot reload the configuration") })
            #expect(server.log.contains("\(file), line 2: VEDUTA_QUEUE=0 is invalid"))
            #expect(try cacheControl(server) == "max-age=1")
            #expect(server.stop() == 0)
        }

        @Test func faultyFile_stopsTheStart() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            try write("VEDUTA_QUEUE=many", "VEDUTA_LIBARY=/x")
            let run = try ReleaseBinary.run(["serve", "--listen", "127.0.0.1:0"], environment: ["VEDUTA_CONFIG": file])
            #expect(run.status == 2)
            #expect(run.text.contains("line 1: VEDUTA_QUEUE=many is invalid: a whole number from 1 to 65536"))
            #expect(
                run.text.contains(
                    "line 2: VEDUTA_LIBARY=/x is invalid: not a setting; did you mean VEDUTA_LIBRARY?"))
        }

        @Test func healthFindsTheAddressInTheFile() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try ReleaseServer()
            try write("VEDUTA_LISTEN=\(server.address)")
            #expect(ReleaseBinary.saysReady(["--config", file]))
            #expect(ReleaseBinary.saysReady([], environment: ["VEDUTA_CONFIG": file]))
            #expect(server.stop() == 0)
            #expect(try ReleaseBinary.run(["health", "--config", file]).status == 1)
        }

        @Test func accessLogThatCannotBeWritten_stopsTheStart() throws {
            let path = folder.appending(path: "absent/access.log").path
            let run = try ReleaseBinary.run(
                ["serve", "--listen", "127.0.0.1:0", "--access-log", "json", "--access-log-file", path])
            #expect(run.status == 2)
            #expect(run.text.contains(path) && run.text.contains("--access-log-file"), "\(run.text)")
        }

        @Test func movedAccessLog_isOpenedAnewOnHangUp() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try ReleaseServer(["--access-log", "common", "--access-log-file", log])
            #expect(eventually { lines(log).contains { $0.contains("\"GET /health/ready HTTP/1.1\" 200") } })
            try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("changed: nothing") })
            #expect(try server.get("/missing").status == 404)
            #expect(server.stop() == 0)
            #expect(lines(log).map { $0.contains("\"GET /missing HTTP/1.1\" 404") } == [true])
            #expect(!lines(log + ".1").contains { $0.contains("/missing") })
        }

        @Test func accessLog_goesToStandardOutput() throws {
            let server = try ReleaseServer(["--access-log", "json"])
            #expect(try server.get("/missing").status == 404)
            #expect(
                eventually { server.log.contains("\"target\":\"/missing\",\"version\":\"HTTP/1.1\",\"status\":404") })
            #expect(server.stop() == 0)
        }

        @Test(arguments: [SIGUSR1, SIGUSR2, SIGPIPE, SIGHUP])
        func otherSignals_areSurvived(_ signal: Int32) throws {
            let server = try ReleaseServer()
            for _ in 0..<10 { server.signal(signal) }
            #expect(try server.get("/health/live").status == 200)
            #expect(server.stop() == 0)
        }
    }
}
