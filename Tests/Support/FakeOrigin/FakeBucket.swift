import Synchronization

private let markField = "x-amz-meta-veduta-upload"

/// One bucket of a service that speaks S3, on loopback, in memory: objects, and uploads in parts. Signatures are not checked.
package final class FakeBucket: Sendable {
    package struct Object: Sendable {
        package var content: [UInt8]
        package var entityTag: String
        package var contentType: String?
        package var mark: String?
    }

    private struct Upload {
        var key: String
        var contentType: String?
        var mark: String?
        var parts: [Int: Object] = [:]
    }

    private struct State {
        var objects: [String: Object] = [:]
        var uploads: [String: Upload] = [:]
        /// Of entity tags and uploads.
        var last = 0

        mutating func makeTag() -> String {
            last += 1
            return "\"tag-\(last)\""
        }
    }

    /// Steps in place of the answer; nil: the bucket answers, and what is asked for is done.
    package typealias Fault = @Sendable (_ seen: FakeOrigin.Seen) -> [FakeOrigin.Step]?

    package let name: String
    private let state = Mutex(State())
    private let origin: Mutex<FakeOrigin?>

    /// Starts it; `stop` ends it. `lost` is for requests that are carried out, but answered otherwise.
    package init(_ name: String, lost: @escaping Fault = { _ in nil }, fault: @escaping Fault = { _ in nil }) throws {
        self.name = name
        origin = Mutex(nil)
        let running = try FakeOrigin { [weak self] seen in
            guard let self else { return [.close] }
            if let steps = fault(seen) { return steps }
            let steps = self.answer(seen)
            return lost(seen) ?? steps
        }
        origin.withLock { $0 = running }
    }

    package func stop() { origin.withLock { $0 }?.stop() }

    package var url: String { origin.withLock { $0 }?.url("") ?? "" }
    package var requests: [FakeOrigin.Seen] { origin.withLock { $0 }?.requests ?? [] }
    package func release(_ name: String) { origin.withLock { $0 }?.release(name) }
    package func waitForRequests(_ count: Int) { origin.withLock { $0 }?.waitForRequests(count) }

    /// Puts an object there.
    package func put(_ key: String, _ content: [UInt8]) {
        state.withLock { state in
            let tag = state.makeTag()
            state.objects[key] = Object(content: content, entityTag: tag)
        }
    }

    package var objects: [String: Object] { state.withLock { $0.objects } }
    /// Uploads in parts that are neither complete nor aborted.
    package var openUploadCount: Int { state.withLock { $0.uploads.count } }

    // MARK: Requests

    private func answer(_ seen: FakeOrigin.Seen) -> [FakeOrigin.Step] {
        let halves = seen.target.split(separator: "?", maxSplits: 1)
        let path = halves[0].dropFirst()
        guard path.hasPrefix(name) else { return Self.error(404, "NoSuchBucket") }
        // Escaped as it came: keys in tests are plain.
        let key = String(path.dropFirst(name.count + 1))
        var query: [String: String] = [:]
        for item in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let words = item.split(separator: "=", maxSplits: 1)
            query[String(words[0])] = words.count > 1 ? String(words[1]) : ""
        }
        return state.withLock { state in
            if let id = query["uploadId"] {
                return Self.answer(seen, key, upload: id, part: query["partNumber"], &state)
            }
            switch seen.method {
            case "POST" where query["uploads"] != nil:
                state.last += 1
                let id = "upload-\(state.last)"
                state.uploads[id] = Upload(
                    key: key, contentType: seen.fields["content-type"], mark: seen.fields[markField])
                return .answer(
                    200,
                    "<?xml version=\"1.0\"?><InitiateMultipartUploadResult><Bucket>\(name)</Bucket><UploadId>\(id)"
                        + "</UploadId></InitiateMultipartUploadResult>")
            case "PUT":
                guard seen.fields["if-none-match"] == nil || state.objects[key] == nil else {
                    return Self.error(412, "PreconditionFailed")
                }
                let tag = state.makeTag()
                state.objects[key] = Object(
                    content: seen.content, entityTag: tag, contentType: seen.fields["content-type"])
                return .answer(200, "", "ETag: \(tag)")
            case "DELETE":
                state.objects[key] = nil
                return [.text("HTTP/1.1 204 No Content\r\n\r\n")]
            case "GET" where key.isEmpty:
                let keys = state.objects.sorted { $0.key < $1.key }.map {
                    "<Contents><Key>\($0.key)</Key><Size>\($0.value.content.count)</Size></Contents>"
                }
                return .answer(
                    200, "<ListBucketResult>\(keys.joined())<IsTruncated>false</IsTruncated></ListBucketResult>")
            case "GET", "HEAD":
                guard let object = state.objects[key] else {
                    return seen.method == "HEAD"
                        ? [.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")] : Self.error(404, "NoSuchKey")
                }
                let mark = object.mark.map { "\(markField): \($0)\r\n" } ?? ""
                // Only here: of a GET it would decide how long the content is fresh.
                let date = seen.method == "HEAD" ? "Last-Modified: Sat, 21 Nov 2026 13:00:00 GMT\r\n" : ""
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Length: \(object.content.count)\r\nETag: \(object.entityTag)\r\n\(mark)\(date)\r\n"
                return seen.method == "HEAD" ? [.text(head)] : [.text(head), .bytes(object.content)]
            default: return Self.error(405, "MethodNotAllowed")
            }
        }
    }

    private static func answer(
        _ seen: FakeOrigin.Seen, _ key: String, upload id: String, part: String?, _ state: inout State
    ) -> [FakeOrigin.Step] {
        guard let upload = state.uploads[id], upload.key == key else { return error(404, "NoSuchUpload") }
        switch seen.method {
        case "PUT":
            guard let number = part.flatMap({ Int($0) }), (1...10_000).contains(number) else {
                return error(400, "InvalidArgument")
            }
            let tag = state.makeTag()
            state.uploads[id]?.parts[number] = Object(content: seen.content, entityTag: tag)
            return .answer(200, "", "ETag: \(tag)")
        case "DELETE":
            state.uploads[id] = nil
            return [.text("HTTP/1.1 204 No Content\r\n\r\n")]
        case "POST":
            let text = String(decoding: seen.content, as: UTF8.self)
            let parts = upload.parts.sorted { $0.key < $1.key }
            let list = parts.map { number, part in
                let tag = part.entityTag.split(separator: "\"").joined()
                return "<Part><PartNumber>\(number)</PartNumber><ETag>&quot;\(tag)&quot;</ETag></Part>"
            }
            guard !list.isEmpty, text.contains(">\(list.joined())</CompleteMultipartUpload>") else {
                return error(400, "InvalidPart")
            }
            guard seen.fields["if-none-match"] == nil || state.objects[key] == nil else {
                return error(412, "PreconditionFailed")
            }
            let tag = state.makeTag()
            state.objects[key] = Object(
                content: parts.flatMap { $0.value.content }, entityTag: tag, contentType: upload.contentType,
                mark: upload.mark)
            state.uploads[id] = nil
            // S3 sends blanks while it puts the parts together.
            return .answer(
                200,
                "  \n<?xml version=\"1.0\"?><CompleteMultipartUploadResult><ETag>&quot;"
                    + "\(tag.split(separator: "\"").joined())&quot;</ETag></CompleteMultipartUploadResult>")
        default: return error(405, "MethodNotAllowed")
        }
    }

    package static func error(_ status: Int, _ code: String) -> [FakeOrigin.Step] {
        .answer(status, "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>-</Message></Error>")
    }
}
