import SeededRandom
import Testing

@testable import ImageEngine

/// A packet as programs write it, `properties` inside a description of the picture, behind one of something else.
func xmpPacket(_ properties: String, attributes: String = "") -> [UInt8] {
    Array(
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="test"><!-- a <comment> -->
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="43,46N"/>
          <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'
            xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" \(attributes)>
        \(properties)
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """.utf8)
}

/// Everything that is looked for, with much that is not.
let everyCredit = xmpPacket(
    """
    <photoshop:City>SECRETCITY</photoshop:City><photoshop:History/>
    <dc:creator>\n<rdf:Seq>\n<rdf:li>Ada  Lovelace</rdf:li><rdf:li> Čapek &amp; &#x160;imek&#32;</rdf:li></rdf:Seq></dc:creator>
    <dc:description><rdf:Alt><rdf:li xml:lang="x-default">SECRETWORDS</rdf:li></rdf:Alt></dc:description>
    <dc:rights><rdf:Alt><rdf:li xml:lang="de">Alle Rechte</rdf:li>
      <rdf:li xml:lang="x-default"><![CDATA[<All> "rights" & more]]></rdf:li></rdf:Alt></dc:rights>
    <xmpRights:UsageTerms><rdf:Alt><rdf:li xml:lang="x-default">Ask &lt;first&gt;</rdf:li></rdf:Alt></xmpRights:UsageTerms>
    <xmpRights:WebStatement>https://example.org/terms?a=1&amp;b=2</xmpRights:WebStatement>
    <photoshop:Source>The Archive</photoshop:Source>
    <xmpMM:Ingredients><rdf:Bag><rdf:li rdf:parseType="Resource">
      <dc:creator><rdf:Seq><rdf:li>SECRETOTHER</rdf:li></rdf:Seq></dc:creator></rdf:li></rdf:Bag></xmpMM:Ingredients>
    """, attributes: #"xmpRights:Marked="True" photoshop:Credit='Agency "A"' photoshop:Headline="SECRETHEADLINE""#)

let everyCreditRead = Credits(
    creators: ["Ada  Lovelace", "Čapek & Šimek"],
    rights: [
        .init(language: "de", text: "Alle Rechte"), .init(language: "x-default", text: "<All> \"rights\" & more"),
    ], usageTerms: [.init(language: "x-default", text: "Ask <first>")],
    webStatement: "https://example.org/terms?a=1&b=2", isMarked: true, credit: "Agency \"A\"", source: "The Archive")

@Suite(.timeLimit(.minutes(5))) struct CreditsTests {
    @Test func everyPropertyIsRead() { #expect(XMPReader.credits(in: everyCredit) == everyCreditRead) }

    @Test func whatIsWrittenIsRead_andIsNothingElse() throws {
        let packet = try #require(XMPPacket.bytes(for: everyCreditRead))
        var read = everyCreditRead
        read.rights.reverse()
        #expect(XMPReader.credits(in: packet) == read)
        #expect(packet.count < 1500)
        #expect(!String(decoding: packet, as: UTF8.self).contains("SECRET"))
        #expect(XMPPacket.bytes(for: Credits()) == nil)
    }

    /// Prefixes are what a document says that they are, here and not elsewhere.
    @Test func prefixesAreLookedUp() {
        let credit = "http://ns.adobe.com/photoshop/1.0/"
        func read(_ properties: String) -> String? { XMPReader.credits(in: xmpPacket(properties))?.credit }
        #expect(read("<p:Credit xmlns:p=\"\(credit)\">A</p:Credit>") == "A")
        #expect(read("<p:Credit xmlns:p=\"http://example.org/\">A</p:Credit>") == nil)
        #expect(read("<photoshop:Credit xmlns:photoshop=\"http://example.org/\">A</photoshop:Credit>") == nil)
        #expect(read("<q xmlns:p=\"\(credit)\"/><p:Credit>A</p:Credit>") == nil)
        #expect(read("<q xmlns:photoshop=\"x\"></q><photoshop:Credit>A</photoshop:Credit>") == "A")
        #expect(read("<Credit>A</Credit>") == nil)
    }

    @Test func propertiesOfOtherPicturesAreTheirs() {
        func read(_ properties: String) -> Credits? { XMPReader.credits(in: xmpPacket(properties)) }
        let inner = "<rdf:Description photoshop:Credit=\"A\"><dc:creator>B</dc:creator></rdf:Description>"
        #expect(read("<xmpMM:DerivedFrom>\(inner)</xmpMM:DerivedFrom>") == nil)
        #expect(read("<photoshop:Credit>\(inner)</photoshop:Credit>") == nil)
        #expect(read("<dc:creator><rdf:Seq><rdf:li>\(inner)</rdf:li></rdf:Seq></dc:creator>") == nil)
        // A single text where a list belongs is taken.
        #expect(read("<dc:creator>Ada</dc:creator>")?.creators == ["Ada"])
    }

    @Test(arguments: [
        "<photoshop:Credit>&who;</photoshop:Credit>", "<photoshop:Credit>&#0;</photoshop:Credit>",
        "<photoshop:Credit>&#xD800;</photoshop:Credit>", "<photoshop:Credit>&#x110000;</photoshop:Credit>",
        "<photoshop:Credit>&#99999999999;</photoshop:Credit>", "<photoshop:Credit>a & b</photoshop:Credit>",
        "<photoshop:Credit>&#-1;</photoshop:Credit>", "<photoshop:Credit>&#x;</photoshop:Credit>",
        "<photoshop:Credit> \n </photoshop:Credit>", "<photoshop:Credit>a</photoshop:City>",
        "<photoshop:Credit>a", "<photoshop:Credit", "<photoshop:Credit a=\"", "<!DOCTYPE a>", "</a>", "<<a>", "< a/>",
    ])
    func whatIsBrokenIsNothing(_ properties: String) { #expect(XMPReader.credits(in: xmpPacket(properties)) == nil) }

    /// Nobody declares anything: not outside, and not a billion times.
    @Test func documentTypesEndTheReading() {
        let entities =
            "<!DOCTYPE x [<!ENTITY a \"AAAA\"><!ENTITY b \"&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>"
        let packet = Array(entities.utf8) + xmpPacket("<photoshop:Credit>A</photoshop:Credit>")
        #expect(XMPReader.credits(in: packet) == nil)
    }

    @Test func textsLoseWhatXMLCannotHold() {
        let text = "\u{1b}[31m\tA\u{0}\u{9b}\u{FFFE}\u{FFFF}\nB "
        #expect(Credits.text(Array(text.utf8)) == "[31m A B")
        #expect(Credits.text(Array(String(repeating: "é", count: 9000).utf8))?.utf8.count == Credits.textByteLimit)
        #expect(Credits.text([0x20, 0x0a, 0x20]) == nil)
    }

    @Test func otherEncodingsAreNothing() {
        let wide = everyCredit.flatMap { (byte: UInt8) -> [UInt8] in [0, byte] }
        #expect(XMPReader.credits(in: wide) == nil)
        #expect(XMPReader.credits(in: everyCredit.map { $0 == UInt8(ascii: "&") ? 0xff : $0 }) == nil)
        #expect(XMPReader.credits(in: []) == nil)
    }

    /// As long as a packet may be, of every kind that costs: what comes out is small.
    @Test(arguments: [
        ("", "<dc:a/>"), ("", "<!---->"), ("<dc:a>", "&amp;"), ("<dc:rights>", "&"), ("<photoshop:Credit>", "x"),
        ("<dc:creator><rdf:Seq>", "<rdf:li>\(String(repeating: "&quot;", count: 900))</rdf:li>"),
        ("", String(repeating: "<a>", count: 60) + String(repeating: "</a>", count: 60)),
        ("", "<dc:creator>\(String(repeating: "&lt;", count: 4000))</dc:creator>"),
        ("<dc:a ", String(repeating: "photoshop:Credit='' ", count: 255)), ("", "<a"), ("", "\""), ("<dc:a b=\"", "<"),
    ])
    func theLongestPacketStaysSmall(_ start: String, _ unit: String) {
        let end = Array("</rdf:Description></rdf:RDF>".utf8)
        var packet = Array(
            String(decoding: everyCredit, as: UTF8.self).split(separator: "</rdf:Description>")[0].utf8)
        packet += Array(start.utf8)
        let room = XMPReader.byteLimit - packet.count - end.count
        let filling = Array(unit.utf8)
        for _ in 0..<(room / filling.count) { packet += filling }
        packet += [UInt8](repeating: 0x20, count: XMPReader.byteLimit - packet.count - end.count) + end
        #expect(packet.count == XMPReader.byteLimit)
        expectSmall(XMPReader.credits(in: packet))
        #expect(XMPReader.credits(in: packet + [0x20]) == nil)
    }

    /// Prefixes and attributes: what is looked up is neither many times many.
    @Test func theMostPrefixesAndAttributesStaySmall() {
        let prefixes = (0..<60).map { "xmlns:p\($0)=''" }.joined(separator: " ")
        let description = "<rdf:Description " + String(repeating: "q:Credit='' ", count: 255) + "/>"
        let count = XMPReader.byteLimit / description.utf8.count - 2
        let packet =
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \(prefixes)>"
            + String(repeating: description, count: count)
            + "<rdf:Description xmlns:p=\"http://ns.adobe.com/photoshop/1.0/\" p:Credit=\"A\"/></rdf:RDF>"
        #expect(XMPReader.credits(in: Array(packet.utf8))?.credit == "A")
    }

    @Test func tooMuchOfAnything_isNothing() {
        let deep = String(repeating: "<a>", count: 70) + String(repeating: "</a>", count: 70)
        let wide = "<a \(String(repeating: "b='' ", count: 257))/>"
        let prefixes = "<a \((0..<70).map { "xmlns:p\($0)=''" }.joined(separator: " "))/>"
        for unit in [deep, wide, prefixes, String(repeating: "<a/>", count: 200_001)] {
            #expect(XMPReader.credits(in: xmpPacket("<dc:creator>Ada</dc:creator>" + unit)) == nil)
        }
    }

    @Test func packetsThatBreakOffAreNothing() throws {
        let text = String(decoding: everyCredit, as: UTF8.self)
        let end = try #require(text.utf8Count(through: "</rdf:RDF>"))
        for count in 0..<everyCredit.count {
            let credits = XMPReader.credits(in: Array(everyCredit[..<count]))
            #expect(credits == (count < end ? nil : everyCreditRead))
        }
    }

    @Test(arguments: [
        ("tiff:Orientation=\"6\"", "tiff:Orientation=\"1\""), ("tiff:Orientation = '8' ", "tiff:Orientation = '1' "),
        ("<tiff:Orientation>3</tiff:Orientation>", "<tiff:Orientation>1</tiff:Orientation>"),
        ("tiff:Orientation=\"1\"", "tiff:Orientation=\"1\""), ("tiff:Orientation=\"", "tiff:Orientation=\""),
        ("Orientation=\"6\"", "Orientation=\"6\""), ("tiff:OrientationX=\"6\"", "tiff:OrientationX=\"6\""),
        ("tiff:Orientation", "tiff:Orientation"), ("O", "O"), ("", ""),
    ])
    func uprightPicturesSaySo(_ before: String, _ after: String) {
        #expect(XMPPacket.upright(Array(before.utf8)) == Array(after.utf8))
    }

    private static let others = Credits(
        creators: ["Ada"], rights: [.init(language: "x-default", text: "(c) <Ada>")], credit: "Agency")

    private static let fillings: [(properties: String, expected: Credits)] = [
        ("", others), ("<dc:creator/>", others), ("<dc:creator xml:lang='de'> </dc:creator>", others),
        (
            "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\"></rdf:li></rdf:Alt></dc:rights><photoshop:Credit/>",
            others
        ),
        (
            "<dc:creator><rdf:Seq><rdf:li>Eve</rdf:li></rdf:Seq></dc:creator>",
            Credits(creators: ["Eve"], rights: others.rights, credit: "Agency")
        ),
        // What cannot be read may be a credit.
        (
            "<dc:creator><rdf:Seq><rdf:li rdf:parseType='Resource'><rdf:value>E</rdf:value></rdf:li></rdf:Seq></dc:creator>",
            Credits(rights: others.rights, credit: "Agency")
        ),
        ("<dc:rights rdf:resource='https://a.org/'/>", Credits(creators: ["Ada"], credit: "Agency")),
        ("<dc:rights><!-- of whom? --></dc:rights>", Credits(creators: ["Ada"], credit: "Agency")),
    ]

    /// What a packet says stays; what it has empty is replaced, as a name must not come twice.
    @Test(arguments: fillings)
    func packetsAreFilledWithOtherCredits(_ properties: String, _ expected: Credits) {
        let packet = xmpPacket("<photoshop:City>Brno</photoshop:City>" + properties)
        let filled = XMPPacket.filled(packet, from: Self.others)
        #expect(XMPReader.credits(in: filled) == expected)
        #expect(XMPPacket.filled(filled, from: Self.others) == filled, "once")
        let text = String(decoding: filled, as: UTF8.self)
        #expect(text.contains("<photoshop:City>Brno</photoshop:City>") && text.hasSuffix("<?xpacket end=\"w\"?>"))
        for name in ["<dc:creator", "<dc:rights", "<photoshop:Credit"] {
            #expect(text.ranges(of: name).count == 1, "\(name): \(text)")
        }
    }

    /// Nothing is added to what cannot be read, nor what makes a packet too long for JPEG.
    @Test func packetsThatHaveNoRoom_stay() {
        for packet in [Array("<x:xmpmeta/>".utf8), Array(everyCredit.dropLast(200)), xmpPacket("<a>")] {
            #expect(XMPPacket.filled(packet, from: Self.others) == packet)
        }
        #expect(XMPPacket.filled(everyCredit, from: Self.others) == everyCredit)
        let bare = xmpPacket("<photoshop:City>Brno</photoshop:City>")
        for room in stride(from: 0, through: 1000, by: 50) {
            let padding = [UInt8](repeating: 0x20, count: XMPPacket.segmentLimit - bare.count - room)
            let filled = XMPPacket.filled(bare + padding, from: Self.others)
            #expect(filled.count <= XMPPacket.segmentLimit)
            #expect((XMPReader.credits(in: filled) == Self.others) == (room > 456), "\(room)")
        }
    }

    @Test func damageIsNoHarm() {
        var random = SeededGenerator(state: 77)
        for _ in 0..<4000 {
            expectSmall(XMPReader.credits(in: damaged(everyCredit, &random)))
        }
    }

    /// `credits` are within their limits, and the packet of them says the same as far as it has room.
    private func expectSmall(_ credits: Credits?) {
        guard let credits else { return }
        #expect(credits.creators.count <= Credits.creatorLimit && credits.rights.count <= Credits.languageLimit)
        let texts = credits.creators + (credits.rights + credits.usageTerms).map(\.text)
        let simple = [credits.credit, credits.source, credits.webStatement].compactMap(\.self)
        #expect((texts + simple).allSatisfy { $0.utf8.count <= Credits.textByteLimit })
        let packet = XMPPacket.bytes(for: credits) ?? []
        #expect(packet.count <= XMPPacket.byteLimit)
        let again = XMPReader.credits(in: packet)
        #expect(again != nil, "there is room for something")
        if packet.count < XMPPacket.byteLimit / 2, !packet.isEmpty {
            #expect(again?.creators == credits.creators)
            #expect(Set(again?.rights.map(\.text) ?? []) == Set(credits.rights.map(\.text)))
        }
    }
}

/// `whole` with some bytes changed, cut out or cut off.
func damaged(_ whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        case 1: bytes.removeLast(bytes.count - place)
        case 2, 3: bytes[place] = Array("<>&;\"'/!?=: ".utf8).randomElement(using: &random) ?? 0
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(50), at: place)
        case 5: bytes[place] = 0xff
        case 6: bytes[place] = 0
        default: bytes[place] = UInt8.random(in: 0...127, using: &random)
        }
    }
    return bytes
}

extension String {
    /// Bytes up to the end of the first `mark`.
    fileprivate func utf8Count(through mark: String) -> Int? {
        firstRange(of: mark).map { utf8.distance(from: utf8.startIndex, to: $0.upperBound) }
    }
}
