import Reactor

/// Values that expire, by where they come from; all who need a new one wait for one request. Confined to the fetch thread.
final class RenewalStore<Key: Hashable, Value: Equatable> {
    private let loop: EventLoop
    private let margin: Duration
    private let renew: (Key, @escaping (Renewed<Value>?) -> Void) -> Void
    private var states: [Key: Renewal<Value>] = [:]
    private var waiting: [Key: [(Result<Value, OriginError>) -> Void]] = [:]

    /// `margin`: see ``Renewal``. `renew` calls back with nil where there is no value now.
    init(on loop: EventLoop, margin: Duration, renew: @escaping (Key, @escaping (Renewed<Value>?) -> Void) -> Void) {
        self.loop = loop
        self.margin = margin
        self.renew = renew
    }

    /// Calls `body` with a value, at once if there is one.
    func withValue(of key: Key, _ body: @escaping (Result<Value, OriginError>) -> Void) {
        let answer = states[key, default: Renewal()].ask(now: loop.now)
        switch answer {
        case .value(let value): body(.success(value))
        case .valueAndRenew(let value):
            start(key)
            // A file is read at once.
            body(.success(states[key]?.value ?? value))
        case .renew:
            waiting[key, default: []].append(body)
            start(key)
        case .wait: waiting[key, default: []].append(body)
        case .failed: body(.failure(.credentialsUnusable))
        }
    }

    func refused(_ value: Value, of key: Key) { states[key]?.refused(value) }

    /// Renews `value`, which stays in use meanwhile, unless that was done a moment ago. Calls `body` with whether there is another
    /// one then, at once if that is known.
    func doubted(_ value: Value, of key: Key, _ body: @escaping (_ isReplaced: Bool) -> Void) {
        let doubt = states[key]?.doubted(value, now: loop.now) ?? .keep
        if doubt == .renew || doubt == .wait {
            waiting[key, default: []].append { result in body((try? result.get()).map { $0 != value } ?? false) }
        }
        switch doubt {
        case .replaced: body(true)
        case .keep: body(false)
        case .renew: start(key)
        case .wait: break
        }
    }

    private func start(_ key: Key) { renew(key) { [weak self] in self?.came($0, key) } }

    private func came(_ renewed: Renewed<Value>?, _ key: Key) {
        let bodies = waiting.removeValue(forKey: key) ?? []
        guard let renewed else {
            states[key]?.failed(now: loop.now)
            for body in bodies { body(.failure(.credentialsUnusable)) }
            return
        }
        states[key]?.succeeded(
            renewed.value, lifetime: renewed.lifetime, renewAfter: renewed.renewAfter, margin: margin, now: loop.now)
        for body in bodies { body(.success(renewed.value)) }
    }
}
