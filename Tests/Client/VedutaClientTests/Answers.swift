import Foundation
import VedutaClient

/// Answers each request with the next of its outcomes, and with the last one from then on. For requests one after the other.
final class Answers: Transport {
    let requests = Recorder<HTTPRequest>()
    private let outcomes: [VedutaMock.Outcome]

    init(_ outcomes: VedutaMock.Outcome...) { self.outcomes = outcomes }

    func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        requests.add(request)
        let mock = VedutaMock()
        mock.answer("*", with: outcomes[min(requests.values.count, outcomes.count) - 1])
        return try await mock.exchange(request, events)
    }
}

/// Hands requests on to another transport once it is opened.
final class GatedTransport: Transport {
    let requests = Recorder<HTTPRequest>()
    private let transport: any Transport
    private let opened = AsyncStream.makeStream(of: Void.self)

    init(_ transport: any Transport) { self.transport = transport }

    func open() { opened.continuation.finish() }

    func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        requests.add(request)
        for await _ in opened.stream {}
        return try await transport.exchange(request, events)
    }
}

extension TestFolder {
    /// The place of a download from `address` that broke off after `text`.
    func brokenDownload(from address: String, after text: String) throws -> URL {
        let file = url.appending(path: "file")
        try Data(text.utf8).write(to: file.appendingPathExtension("part"))
        try Data(#"{"url":"\#(address)","validator":"\"1\""}"#.utf8).write(to: URL(filePath: file.path + ".part.json"))
        return file
    }
}
