#if DEBUG
    import Bytes
    import Foundation
    import Reactor
    import Testing

    @testable import DiskStore

    /// Forced errors are one plan for the process: these run one after the other, each in a process of its own.
    @Suite(.serialized) struct FaultTests {
        private static let storingCalls: [FaultableCall] = [.diskOpen, .diskWrite, .diskRename]
        private static let diskCodes = [ENOSPC, EDQUOT, EROFS, EIO, EACCES]

        @Test func failingCall_turnsStoringOffWithOneWarning_andItComesBack() async {
            await #expect(processExitsWith: .success) {
                for call in FaultTests.storingCalls {
                    for code in FaultTests.diskCodes {
                        let folder = try TestFolder()
                        let store = try folder.open()
                        let maintenance = store.makeMaintenance()
                        maintenance.settle()
                        #expect(store.store(.sample(0)), "\(call) \(code)")
                        ForcedErrors.arm(call, first: 1, times: 1 << 40, code: code)
                        for number in 1..<10 { #expect(!store.store(.sample(number)), "\(call) \(code)") }
                        #expect(!store.counts.isOn, "\(call) \(code)")
                        #expect(folder.events == [.turnedOff(Errno(code: code))], "\(call) \(code)")
                        maintenance.tryAgain()
                        // Tried again after 1, 2, 4 … 60 s, and never in between.
                        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
                            folder.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
                            let asked = ForcedErrors.outcome.askedCount
                            maintenance.tryAgain()
                            #expect(ForcedErrors.outcome.askedCount == asked, "\(call) \(code) \(seconds)")
                            folder.clock.advance(by: .nanoseconds(1))
                            maintenance.tryAgain()
                            #expect(ForcedErrors.outcome.askedCount > asked, "\(call) \(code)")
                            #expect(!store.counts.isOn, "\(call) \(code)")
                        }
                        ForcedErrors.disarm()
                        folder.clock.advance(by: .seconds(60))
                        maintenance.tryAgain()
                        #expect(store.counts.isOn, "\(call) \(code)")
                        #expect(folder.events == [.turnedOff(Errno(code: code)), .turnedOn], "\(call) \(code)")
                        #expect(store.store(.sample(5)), "\(call) \(code)")
                        #expect(store.find(.sample(0)) != nil || Errno(code: code).isFullDisk, "\(call) \(code)")
                        #expect(folder.names(in: "tmp").isEmpty, "\(call) \(code)")
                    }
                }
            }
        }

        /// Whatever fails at whatever place: no wrong byte, no trap, nothing left over, and it works again afterwards.
        @Test func anyCallFailingAnywhere_isHarmless() async {
            await #expect(processExitsWith: .success) {
                let calls: [FaultableCall] = [
                    .diskOpen, .diskMakeFolder, .diskRead, .diskWrite, .diskRename, .diskUnlink, .diskStat, .diskList,
                    .diskLock, .diskLink,
                ]
                for call in calls {
                    for code in [EIO, ENOSPC] {
                        var first = 1
                        while true {
                            let folder = try TestFolder()
                            let store = try folder.open(byteCapacity: 30 * 4096)
                            let maintenance = store.makeMaintenance()
                            ForcedErrors.arm(call, first: first, code: code)
                            FaultTests.useEverything(store, maintenance)
                            let outcome = ForcedErrors.disarm()
                            folder.clock.advance(by: .seconds(60))
                            maintenance.goRound(folder.clock)
                            maintenance.settle()
                            #expect(store.counts.isOn)
                            for number in 0..<8 {
                                #expect(store.find(.sample(number))?.isSame(as: .sample(number)) != false)
                            }
                            #expect(
                                store.store(.sample(100)) && store.find(.sample(100)) != nil, "\(call) \(code) \(first)"
                            )
                            #expect(folder.names(in: "tmp").isEmpty, "\(call) \(code) \(first)")
                            #expect(!folder.names().contains { $0.contains("trash") }, "\(call) \(code) \(first)")
                            #expect(folder.entryFiles.count == store.counts.entryCount, "\(call) \(code) \(first)")
                            if outcome.forcedCount == 0 { break }
                            first += first < 4 ? 1 : 41
                        }
                    }
                }
            }
        }

        private static func useEverything(_ store: EntryStore, _ maintenance: Maintenance) {
            for number in 0..<8 { store.store(.sample(number)) }
            for number in 0..<8 {
                if let found = store.find(.sample(number)) { #expect(found.isSame(as: .sample(number))) }
            }
            let large = EntryRecord.sample(50, byteCount: 9000)
            store.store(large)
            _ = store.find(large)
            store.remove(EntryRecord.sampleKey(1), tag: 7)
            for number in 20..<50 {
                store.store(.sample(number, tag: 9))
                maintenance.settle()
            }
            for number in 0..<4 { _ = store.mark(EntryRecord.sampleKey(number), tag: 8, cost: .zero) }
            _ = store.tryLock(EntryRecord.sampleKey(1))
            store.purge(tag: 9)
            #expect(store.find(EntryRecord.sampleKey(45), tag: 9) == nil)
            store.purgeAll()
            #expect(store.find(.sample(2)) == nil)
            maintenance.settle()
        }

        @Test func readingThatFails_isAMiss_andRemovesNothing() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let store = try folder.open()
                #expect(store.store(.sample(1)))
                for call in [FaultableCall.diskOpen, .diskStat, .diskRead] {
                    for code in [EIO, EACCES, EMFILE, ENOMEM] {
                        ForcedErrors.arm(call, first: 1, code: code)
                        #expect(store.find(.sample(1)) == nil)
                        #expect(ForcedErrors.disarm().forcedCount == 1)
                        #expect(store.find(.sample(1)) != nil)
                    }
                }
                #expect(folder.events.isEmpty)
            }
        }

        /// EMLINK: the file of the markers has as many names as it may have.
        @Test func markerThatCannotBeLinked_isAFileOfItsOwn_toWhichTheNextAreLinked() async {
            await #expect(processExitsWith: .success) {
                for code in [EMLINK, EPERM, EXDEV, EOPNOTSUPP, EACCES, ENOENT] {
                    let folder = try TestFolder()
                    let store = try folder.open()
                    func mark(_ numbers: Range<Int>) {
                        for number in numbers {
                            #expect(store.mark(EntryRecord.sampleKey(number), tag: 9, cost: .zero), "\(code)")
                        }
                    }
                    mark(0..<10)
                    // The second time with the folder made again.
                    ForcedErrors.arm(.diskLink, first: 1, times: code == ENOENT ? 2 : 1, code: code)
                    mark(10..<20)
                    #expect(ForcedErrors.disarm().forcedCount > 0, "\(code)")
                    #expect(try folder.inodes.count == 2, "\(code)")
                    ForcedErrors.arm(.diskLink, first: 1, times: 1 << 40, code: code)
                    mark(20..<30)
                    ForcedErrors.disarm()
                    #expect(try folder.inodes.count == 12, "\(code)")
                    mark(30..<40)
                    #expect(try folder.inodes.count == 12, "\(code)")
                    #expect(store.counts.isOn && folder.events.isEmpty, "\(code)")
                    #expect(try folder.open().purge(tag: 9) == 40, "\(code)")
                    #expect(folder.entryFiles.isEmpty, "\(code)")
                }
            }
        }

        @Test func shortageOfDescriptors_turnsNothingOff() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let store = try folder.open()
                for code in [EMFILE, ENFILE, ENOMEM] {
                    ForcedErrors.arm(.diskOpen, first: 1, code: code)
                    #expect(!store.store(.sample(1)))
                    ForcedErrors.disarm()
                    #expect(store.store(.sample(1)))
                }
                #expect(folder.events.isEmpty)
            }
        }

        @Test func purgeThatCannotRemove_holdsBackUntilItCan() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let store = try folder.open()
                let maintenance = store.makeMaintenance()
                for (call, isWhole) in [
                    (FaultableCall.diskUnlink, false), (.diskList, false), (.diskOpen, false), (.diskRename, true),
                ] {
                    for number in 0..<5 { #expect(store.store(.sample(number))) }
                    #expect(store.store(.sample(0, tag: 8)))
                    ForcedErrors.arm(call, first: 1, times: 1 << 40, code: EIO)
                    if isWhole { store.purgeAll() } else { #expect(store.purge(tag: 7) == 0) }
                    ForcedErrors.disarm()
                    #expect(!folder.entryFiles.isEmpty)
                    for number in 0..<5 {
                        #expect(store.find(.sample(number)) == nil)
                        #expect(!store.contains(EntryRecord.sampleKey(number), tag: 7))
                    }
                    #expect((store.find(.sample(0, tag: 8)) == nil) == isWhole)
                    folder.clock.advance(by: .seconds(60))
                    maintenance.settle()
                    #expect(folder.entryFiles.count == (isWhole ? 0 : 1))
                    #expect(store.counts.isOn)
                    folder.clock.advance(by: .seconds(60))
                }
            }
        }

        @Test func folderThatCannotBeWrittenTo_isOpenedForReading() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                #expect(try folder.open().store(.sample(1)))
                try FileManager.default.removeItem(atPath: folder.storePath + "/lock")
                // Opening the folder works, all after that does not.
                ForcedErrors.arm(.diskOpen, first: 2, times: 1 << 40, code: EROFS)
                let store = try folder.open()
                ForcedErrors.disarm()
                #expect(folder.events == [.turnedOff(Errno(code: EROFS))])
                #expect(store.find(.sample(1)) != nil)
                #expect(!store.store(.sample(2)))
                folder.clock.advance(by: .seconds(1))
                store.makeMaintenance().settle()
                #expect(store.store(.sample(2)))
                #expect(folder.events == [.turnedOff(Errno(code: EROFS)), .turnedOn])
                // The lock file too.
                let other = try folder.open()
                let lock = store.tryLock(EntryRecord.sampleKey(1))
                #expect(lock != nil && other.tryLock(EntryRecord.sampleKey(1)) == nil)
            }
        }

        /// A store without its lock file would let two processes render one picture for as long as it is open.
        @Test func storeOpenedInWantOfDescriptors_stillLocks() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                var openedCount = 0
                for call in 1...8 {
                    ForcedErrors.arm(.diskOpen, first: call, times: 1, code: EMFILE)
                    let store = try? folder.open()
                    ForcedErrors.disarm()
                    guard let store else { continue }
                    openedCount += 1
                    let other = try folder.open()
                    let lock = store.tryLock(EntryRecord.sampleKey(1))
                    #expect(lock != nil && other.tryLock(EntryRecord.sampleKey(1)) == nil, "call \(call)")
                }
                #expect(openedCount > 0 && openedCount < 8)
            }
        }

        @Test func diskFullOfEntries_isMadeRoomOn_andNotFilledAgain() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let store = try folder.open()
                let maintenance = store.makeMaintenance()
                maintenance.settle()
                for number in 0..<100 { #expect(store.store(.sample(number))) }
                ForcedErrors.arm(.diskWrite, first: 1, times: 2, code: ENOSPC)
                #expect(!store.store(.sample(200, byteCount: 10_000)))
                folder.clock.advance(by: .seconds(1))
                maintenance.tryAgain()
                #expect(store.counts.isOn)
                ForcedErrors.disarm()
                // A sixteenth of what filled the disk stays free.
                #expect((92...94).contains(store.counts.entryCount))
                for number in 300..<400 {
                    #expect(store.store(.sample(number)))
                    maintenance.tryAgain()
                    #expect(store.counts.entryCount <= 94)
                }
                // The disk turns out to have room after all.
                maintenance.scan.nextAt = MonotonicInstant(nanoseconds: 0)
                maintenance.goRound(folder.clock)
                for number in 400..<500 {
                    #expect(store.store(.sample(number)))
                    maintenance.tryAgain()
                }
                #expect(store.counts.entryCount > 150)
                #expect(folder.events == [.turnedOff(Errno(code: ENOSPC)), .turnedOn])
            }
        }
    }

    extension Maintenance {
        /// Tries to store if it is due, without a scan.
        func tryAgain() {
            scan.nextAt = .distantFuture
            settle()
        }
    }
#endif
