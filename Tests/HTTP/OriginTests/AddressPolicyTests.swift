import HTTPMessage
import Testing

@testable import Origin

/// The table of addresses, in the spellings that get past checks of others.
@Suite(.timeLimit(.minutes(5))) struct AddressPolicyTests {
    /// What nothing may ever be fetched from.
    static let notGlobal = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "192.0.0.1",
        "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
        "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        // IPv6 that is not global unicast.
        "::", "::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254", "fdff::1", "ff02::1", "100::1",
        "100:0:0:1::1", "5f00::1", "64:ff9b:1::1", "4000::1", "1fff::1",
        // Documentation, benchmarks, ORCHID, Teredo whatever is in it.
        "2001:db8::1", "3fff::1", "3fff:fff::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:808:808::f7f7:f7f7",
        // IPv4 in IPv6: mapped, compatible, translated, NAT64, 6to4, ISATAP, and one in another.
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "::127.0.0.1",
        "::10.0.0.1",
        "::8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "2002:7f00:1::1",
        "2002:a00:1::", "2002:a9fe:a9fe::1", "2002:808:808::5efe:10.0.0.1", "2a00:1450::5efe:10.0.0.1",
        "2a00:1450::200:5efe:127.0.0.1", "2a00:1450::100:5efe:192.168.1.1", "2a00:1450::300:5efe:169.254.169.254",
        "fe80::5efe:8.8.8.8",
    ]

    @Test(arguments: notGlobal)
    func notGlobal_isRefused(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressPolicy().permits(address))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1",
        "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
        "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2a00:1450:4001:801::200e", "2606:4700:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2000::1", "3ffe::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2a00:1450::5efe:8.8.8.8",
        "2a00:1450::200:5efe:8.8.8.8",
    ])
    func global_isAllowed(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().permits(address))
    }

    @Test func addressWithZone_isRefused_whateverItIs() throws {
        let policy = AddressPolicy(exceptions: [try #require(AddressRange("::/0"))])
        #expect(policy.permits(try #require(IPAddress("fe80::1"))))
        #expect(!policy.permits(try #require(IPAddress("fe80::1")), hasZone: true))
        #expect(!AddressPolicy().permits(try #require(IPAddress("2a00:1450::1")), hasZone: true))
    }

    @Test func exception_allowsItsRange_alsoMapped_andNothingElse() throws {
        let policy = AddressPolicy(exceptions: [try #require(AddressRange("10.1.0.0/16"))])
        #expect(policy.permits(try #require(IPAddress("10.1.255.255"))))
        #expect(policy.permits(try #require(IPAddress("::ffff:10.1.2.3"))))
        #expect(!policy.permits(try #require(IPAddress("10.2.0.0"))))
        // What is only embedded goes where somebody else decides.
        #expect(!policy.permits(try #require(IPAddress("2002:a01:203::1"))))
        #expect(!policy.permits(try #require(IPAddress("64:ff9b::10.1.2.3"))))
        #expect(policy.permits(try #require(IPAddress("8.8.8.8"))))
    }

    @Test(arguments: [
        "", "127.1", "127.0.1", "2130706433", "0x7f.0.0.1", "0x7f000001", "0177.0.0.1", "127.0.0.01", "127.0.0.1.",
        "127.0.0.256",
        " 127.0.0.1", "127.0.0.1 ", "١٢٧.0.0.1", "[::1]", "::1%lo", "fe80::1%25eth0", ":::", "1::2::3", "::ffff:127.1",
        "1:2:3:4:5:6:7", "g::",
    ])
    func otherSpellings_areNoAddress(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0", 8), ("::1", "::1", 128), ("192.0.2.7", "192.0.2.7", 32), ("0.0.0.0/0", "0.0.0.0", 0),
        ("fd00::/8", "fd00::", 8), ("2001:db8:0:0:1::/80", "2001:db8:0:0:1::", 80),
    ])
    func range_isRead(_ text: String, _ first: String, _ length: Int) throws {
        let range = try #require(AddressRange(text))
        #expect(range.first == IPAddress(first))
        #expect(range.prefixLength == length)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "10.1.0.0/8", "fe80::1/10",
        "10.0.0.0/ 8",
        "10.0.0.0/0008",
    ])
    func wrongRange_isRefused(_ text: String) { #expect(AddressRange(text) == nil) }
}
