import Reactor
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct AddressCountsTests {
    @Test func limit_isPerIPv4Address_whateverThePort() {
        let counts = AddressCounts()
        let first = (1...3).map { counts.open(.ipv4(0x0A00_0001, port: UInt16($0)), limit: 2) }
        #expect(first == [true, true, false])
        #expect(counts.open(.ipv4(0x0A00_0002, port: 1), limit: 2))
    }

    @Test func closedConnection_makesRoomForOne() {
        let counts = AddressCounts()
        let address = SocketAddress.ipv4(0x7F00_0001, port: 9)
        #expect(counts.open(address, limit: 1))
        counts.close(address)
        #expect(counts.open(address, limit: 1))
        #expect(!counts.open(address, limit: 1))
    }

    @Test func refusedConnection_isNotCounted() {
        let counts = AddressCounts()
        let address = SocketAddress.ipv4(0x7F00_0001, port: 9)
        #expect(counts.open(address, limit: 1))
        for _ in 0..<5 { #expect(!counts.open(address, limit: 1)) }
        counts.close(address)
        #expect(counts.open(address, limit: 1))
    }

    @Test func networkOfIPv6_isOneClient() throws {
        let counts = AddressCounts()
        let inside = try #require(SocketAddress("[2001:db8:1:2::1]:1"))
        let beside = try #require(SocketAddress("[2001:db8:1:2:ffff:ffff:ffff:ffff]:2"))
        let outside = try #require(SocketAddress("[2001:db8:1:3::1]:1"))
        #expect(counts.open(inside, limit: 1))
        #expect(!counts.open(beside, limit: 1))
        #expect(counts.open(outside, limit: 1))
    }

    @Test func numbersOfBothFamilies_areSetApart() {
        let counts = AddressCounts()
        #expect(counts.open(.ipv4(7, port: 1), limit: 1))
        #expect(counts.open(.ipv6(7, 0, port: 1, scope: 0), limit: 1))
    }

    @Test func ipv4WithinIPv6_countsAsIPv4() throws {
        let counts = AddressCounts()
        let first = try #require(SocketAddress("[::ffff:10.0.0.1]:1"))
        let second = try #require(SocketAddress("[::ffff:10.0.0.2]:1"))
        #expect(counts.open(first, limit: 1))
        #expect(counts.open(second, limit: 1))
        #expect(!counts.open(.ipv4(0x0A00_0001, port: 1), limit: 1))
    }

    @Test func localSockets_haveNoLimit() {
        let counts = AddressCounts()
        for peer in [SocketAddress.local(path: ""), nil] {
            for _ in 0..<3 { #expect(counts.open(peer, limit: 1)) }
            counts.close(peer)
        }
    }
}
