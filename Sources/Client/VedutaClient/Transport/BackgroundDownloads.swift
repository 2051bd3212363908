#if canImport(Darwin)
    import Foundation
    import Synchronization

    /// Downloads that the system goes on with while the app is suspended or after it has ended, by a background session. On Apple
    /// platforms alone; elsewhere `VedutaClient.download` goes on with what an earlier process began.
    ///
    /// Make one for each identifier when the app starts, and read ``finished``: it has what ended meanwhile, too. A download that
    /// ended because the user quit the app goes on. Images go past the cache. Compiled and tried on no Apple platform yet.
    public final class BackgroundDownloads: Sendable {
        /// The end of a download.
        public struct Finished: Sendable {
            /// What was loaded.
            public let url: URL
            /// Where it is, if nothing went wrong.
            public let file: URL
            /// What went wrong.
            public let error: VedutaError?
        }

        /// Downloads in the order in which they ended, for one reader.
        public let finished: AsyncStream<Finished>

        private let service: VedutaEndpoint
        private let policy: ClientPolicy
        private let delegate: BackgroundDelegate
        private let session: URLSession

        /// Takes up what an earlier process began with the same identifier. At most one is in use for an identifier.
        public init(_ service: VedutaEndpoint, identifier: String, policy: ClientPolicy = ClientPolicy()) {
            self.service = service
            self.policy = policy
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.sessionSendsLaunchEvents = true
            let (finished, ends) = AsyncStream.makeStream(of: Finished.self)
            self.finished = finished
            delegate = BackgroundDelegate(ends)
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }

        /// Begins to save an image to a file, which is replaced in one step at the end. Throws for wrong parameters.
        public func begin(_ url: any PictureURL, to file: URL) throws {
            var request = URLRequest(url: try url.url(for: service))
            request.setValue(policy.accept, forHTTPHeaderField: "Accept")
            BackgroundDelegate.start(session.downloadTask(with: request), for: file)
        }

        /// Calls `completion` on the main thread once all is told of what woke the app: for
        /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
        public func handleEvents(completion: @escaping @Sendable () -> Void) { delegate.awaitEvents(completion) }
    }

    private final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
        private struct State {
            /// By the number of the task: what its file met, until the task is told to be over.
            var faults: [Int: VedutaError] = [:]
            var completion: (@Sendable () -> Void)?
        }

        private let ends: AsyncStream<BackgroundDownloads.Finished>.Continuation
        private let state = Mutex(State())

        init(_ ends: AsyncStream<BackgroundDownloads.Finished>.Continuation) { self.ends = ends }

        func awaitEvents(_ completion: @escaping @Sendable () -> Void) { state.withLock { $0.completion = completion } }

        /// The description is what the system keeps of a task. The folder of an app moves with updates, so it is written as `~`.
        static func start(_ task: URLSessionDownloadTask, for file: URL) {
            task.taskDescription = NSString(string: file.path).abbreviatingWithTildeInPath
            task.resume()
        }

        private static func file(of task: URLSessionTask) -> URL {
            URL(fileURLWithPath: NSString(string: task.taskDescription ?? "").expandingTildeInPath)
        }

        func urlSession(
            _ session: URLSession, downloadTask task: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            guard let fault = Self.fault(of: task.response, at: location, for: Self.file(of: task)) else { return }
            state.withLock { $0.faults[task.taskIdentifier] = fault }
        }

        /// Moves an image to its place; nil if that is done.
        private static func fault(of response: URLResponse?, at location: URL, for file: URL) -> VedutaError? {
            let answer = response as? HTTPURLResponse
            let mediaType = answer?.value(forHTTPHeaderField: "Content-Type") ?? ""
            guard let answer, answer.statusCode == 200, mediaType.hasPrefix("image/") else {
                let handle = try? FileHandle(forReadingFrom: location)
                defer { try? handle?.close() }
                let content = try? handle?.read(upToCount: VedutaError.contentByteLimit)
                return .unexpected(status: answer?.statusCode ?? 0, content ?? Data())
            }
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            guard rename(location.path, file.path) == 0 else {
                return .file(path: file.path, reason: String(cString: strerror(errno)))
            }
            return nil
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let file = Self.file(of: task)
            let fault = state.withLock { $0.faults.removeValue(forKey: task.taskIdentifier) }
            let told = error.map { $0 as NSError }
            if let told, told.userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] != nil,
                let data = told.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
            {
                return Self.start(session.downloadTask(withResumeData: data), for: file)
            }
            guard let url = task.originalRequest?.url else { return }
            ends.yield(.init(url: url, file: file, error: fault ?? error.map { VedutaError.wrapping($0) }))
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let completion = state.withLock { state in
                defer { state.completion = nil }
                return state.completion
            }
            if let completion { DispatchQueue.main.async(execute: completion) }
        }
    }
#endif
