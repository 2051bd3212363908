import ServiceConfiguration

#if DEBUG
    import Glibc
    import Reactor
    import TestSupport
    import Testing
    import VedutaService

    /// The cache on disk fails under a running service: the N-th call of a kind, N = 1, 2, …, and all of them. Every request
    /// is answered with the bytes that it is answered with without a cache.
    @Suite struct CacheFaultTests {
        private static let faults: [Fault] = [
            (.diskOpen, [EMFILE, EACCES]), (.diskMakeFolder, [ENOSPC, EROFS]), (.diskRead, [EIO]),
            (.diskWrite, [ENOSPC, EIO]), (.diskRename, [EROFS, EDQUOT]), (.diskUnlink, [EIO]), (.diskStat, [EIO]),
            (.diskList, [EIO]), (.diskLock, [ENOLCK, EAGAIN]),
        ].flatMap { call, codes in codes.map { Fault(call, $0) } }

        @Test(arguments: Self.faults.indices)
        func everyRequestIsAnswered_whateverFailsOnTheDisk(_ index: Int) async {
            let fault = Self.faults[index]
            await #expect(processExitsWith: .success, "\(fault)") { [index] in
                let fault = Self.faults[index]
                let run = try CacheFaultRun()
                var number = 1
                var idleRoundCount = 0
                while idleRoundCount < 3, number < 200 {
                    idleRoundCount = try run.round(fault, failingFrom: number) == 0 ? idleRoundCount + 1 : 0
                    number += 1
                }
                if number <= 3 { complain("\(fault): no such call is ever made") }
                for _ in 0..<4 { _ = try run.round(fault, failingFrom: 1, times: 1 << 40) }
                run.end()
                exit(0)
            }
        }
    }

    /// A service without a memory cache, so that every picture goes over the disk.
    private final class CacheFaultRun {
        private let pictures: PictureFolder
        private let cache: PictureFolder
        private let service: RunningService
        private let originals: [[UInt8]]
        private var roundCount = 0
        private var descriptorCount = 0

        private static let widths = [40, 64, 200]

        init() throws {
            let pictures = try PictureFolder()
            self.pictures = pictures
            let plain = try RunningService(pictures: pictures)
            let client = try WireClient(plain.address)
            originals = try Self.widths.map { try client.get(Self.target($0)).content }
            plain.stop()
            let cache = try PictureFolder()
            self.cache = cache
            service = try RunningService(pictures: pictures) {
                $0.cacheMemory = 0
                $0.cacheDirectory = cache.path + "/cache"
            }
            try ask()
            descriptorCount = openDescriptorCount()
        }

        func end() {
            // What is opened at first use and kept is one more.
            if !eventually({ openDescriptorCount() <= descriptorCount + 1 }) {
                complain("\(openDescriptorCount()) descriptors, not \(descriptorCount)")
            }
            service.stop()
            pictures.remove()
            cache.remove()
        }

        /// How many calls failed.
        func round(_ fault: Fault, failingFrom first: Int, times: Int = 1) throws -> Int {
            // A new picture in each round, besides those that are there.
            roundCount += 1
            let fresh = Self.target(300 + roundCount % 90) + "&quality=\(1 + roundCount % 100)"
            ForcedErrors.arm(fault.call, first: first, times: times, code: fault.code)
            try ask()
            let made = try answer(fresh)
            let again = try answer(fresh)
            let forcedCount = ForcedErrors.disarm().forcedCount
            if made != again { complain("\(fault), call \(first): another picture the second time") }
            try ask()
            if try answer(fresh) != made { complain("\(fault), call \(first): another picture afterwards") }
            return forcedCount
        }

        private func ask() throws {
            for (width, original) in zip(Self.widths, originals) where try answer(Self.target(width)) != original {
                complain("width \(width): another picture")
            }
        }

        private func answer(_ target: String) throws -> [UInt8] {
            let client = try WireClient(service.address)
            let response = try client.get(target)
            if response.code != 200 { complain("\(target): \(response.code)") }
            return response.content
        }

        private static func target(_ width: Int) -> String { "/asset?id=a.png&width=\(width)&format=jpeg" }
    }
#endif
