import AssetLibrary
import HTTPServer
import Reactor

/// Writes the content of a request to its upload as it comes.
final class UploadContentKeeper: ContentKeeper {
    let appender: UploadAppender

    init(_ appender: UploadAppender) { self.appender = appender }

    func write(_ bytes: [UInt8], at offset: Int) throws(Errno) { try appender.write(bytes, at: offset) }
}
