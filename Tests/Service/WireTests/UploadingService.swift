import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// A service with a folder of pictures and a folder for uploads, both for one test.
final class UploadingService {
    let pictures: PictureFolder
    let uploads: String
    let service: RunningService
    let client: WireClient
    static let bearer = "Authorization: Bearer secret"

    init(_ adjust: (inout Configuration) -> Void = { _ in }) throws {
        let uploads = FileManager.default.temporaryDirectory.appending(path: "veduta-uploads-\(UUID().uuidString)").path
        (pictures, service, client) = try RunningService.withPictures { configuration in
            configuration.uploads = uploads
            configuration.token = AccessToken("secret")
            adjust(&configuration)
        }
        self.uploads = uploads
    }

    deinit {
        service.stop()
        try? FileManager.default.removeItem(atPath: uploads)
    }

    /// Sends content with the token, and hears the answer.
    func send(_ method: String, _ target: String, _ content: [UInt8], _ fields: String...) throws -> WireResponse {
        let own = [
            "\(method) \(target) HTTP/1.1", "Host: veduta.test", Self.bearer, "Content-Length: \(content.count)",
        ]
        client.send((own + fields).map { $0 + "\r\n" }.joined() + "\r\n")
        client.send(content)
        return try client.read()
    }

    func delete(_ target: String, _ fields: String...) throws -> WireResponse {
        let own = ["DELETE \(target) HTTP/1.1", "Host: veduta.test", Self.bearer]
        client.send((own + fields).map { $0 + "\r\n" }.joined() + "\r\n")
        return try client.read()
    }

    /// The names of what lies where content is received.
    var received: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: uploads + "/incoming")) ?? ["unreadable"]
    }
}

extension WireResponse {
    /// The content as a JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any] ?? [:]
    }

    /// The last part of the problem's type.
    var problem: String? {
        (try? json())?["type"].flatMap { $0 as? String }.map { String($0.split(separator: ":").last ?? "") }
    }
}

/// The members of an answer of 200 that is a JSON object.
func object(_ response: WireResponse) throws -> [String: Any] {
    let isJSON = response.field("Content-Type") == "application/json"
    #expect(response.code == 200 && isJSON, "\(response.text.prefix(200))")
    return try #require(JSONSerialization.jsonObject(with: Data(response.content)) as? [String: Any])
}
