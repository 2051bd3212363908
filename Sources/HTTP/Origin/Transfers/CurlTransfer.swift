import Bytes
import CCurl
import HTTPMessage
import Reactor

/// One exchange of libcurl; lives on the fetch thread.
@safe final class CurlTransfer {
    let handler: any ExchangeHandler
    private let policy: AddressPolicy
    private let content: ExchangeContent?
    private var contentOffset = 0
    private var reader: ResponseHeadReader
    private(set) var hasBegun = false
    private(set) var fault: OriginError?
    /// Until it has a place among the connections it waits for one, and no origin is the cause.
    private(set) var hasPlace = false
    /// Called when it has its place, and when its request is about to be sent (`isReady`).
    var onProceeding: ((_ isReady: Bool) -> Void)?
    private var raw: OpaquePointer?

    init?(_ request: ExchangeRequest, policy: AddressPolicy, resolve: String?, handler: any ExchangeHandler) {
        self.handler = handler
        self.policy = policy
        content = request.content
        reader = ResponseHeadReader(byteLimit: request.limits.headBytes)
        unsafe raw = unsafe makeRaw(request, resolve)
        if unsafe raw == nil { return nil }
    }

    deinit { if let raw = unsafe raw { unsafe ccurl_transfer_free(raw) } }
    var pointer: OpaquePointer? { unsafe raw }
    static func of(_ pointer: OpaquePointer) -> CurlTransfer { unsafe of(context: ccurl_transfer_context(pointer)) }

