import Reactor
import ServiceConfiguration
import Synchronization
import Testing
import TestSupport
import VedutaService

/// The time of day jumps under a running service and between two runs on one folder.
@Suite(.timeLimit(.minutes(5))) struct CacheClockTests {
    private static let target = "/asset?id=a.png&width=64&format=png"

    @Test(arguments: [0, 600_000_000, 1_800_000_001, 4_900_000_000, 1_799_999_000] as [Int64])
    func picturesAreServedFromBothTiers_whateverTheTimeOfDay(_ later: Int64) throws {
        let pictures = try PictureFolder()
        let time = TimeOfDay()
        for memory in [0, 8 << 20] {
            time.set(1_800_000_000)
            let folder = pictures.path + "/cache-\(memory)"
            let first = try Self.service(pictures, folder, memory, time)
            let client = try WireClient(first.address)
            let original = try client.get(Self.target)
            #expect(original.code == 200)
            #expect(eventually { (try? client.metric("veduta_cache_disk_entries")) == 1 })
            time.set(later)
            for _ in 0..<3 { Self.expect(try client.get(Self.target), toBe: original) }
            first.stop()
            let second = try Self.service(pictures, folder, memory, time)
            let next = try WireClient(second.address)
            Self.expect(try next.get(Self.target), toBe: original)
            #expect(try next.metric("veduta_cache_disk_hits_total") == 1, "it is still on the disk")
            time.set(1_800_000_000)
            Self.expect(try next.get(Self.target), toBe: original)
            second.stop()
        }
    }

    private static func service(
        _ pictures: PictureFolder, _ folder: String, _ memory: Int, _ time: TimeOfDay
    ) throws -> RunningService {
        try RunningService(pictures: pictures, clock: time.clock) {
            $0.cacheMemory = memory
            $0.cacheDirectory = folder
        }
    }

    private static func expect(_ answer: WireResponse, toBe original: WireResponse) {
        #expect(answer.code == 200)
        #expect(answer.content == original.content)
        #expect(answer.field("ETag") == original.field("ETag"))
        // An age is what was measured here, and nothing here took long.
        #expect((0...60).contains(answer.field("Age").flatMap { Int($0) } ?? 0), "Age \(answer.field("Age") ?? "")")
    }
}

/// A time of day that is set by hand, beside the system's monotonic time.
private final class TimeOfDay: Sendable {
    private let seconds = Atomic<Int64>(1_800_000_000)

    func set(_ unixSeconds: Int64) { seconds.store(unixSeconds, ordering: .sequentiallyConsistent) }

    var clock: Clock {
        Clock(monotonic: Clock.system.monotonic, unixSeconds: { self.seconds.load(ordering: .sequentiallyConsistent) })
    }
}
