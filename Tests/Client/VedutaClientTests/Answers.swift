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

extension TestFolder {
    /// The place of a download from `address` that broke off after `text`.
    func brokenDownload(from address: String, after text: String) throws -> URL {
        let file = url.appending(path: "file")
        try Data(text.utf8).write(to: file.appendingPathExtension("part"))
        try Data(#"{"url":"\#(address)","validator":"\"1\""}"#.utf8).write(to: URL(filePath: file.path + ".part.json"))
        return file
    }
}
