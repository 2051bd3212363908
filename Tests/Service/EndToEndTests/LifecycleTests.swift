import Foundation
import Glibc
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

extension EndToEnd {
    @Suite struct LifecycleTests {
        @Test func runningRequestsAreFinishedOnTerminate() throws {
            let server = try ReleaseServer(["--workers", "2"])
            let client = try Client(server.address)
            let requestCount = 16
            var sockets: [Int32] = []
            defer { for socket in sockets { close(socket) } }
            for index in 0..<requestCount {
                let target = "/asset?id=\(server.library.photo)&width=\(900 + index)&format=png"
                sockets.append(try client.send(target).release())
            }
            // All have been read and none can have been answered from memory.
            #expect(eventually { (try? server.metric("veduta_cache_misses_total")) == Double(requestCount) })
            server.signal(SIGTERM)
            for index in 0..<requestCount {
                let reply = try Client.reply(from: FileDescriptor(adopting: sockets.removeFirst()))
                #expect(reply.status == 200, "\(index): \(reply.text)")
                #expect(try DecodedPicture(reply.content).widthPx == 900 + index)
            }
            #expect(server.wait() == 0)
            #expect(server.log.contains("all requests finished"))
        }

        /// #15.13
        @Test func versionIsInTheFirstLogLine_atTheCommandLine_andAMetric() throws {
            let server = try ReleaseServer()
            let first = server.log.split(separator: "\n").first ?? ""
            #expect(first.contains(Build.text), "\(first)")
            let run = try ReleaseBinary.run(["--version"])
            #expect(run.status == 0)
            #expect(run.text == Build.text + "\n")
            let lines = try server.get("/metrics").text.split(separator: "\n").filter {
                $0.hasPrefix("veduta_build_info")
            }
            let prefix = "veduta_build_info{version=\"\(Build.version)\",libvips=\""
            #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix(prefix) && $0.hasSuffix("\"} 1") })
            #expect(server.stop() == 0)
        }

        @Test func interruptEndsAnIdleServerAtOnce() throws {
            let server = try ReleaseServer(["--drain-timeout", "3600", "--idle-timeout", "3600"])
            // An open connection without a request does not hold it up.
            let idle = try Client(server.address).connect()
            #expect(server.stop(signal: SIGINT) == 0)
            _ = idle.rawValue
        }

        @Test func hangUpIsSurvived() throws {
            let server = try ReleaseServer()
            server.signal(SIGHUP)
            #expect(eventually { server.log.contains("reloaded the configuration") })
            #expect(try server.get("/health/live").status == 200)
            #expect(server.stop() == 0)
        }

        @Test func portInUseIsRefusedByName() throws {
            let server = try ReleaseServer()
            let second = try ReleaseBinary.run(["serve", "--listen", server.address])
            #expect(second.status == 2)
            #expect(second.text.contains(server.address), "\(second.text)")
            #expect(try server.get("/health/live").status == 200)
        }

        /// The arguments, the environment, and what the message must name.
        @Test(
            arguments: [
                ([], ["VEDUTA_QUEUE": "x"], ["VEDUTA_QUEUE", "whole number"]),
                (["--queue", "0"], [:], ["--queue"]),
                (["--library", "/nonexistent"], [:], ["/nonexistent", "--library", "No such file"]),
                (
                    ["--map-archive", "/nonexistent.pmtiles"], [:],
                    ["/nonexistent.pmtiles", "--map-archive", "No such file"]
                ),
                (["--listen", "nowhere"], [:], ["nowhere", "--listen"]),
                (
                    ["--workers=-1", "--loops", "many"], ["VEDUTA_CACHE_MEMORY": "1x"],
                    ["VEDUTA_CACHE_MEMORY=1x", "--loops=many", "--workers=-1"]
                ),
                (["--color", "blue"], [:], ["--color"]),
            ] as [([String], [String: String], [String])])
        func badConfigurationIsRefusedByName(
            _ options: [String], _ environment: [String: String], _ named: [String]
        ) throws {
            let run = try ReleaseBinary.run(["serve", "--listen", "127.0.0.1:0"] + options, environment: environment)
            #expect(run.status != 0 && run.status != nil, "\(run.text)")
            for name in named { #expect(run.text.contains(name), "\(run.text)") }
        }

        @Test(
            .enabled(if: SharedData.isPresent, "no test data at ../shared"),
            arguments: [
                ("negative/empty.pmtiles", "does not start"), ("negative/invalid.pmtiles", "does not start"),
                ("negative/invalid_v4.pmtiles", "version 4"), ("negative/v1-tpe.pmtiles", "version 1"),
                ("negative/test_fixture_mlt.pmtiles", "MLT (6)"), ("styles/bench.json", "does not start"),
            ])
        func archivesThatCannotBeDrawnAreRefusedByName(_ name: String, _ cause: String) throws {
            let path = SharedData.folder.appending(path: "maps/\(name)").path
            let run = try ReleaseBinary.run(["serve", "--listen", "127.0.0.1:0", "--map-archive", path])
            #expect(run.status == 2, "\(run.text)")
            #expect(run.text.contains(path) && run.text.contains(cause), "\(run.text)")
        }

        @Test func helpNamesEverySetting() throws {
            let help = try ReleaseBinary.run(["serve", "--help"])
            #expect(help.status == 0)
            // Each under its heading, in the order of the table.
            var rest = help.text[...]
            for group in Setting.Group.allCases {
                let heading = try #require(rest.firstRange(of: "\n" + group.rawValue.uppercased() + ":\n"), "\(group)")
                rest = rest[heading.upperBound...]
                for setting in Setting.all where setting.group == group {
                    let option = try #require(rest.firstRange(of: "--\(setting.name) "), "\(setting.name)")
                    rest = rest[option.upperBound...]
                }
            }
            let top = try ReleaseBinary.run(["--help"])
            #expect(top.status == 0)
            for command in ["serve", "sample", "health"] { #expect(top.text.contains(command)) }
        }

        @Test func healthAnswersByItsStatus() throws {
            let server = try ReleaseServer()
            #expect(ReleaseBinary.saysReady(["--listen", server.address]))
            #expect(ReleaseBinary.saysReady([], environment: ["VEDUTA_LISTEN": server.address]))
            let address = server.address
            #expect(server.stop() == 0)
            #expect(try ReleaseBinary.run(["health", "--listen", address]).status == 1)
            #expect(try ReleaseBinary.run(["health", "--listen", "nowhere"]).status == 1)
        }

        @Test func sampleWritesPicturesThatAreServed() throws {
            let library = try TestLibrary.samples()
            let server = try ReleaseServer(library: library)
            for name in ["lagoon.jpg", "morning.jpg", "night.jpg", "badge.png"] {
                let reply = try server.get("/asset?id=\(name)&width=200&format=png")
                #expect(reply.status == 200)
                #expect(try DecodedPicture(reply.content).widthPx == 200)
            }
            let page = try server.get("/")
            #expect(page.status == 200 && page.text.contains("/asset?id=lagoon.jpg"))
        }
    }
}
