// hummingbird-peer PORT FILE THREADS: answers GET /asset with the file's bytes from memory, or 304 when the tag is known.
import Foundation
import Hummingbird
import NIOCore
import NIOPosix

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[1]), let threadCount = Int(arguments[3]) else {
    exit(2)
}
let content = ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: arguments[2])))
let entityTag = "\"peer-1\""

let router = Router()
router.get("asset") { request, _ in
    var fields = HTTPFields()
    fields[.eTag] = entityTag
    fields[.cacheControl] = "max-age=86400"
    if request.headers[.ifNoneMatch] == entityTag {
        return Response(status: .notModified, headers: fields)
    }
    fields[.contentType] = "image/jpeg"
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: content))
}
let application = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: port), backlog: 4096),
    eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: threadCount)))
try await application.runService()
