import Bytes
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// How a load of a `URLProtocol` reaches its client (what FoundationNetworking does was tried, see docs/CLIENT.md):
// - `startLoading` and `stopLoading` run on a queue that all sessions of a Linux process share. They return at once: work is a task
//   of ours, and what cancels it hops to a queue of ours first.
// - The client gets one response, one piece of data (more are lost there with completion handlers) and one end; nothing after
//   `stopLoading`: a lock is held while it is told, and closes the load.
// - On Apple platforms the client is told on the thread that began the load, in its run loop.
// - On Linux it is told on the work queue of the session: what a client does there reads a table of tasks that is guarded by that
//   queue alone, and told from elsewhere it ends the process now and then.

/// One load of a `URLProtocol`.
final class ProtocolLoad: Sendable {
    /// Names the load of a request, so that it can be ended without cancelling its task, see `URLSession.picture(for:)`.
    static let loadField = "veduta-load"

    private struct Entry: Sendable {
        weak var load: ProtocolLoad?
        var isCancelled = false
    }

    private static let named = Mutex<[String: Entry]>([:])

    /// Makes the name of a load known before the load begins: until `forget` it may be cancelled.
    static func expect(_ name: String) { named.withLock { $0[name] = Entry() } }

    static func forget(_ name: String) { named.withLock { _ = $0.removeValue(forKey: name) } }

    /// Ends the work of a load, also of one that has not begun, which then tells its client that it was cancelled.
    static func cancel(_ name: String) {
        let load = named.withLock { named in
            named[name]?.isCancelled = true
            return named[name]?.load
        }
        load?.state.withLock { $0.task }?.cancel()
    }

    private static let cancelling = DispatchQueue(label: "veduta.protocol.cancel")

    /// The protocol object. It is not sendable; it is used under `state`'s lock, or on its own thread.
    private struct Box: @unchecked Sendable {
        weak var loading: URLProtocol?
    }

    private struct State {
        var isOpen = true
        var task: Task<Void, Never>?
    }

    private let box: Box
    private let state = Mutex(State())
    #if canImport(Darwin)
        /// The run loop of the thread that began the load. Run loops take blocks from any thread.
        private struct Home: @unchecked Sendable {
            let runLoop: CFRunLoop
        }

        private let home = Home(runLoop: CFRunLoopGetCurrent())
    #else
        /// The work queue of the session; nil where it cannot be found.
        private let home: DispatchQueue?
    #endif

    init(_ loading: URLProtocol) {
        box = Box(loading: loading)
        #if !canImport(Darwin)
            home = loading.workQueue
        #endif
    }

    /// Begins `work`, and tells the client what comes of it.
    func start(_ work: @escaping @Sendable (URLRequest) async throws -> LoadedResponse) {
        guard let request = box.loading?.request else { return }
        let name = request.value(forHTTPHeaderField: Self.loadField)
        if let name {
            Self.named.withLock { named in
                guard named[name] != nil else { return }
                named[name]?.load = self
            }
        }
        let task = Task { [self] in
            let result: Result<LoadedResponse, VedutaError>
            do {
                if request.value(forHTTPHeaderField: HTTPRequest.hopField) != nil { throw VedutaError.loop }
                result = .success(try await work(request))
            } catch {
                result = .failure(VedutaError.wrapping(error))
            }
            deliver(result, to: request)
        }
        state.withLock { $0.task = task }
        // Now that the task can be found: whoever cancels from here on does it himself.
        if let name, Self.named.withLock({ $0[name]?.isCancelled ?? false }) {
            Self.cancelling.async { task.cancel() }
        }
    }

    /// Closes the load: nothing is told any more.
    func stop() {
        let task = state.withLock { state in
            state.isOpen = false
            return state.task.take()
        }
        Self.cancelling.async { task?.cancel() }
    }

    private func deliver(_ result: Result<LoadedResponse, VedutaError>, to request: URLRequest) {
        #if canImport(Darwin)
            CFRunLoopPerformBlock(home.runLoop, CFRunLoopMode.commonModes.rawValue) { [self] in tell(result, request) }
            CFRunLoopWakeUp(home.runLoop)
        #else
            guard let home else { return tell(result, request) }
            home.async { [self] in tell(result, request) }
        #endif
    }

    private func tell(_ result: Result<LoadedResponse, VedutaError>, _ request: URLRequest) {
        state.withLock { state in
            guard state.isOpen, let loading = box.loading, let client = loading.client else { return }
            state.isOpen = false
            switch result {
            case .success(let loaded):
                let head = loaded.response.head
                guard let url = request.url,
                    let response = HTTPURLResponse(
                        url: url.scheme?.hasPrefix("http") == true ? head.url : url, statusCode: head.status,
                        httpVersion: "HTTP/1.1", headerFields: loaded.deliveredFields)
                else { return }
                client.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
                if !loaded.response.content.isEmpty { client.urlProtocol(loading, didLoad: loaded.response.content) }
                client.urlProtocolDidFinishLoading(loading)
            case .failure(let error): client.urlProtocol(loading, didFailWithError: error.urlError)
            }
        }
    }
}

#if !canImport(Darwin)
    extension URLProtocol {
        /// The queue that guards the tasks of the session, which has no public name.
        fileprivate var workQueue: DispatchQueue? {
            guard let task, let session = Mirror(task, as: URLSessionTask.self)?.descendant("session") as? URLSession
            else { return nil }
            return Mirror(reflecting: session).descendant("workQueue") as? DispatchQueue
        }
    }

    extension Mirror {
        /// The stored properties that the class `type` gives to `object`.
        fileprivate init?<Object>(_ object: Object, as type: Object.Type) {
            var mirror: Mirror? = Mirror(reflecting: object)
            while let one = mirror, one.subjectType != type { mirror = one.superclassMirror }
            guard let mirror else { return nil }
            self = mirror
        }
    }
#endif

extension LoadedResponse {
    /// The fields with `Age` and `Cache-Status` (RFC 9211) of this cache.
    var deliveredFields: [String: String] {
        var fields = response.fields
        // Content comes out decoded.
        fields["content-encoding"] = nil
        fields["content-length"] = "\(response.content.count)"
        let status =
            switch source {
            case .memory, .disk: "hit; detail=\(source.rawValue)"
            case .stale: "hit; detail=stale"
            case .revalidated: "hit; fwd=stale; fwd-status=304"
            case .network: "fwd=miss"
            }
        fields["cache-status"] = [fields["cache-status"], "veduta-client; \(status)"].compactMap { $0 }.joined(
            separator: ", ")
        if source != .network { fields["age"] = "\(Int(held: Freshness(response.head).age, in: 0...1_000_000_000))" }
        return fields.dictionary
    }
}
