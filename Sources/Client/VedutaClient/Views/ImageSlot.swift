import Foundation

/// What a reusable cell of a list holds in place of its own loading code: the image that it is to show now.
@MainActor
public final class ImageSlot {
    /// What is to be seen.
    public enum State: Sendable {
        /// Nothing.
        case empty
        /// A placeholder of what is loading.
        case placeholder(ThumbHash)
        /// Nothing yet; how far the load is, 0…1, if that is known.
        case loading(Double?)
        /// The image.
        case shown(Picture)
        /// Nothing; why.
        case failed(VedutaError)
    }

    private let client: VedutaClient
    private var key: String?
    private var task: Task<Void, Never>?
    /// What is to be seen now.
    public private(set) var state = State.empty {
        didSet { onChange?(state) }
    }
    /// Called with every new state.
    public var onChange: ((State) -> Void)?

    /// An empty slot.
    public init(client: VedutaClient) { self.client = client }

    deinit { task?.cancel() }

    /// Shows an image, after a placeholder if one is given. A load of another image is cancelled, and its answer is never shown;
    /// the same image again does nothing unless it had failed.
    public func show(_ url: any PictureURL, placeholder: ThumbHash? = nil) {
        let wanted: String
        do {
            wanted = client.identity(of: try url.url(for: client.service)).absoluteString
        } catch {
            prepareForReuse()
            state = .failed(error)
            return
        }
        if wanted == key {
            guard case .failed = state else { return }
        }
        task?.cancel()
        key = wanted
        state = placeholder.map { .placeholder($0) } ?? .loading(nil)
        task = Task { [weak self, client] in
            let result: Result<Picture, VedutaError>
            do {
                result = .success(
                    try await client.picture(url) { [weak self] progress in
                        guard placeholder == nil else { return }
                        Task { @MainActor [weak self] in self?.progress(progress.fraction, of: wanted) }
                    })
            } catch {
                result = .failure(VedutaError.wrapping(error))
            }
            // A cancelled task has lost its slot to another one.
            guard !Task.isCancelled else { return }
            self?.end(result, of: wanted)
        }
    }

    private func progress(_ fraction: Double?, of wanted: String) {
        if case .loading = state, wanted == key { state = .loading(fraction) }
    }

    private func end(_ result: Result<Picture, VedutaError>, of wanted: String) {
        guard wanted == key else { return }
        switch result {
        case .success(let picture): state = .shown(picture)
        case .failure(let error): state = .failed(error)
        }
    }

    /// Shows nothing, and cancels the load.
    public func prepareForReuse() {
        task?.cancel()
        (task, key) = (nil, nil)
        if case .empty = state { return }
        state = .empty
    }
}
