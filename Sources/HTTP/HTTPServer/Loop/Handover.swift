import Reactor
import Synchronization

/// A descriptor on its way to the thread that takes it; closed if none does.
package final class Handover: Sendable {
    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = Mutex(descriptor)
    }

    func take() -> FileDescriptor? { descriptor.withLock { $0.take() } }
}
