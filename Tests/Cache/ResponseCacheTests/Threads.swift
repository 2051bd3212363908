import Bytes
import Digest
import ResponseCache
import Synchronization

/// A number that threads count up.
final class Tally: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .sequentiallyConsistent) }
    func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .sequentiallyConsistent) }
}

func key(_ number: Int) -> CacheKey { CacheKey(SHA256.digest(of: "key \(number)")) }

/// An answer that counts for `byteCount` bytes in all, or up to 15 more; no less than what one without content does.
func response(byteCount: Int, entityTag: String = "\"t\"", tag: UInt64 = 0, cost: Duration = .zero) -> StoredResponse {
    func make(_ count: Int) -> StoredResponse {
        StoredResponse(
            mediaType: "image/jpeg", entityTag: entityTag, content: SharedBytes([UInt8](repeating: 7, count: count)),
            tag: CacheTag(word: tag), cost: cost)
    }
    return make(max(byteCount - make(0).byteCount - 8, 0))
}
