import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// `/metrics` in its two formats, and the gauges of the process and its limits.
@Suite(.timeLimit(.minutes(5))) struct MetricsWireTests {
    /// As Prometheus 2.42 sends it.
    private static let prometheus =
        "Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
        + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"

    private func withService(_ body: (WireClient) throws -> Void) throws {
        let (_, _, client) = try RunningService.withPictures { configuration in
            configuration.queue = 77
            configuration.connections = 99
            configuration.memoryLimit = 55 << 20
            configuration.cacheFiles = 66
        }
        try body(client)
    }

    @Test func openMetrics_isForThoseWhoAskForIt() throws {
        try withService { client throws in
            let open = try client.get("/metrics", Self.prometheus)
            #expect(open.field("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
            #expect(open.field("Vary")?.contains("Accept") == true)
            #expect(open.text.hasSuffix("# EOF\n"))
            // No counter's description has the suffix of its sample.
            for line in open.text.split(separator: "\n") where line.hasPrefix("# TYPE") && line.hasSuffix(" counter") {
                #expect(!line.contains("_total counter"), "\(line)")
            }
            let accepts = [
                "Accept: */*", "Accept: text/plain", "Accept: application/openmetrics-text;q=0",
                "Accept: text/plain;version=0.0.4, application/openmetrics-text;q=0.5",
            ]
            for accept in accepts {
                let text = try client.get("/metrics", accept)
                #expect(text.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8", "\(accept)")
                #expect(!text.text.contains("# EOF"))
            }
        }
    }

    /// Alerts divide by limits, and client libraries of Prometheus have the same names for what a process uses.
    @Test func processAndLimits_areGauges() throws {
        try withService { client throws in
            for name in ["process_resident_memory_bytes", "process_virtual_memory_bytes"] {
                #expect(try client.metric(name) > 1 << 20, "\(name)")
            }
            let descriptors = try client.metric("process_open_fds")
            #expect(descriptors > 3)
            #expect(try client.metric("process_max_fds") >= descriptors)
            #expect(try client.metric("process_start_time_seconds") > 1_700_000_000)
            #expect(try client.metric("veduta_jobs_queued_limit") == 77)
            #expect(try client.metric("veduta_connections_limit") == 99)
            #expect(try client.metric("veduta_image_memory_limit_bytes") == 55 << 20)
            // Without a folder.
            #expect(try client.get("/metrics").text.contains("\nveduta_cache_disk_entries_limit 0\n"))
            #expect(try client.metric("veduta_workers") > 0)
            #expect(try client.metric("veduta_vips_memory_bytes") >= 0)
            #expect(try client.metric("veduta_connections_accepted_total") > 0)
            // Nobody waits.
            #expect(try client.get("/metrics").text.contains("\nveduta_backlog_seconds 0\n"))
        }
    }

    /// Every counter's name says so, every histogram is of seconds, and nothing counts under a label that nobody declared.
    @Test func names_followTheConventions() throws {
        try withService { client throws in
            for target in [
                "/asset?id=a.png&width=40", "/map?center=1,2&zoom=1&size=32x32", "/card?title=a&template=quote",
            ] {
                _ = try client.get(target)
            }
            let text = try client.get("/metrics").text
            for line in text.split(separator: "\n") where line.hasPrefix("# TYPE") {
                let words = line.split(separator: " ")
                guard words.count == 4 else { continue }
                #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
                if words[3] == "histogram" { #expect(words[2].hasSuffix("_seconds"), "\(line)") }
            }
            #expect(!text.contains("stage=\"other\""))
            #expect(!text.contains("route=\"other\""))
        }
    }
}
