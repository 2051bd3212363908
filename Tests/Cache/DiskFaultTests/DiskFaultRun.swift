#if DEBUG
    import DiskStore
    import DiskTestKit
    import Glibc
    import Reactor

    /// A store whose system calls fail, and which is looked at after each failure.
    final class DiskFaultRun {
        private let faulty: FaultStore
        private let numbers: [Int]
        private var versions: [Int: Int] = [:]
        private var nextVersion = 1
        private var descriptorCount = 0
        private var roundCount = 0

        /// How many kinds of rounds there are, which take turns.
        static let variety = 3

        init() throws {
            faulty = try FaultStore()
            // One of them is handed out as a file.
            let large = (16..<2000).first { TestEntry(number: $0, version: 2).byteCount > 290_000 }
            numbers = Array(0..<12) + (large.map { [$0] } ?? [])
            for number in numbers { faulty.put(number, version: 2) }
            nextVersion = 2
            // What is opened once and kept is opened now.
            for _ in 0..<Self.variety {
                var mayBeMissing = false
                for number in numbers { faulty.put(number, version: bump(number)) }
                try use(&mayBeMissing)
                try recover()
                try look(mayBeMissing: false)
            }
            // The store's own thread may have one open just now.
            descriptorCount = (0..<20).reduce(.max) { least, _ in
                Processors.pause(.milliseconds(2))
                return min(least, Self.openDescriptorCount())
            }
        }

        /// Lets `times` calls from number `first` on fail while the store is used in every way; how many have failed.
        func round(_ fault: DiskFault, failingFrom first: Int, times: Int = 1) throws(Complaint) -> Int {
            let eventCount = faulty.events.count
            do throws(Complaint) {
                for number in numbers {
                    // A purge that is made up for in the background can win over it, and after a full disk there is less
                    // room until it has been looked at again.
                    try KillTestKit.wait("\(number) is stored before all: \(faulty.events.suffix(3))") {
                        if faulty.put(number, version: bump(number)) { return true }
                        faulty.clock.advance(seconds: 1)
                        return false
                    }
                }
                ForcedErrors.arm(fault.call, first: first, times: times, code: fault.code)
                // Where calls fail for as long as the store is used, a purge is made up for afterwards, in the background,
                // and wins over what was stored meanwhile.
                var mayBeMissing = !fault.isShortage || times > 1_000_000
                do throws(Complaint) {
                    try use(&mayBeMissing)
                } catch {
                    ForcedErrors.disarm()
                    throw error
                }
                let forcedCount = ForcedErrors.disarm().forcedCount
                try recover()
                // Where it could not be told which purges are old, they are all made again.
                let isPurged = faulty.events.dropFirst(eventCount).contains {
                    if case .purgedElsewhere = $0 { true } else { false }
                }
                try look(mayBeMissing: mayBeMissing && (forcedCount > 0 || fault.isFullDisk) || isPurged)
                try compareDescriptors()
                return forcedCount
            } catch {
                let events = faulty.events.dropFirst(eventCount)
                throw Complaint(
                    "\(fault), call \(first), \(times) times, round \(roundCount % Self.variety): \(error); \(Array(events))"
                )
            }
        }

        /// Ends the store and removes its folder.
        func end() {
            faulty.store.close()
            faulty.folder.remove()
        }

        /// Every operation once; what is found must be right.
        private func use(_ mayBeMissing: inout Bool) throws(Complaint) {
            for number in numbers.reversed() { _ = try seen(number) }
            for number in numbers.prefix(3) + numbers.suffix(1) {
                let old = versions[number]
                if !faulty.put(number, version: bump(number)) { uncertain[number] = old }
                _ = try seen(number)
            }
            _ = faulty.store.contains(TestEntry.key(1), tag: TestEntry.tag(1))
            let lock = faulty.store.tryLock(TestEntry.key(2))
            withExtendedLifetime(lock) {}
            for number in numbers.prefix(3) { _ = faulty.store.mark(TestEntry.key(number), tag: 1, cost: .zero) }
            roundCount += 1
            switch roundCount % Self.variety {
            case 0:
                faulty.store.close()
                // A store that cannot be opened is opened again when the failures are over.
                do { try faulty.reopen() } catch { isClosed = true }
            case 1:
                faulty.remove(3)
                _ = faulty.store.purge(tag: TestEntry.tag(0))
                gone.formUnion(numbers.filter { TestEntry.tag($0) == TestEntry.tag(0) })
            default:
                faulty.store.purgeAll()
                gone.formUnion(numbers)
            }
            for number in numbers { _ = try seen(number) }
        }

        private var uncertain: [Int: Int] = [:]
        private var gone: Set<Int> = []
        private var isClosed = false

        /// Finds the entry; what is found must be a version that was stored last, or the one before if that failed.
        private func seen(_ number: Int) throws(Complaint) -> Int? {
            guard let version = try faulty.get(number) else { return nil }
            if version != versions[number], version != uncertain[number] {
                throw Complaint("\(number): version \(version), not \(versions[number] ?? 0)")
            }
            return version
        }

        private func recover() throws(Complaint) {
            if isClosed {
                do { try faulty.reopen() } catch { throw Complaint("the store does not open again: \(error)") }
                isClosed = false
            }
            try KillTestKit.wait("entries are stored again: \(faulty.store.counts)") {
                faulty.clock.advance(seconds: 61)
                return faulty.put(4000, version: 1) && faulty.store.counts.isOn
            }
        }

        private func look(mayBeMissing: Bool) throws(Complaint) {
            for number in numbers where try seen(number) == nil {
                if !mayBeMissing, !gone.contains(number), uncertain[number] == nil {
                    throw Complaint("\(number) is lost for a shortage")
                }
            }
            uncertain = [:]
            gone = []
            try KillTestKit.wait("half-written files are removed: \(faulty.folder.unfinished.map(\.name))") {
                faulty.clock.advance(seconds: 1)
                return faulty.folder.unfinished.isEmpty
            }
        }

        private func compareDescriptors() throws(Complaint) {
            try KillTestKit.wait("no descriptor is left: \(Self.openDescriptorCount()), not \(descriptorCount)") {
                // Fewer where the run of the tests had one of its own open at the start.
                Self.openDescriptorCount() <= descriptorCount
            }
        }

        private func bump(_ number: Int) -> Int {
            nextVersion += 1
            // The large one stays large.
            while number > 15, TestEntry(number: number, version: nextVersion).byteCount < 290_000 { nextVersion += 1 }
            versions[number] = nextVersion
            return nextVersion
        }

        private static func openDescriptorCount() -> Int { StoreTestFolder.list("/proc/self/fd").count }
    }
#endif