    fileprivate static func of(context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context = unsafe context else { preconditionFailure("a transfer without its context") }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func makeRaw(_ request: ExchangeRequest, _ resolve: String?) -> OpaquePointer? {
        var sink = unsafe ccurl_sink()
        // Not retained: this object's deinitialiser frees the transfer, and libcurl calls nothing after that.
        unsafe sink.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe sink.permit = { context, data, count, zone in
            unsafe CurlTransfer.of(context: context).permits(UnsafeBufferPointer(start: data, count: count), zone: zone)
        }
        unsafe sink.proceed = { context, isReady in unsafe CurlTransfer.of(context: context).proceed(isReady) }
        unsafe sink.field = { context, line, count in
            unsafe CurlTransfer.of(context: context).take(line: UnsafeRawBufferPointer(start: line, count: count).bytes)
        }
        unsafe sink.content = { context, data, count in
            unsafe CurlTransfer.of(context: context).take(
                content: UnsafeRawBufferPointer(start: data, count: count).bytes)
        }
        unsafe sink.source = { context, room, count in
            unsafe CurlTransfer.of(context: context).give(into: UnsafeMutableBufferPointer(start: room, count: count))
        }
        var lines = Self.lines(request.fields)
        // Otherwise libcurl would wait for 100.
        lines.append(Array("Expect:".utf8))
        if request.relayedTarget != nil, !request.fields.contains(.accept) { lines.append(Array("Accept:".utf8)) }
        let limits = request.limits
        let credentials = request.credentials
        return unsafe withCStrings(lines) { fields in
            unsafe withCStrings(
                [
                    request.url.description, request.method, resolve, credentials.userPassword, credentials.signature,
                    credentials.trustFile, credentials.certificateFile, credentials.keyFile, credentials.pinnedKeys,
                    request.relayedTarget,
                ].map { $0.map { Array($0.utf8) } }
            ) { text in
                var raw = unsafe ccurl_request()
                unsafe raw.url = text[0]
                unsafe raw.method = text[1]
                unsafe raw.fields = fields.baseAddress
                unsafe raw.field_count = lines.count
                unsafe raw.content_count = request.content.map { Int64($0.byteCount) } ?? -1
                unsafe raw.target = text[9]
                unsafe raw.is_alone = request.relayedTarget != nil || request.addresses != nil
                unsafe raw.resolve = text[2]
                unsafe raw.user_password = text[3]
                unsafe raw.sigv4 = text[4]
                unsafe raw.ca_file = text[5]
                unsafe raw.certificate_file = text[6]
                unsafe raw.key_file = text[7]
                unsafe raw.pinned_keys = text[8]
                // libcurl counts from the end of the wait for a connection, and gives an address of several a part of it.
                unsafe raw.connect_milliseconds = limits.connect.wholeMilliseconds
                unsafe raw.total_milliseconds = limits.total.wholeMilliseconds
                unsafe raw.slow_bytes_per_second = limits.slowBytesPerSecond
                unsafe raw.slow_seconds = Int(limits.slowFor.components.seconds)
                return unsafe ccurl_transfer_new(&raw, &sink)
            }
        }
    }

    var report: ExchangeReport {
        var made = ExchangeReport()
        guard let raw = unsafe raw else { return made }
        var figures = ccurl_report()
        unsafe ccurl_transfer_report(raw, &figures)
        made.name = .microseconds(figures.name_microseconds)
        made.connect = .microseconds(figures.connect_microseconds)
        made.secured = .microseconds(figures.tls_microseconds)
        made.firstByte = .microseconds(figures.first_byte_microseconds)
        made.total = .microseconds(figures.total_microseconds)
        made.newConnections = figures.new_connections
        made.isHTTP2 = figures.is_http2
        made.address = unsafe withUnsafeBytes(of: &figures.address) { unsafe text($0) }
        return made
    }

    /// What libcurl says of the end, for the log only.
    var log: String {
        guard let raw = unsafe raw else { return "" }
        var figures = ccurl_report()
        unsafe ccurl_transfer_report(raw, &figures)
        return unsafe withUnsafeBytes(of: &figures.log) { unsafe text($0) }
    }

    // MARK: What libcurl asks and tells

    fileprivate func permits(_ data: UnsafeBufferPointer<UInt8>, zone: UInt32) -> Bool {
        guard let address = unsafe IPAddress(Array(data)) else { return false }
        return policy.permits(address, hasZone: zone != 0)
    }

    fileprivate func proceed(_ isReady: Bool) {
        hasPlace = true
        onProceeding?(isReady)
    }

    fileprivate func take(line: RawSpan) -> Bool {
        switch reader.read(line) {
        case .more: return true
        case .interim(let head):
            handler.exchangeInterim(head)
            return true
        case .malformed:
            fault = .notHTTP
            return false
        case .tooLarge:
            fault = .headTooLarge
            return false
        case .head(let head):
            // Different lengths (RFC 9112 §6.3): libcurl would take the last.
            guard Set(head.fields.all("content-length")).count <= 1 else {
                fault = .notHTTP
                return false
            }
            hasBegun = true
            return handler.exchangeBegan(head)
        }
    }

    fileprivate func take(content: RawSpan) -> Bool { content.byteCount == 0 || handler.exchangeReceived(content) }

    /// Puts content into `room`; returns the number of bytes, or -1 if the file cannot be read.
    fileprivate func give(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let content else { return 0 }
        let count = min(room.count, content.byteCount - contentOffset)
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<count])
        switch content {
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes {
                unsafe target.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[contentOffset..<contentOffset + count]))
            }
        case .file, .part:
            // A file that was cut, or cannot be read, is no content.
            guard let (file, start) = content.source,
                let got = try? unsafe file.read(into: target, from: start + contentOffset), got == count
            else {
                fault = .notKept
                return -1
            }
        }
        contentOffset += count
        return count
    }

    /// As libcurl takes them: a semicolon tells an empty value. Bytes are sent as they are.
    private static func lines(_ fields: Fields) -> [[UInt8]] {
        (0..<fields.count).map { index in
            var line: [UInt8] = []
            unsafe fields.nameBytes(at: index).withUnsafeBytes { unsafe line += $0 }
            let value = fields.valueBytes(at: index)
            line += Array((value.byteCount == 0 ? ";" : ": ").utf8)
            unsafe value.withUnsafeBytes { unsafe line += $0 }
            return line
        }
    }
}

private func text(_ data: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
}

/// Calls `body` with pointers to the texts, each with a NUL behind it; no text holds one.
private func withCStrings<R>(_ texts: [[UInt8]?], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R) -> R {
    var data: [CChar] = []
    let starts = texts.map { text -> Int? in
        guard let text else { return nil }
        defer {
            data += text.map { CChar(bitPattern: $0) }
            data.append(0)
        }
        return data.count
    }
    return unsafe data.withUnsafeBufferPointer { data in
        let pointers = unsafe starts.map { start in unsafe start.flatMap { unsafe data.baseAddress?.advanced(by: $0) }
        }
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
    }
}

extension Duration {
    /// Rounded up, at least one: zero means for ever to libcurl.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
