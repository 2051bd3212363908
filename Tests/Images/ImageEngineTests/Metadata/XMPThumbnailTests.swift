import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// #15: small pictures inside a packet show what a picture was before it was cut.
    @Suite struct XMPThumbnailTests {
        private func packet(_ content: String, _ attributes: String = "") -> String {
            "<?xpacket begin='' id='W5M0'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
                + "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
                + "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:xmpGImg='http://ns.adobe.com/xap/1.0/g/img/' "
                + "\(attributes) xmp:Rating='5'><!-- a <comment> -->\(content)<xmp:Label>LABEL</xmp:Label></rdf:Description></rdf:RDF>"
                + "</x:xmpmeta><?xpacket end='r'?>"
        }

        private static let thumbnails =
            "<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType='Resource'><xmpGImg:width>9</xmpGImg:width>"
            + "<xmpGImg:image>/9j/SECRET</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>"

        @Test(arguments: [
            thumbnails, thumbnails.replacing("xmp:", with: "xap:"), thumbnails.replacing(">", with: " >"),
            "<xmp:PageInfo><rdf:li><xmpGImg:image>SECRET</xmpGImg:image></rdf:li></xmp:PageInfo>",
            "<a:PageInfo xmlns:g = \"http://ns.adobe.com/xap/1.0/g/img/\"><rdf:li g:width='9' g:image='SECRET'/></a:PageInfo>",
            "<xmp:Thumbnails/><!-- <xmp:Thumbnails>SECRET -->",
            "<xmp:Thumbnails><xmp:Thumbnails>SECRET</xmp:Thumbnails>SECRET</xmp:Thumbnails>",
        ])
        func smallPictures_areLeftOut_andNothingElse(_ content: String) throws {
            let whole = packet(content)
            let kept = String(decoding: XMPPacket.withoutThumbnails(Array(whole.utf8)), as: UTF8.self)
            #expect(!kept.contains("SECRET") && !kept.contains("Thumbnails"), "\(kept)")
            #expect(kept.contains("<xmp:Label>LABEL</xmp:Label></rdf:Description>") && kept.contains("xmp:Rating='5'"))
            #expect(kept.hasSuffix("<?xpacket end='r'?>") && kept.hasPrefix("<?xpacket begin"))
            let bare = packet("")
            #expect(String(decoding: XMPPacket.withoutThumbnails(Array(bare.utf8)), as: UTF8.self) == bare)
        }

        /// Each prefix is compared once, however often it is declared.
        @Test func prefixesThatAreDeclaredAgain_areReadInTime() {
            let declared = "<a xmlns:g='http://ns.adobe.com/xap/1.0/g/img/' b:image='KEPT' g:image='SECRET'/>"
            let whole = packet(String(repeating: declared, count: 20_000))
            let kept = String(decoding: XMPPacket.withoutThumbnails(Array(whole.utf8)), as: UTF8.self)
            #expect(kept.contains("KEPT") && !kept.contains("SECRET"))
        }

        /// Each byte belongs to one name. A name that ran on to the end would be read again from every sign in it.
        @Test func manySignsBehindThumbnails_areReadOnce() {
            func kept(_ packet: String) -> String {
                String(decoding: XMPPacket.withoutThumbnails(Array(packet.utf8)), as: UTF8.self)
            }
            for count in [1 << 19, 1 << 20] {
                let signs = String(repeating: "<", count: count)
                #expect(kept("<a><Thumbnails>" + signs) == "<a>")
                #expect(kept("<a><Thumbnails>" + signs + "</Thumbnails></a>") == "<a></a>")
            }
            let signs = String(repeating: "<", count: 100_000)
            let strayed = kept("<a>" + signs + "<Thumbnails>SECRET</Thumbnails></a>")
            #expect(strayed == "<a>" + signs + "</a>")
            #expect(kept("<a><Thumbnails>SECRET</Thumbnails<b>SECRET</Thumbnails></a>") == "<a></a>")
        }

        /// What is too long to be read as XMP is not passed on.
        @Test func packetsOverTheLimit_areLeftOut() throws {
            var xmp = Array(packet("").utf8)
            xmp += [UInt8](repeating: 0x20, count: XMPReader.byteLimit)
            let long = MetadataWriter.adding(
                try texture(40, 30, .webp), .webp, ImageMetadata(xmp: xmp), profile: nil, widthPx: 40, heightPx: 30)
            let content = try render(long, "width=20&metadata=keep", .png).content
            #expect(content.count < 100_000)
        }

        @Test func brokenPackets_loseTheirEnd() {
            let whole = Array(packet(Self.thumbnails).utf8)
            for count in 0..<whole.count {
                let kept = XMPPacket.withoutThumbnails(Array(whole[..<count]))
                #expect(kept.count <= count && !String(decoding: kept, as: UTF8.self).contains("SECRET"))
            }
        }

        @Test func keptMetadata_hasNoSmallPictures() throws {
            let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet(Self.thumbnails).utf8)
            let jpeg = inserting(0xe1, xmp, into: try texture(40, 30, .jpeg))
            for format in [OutputFormat.jpeg, .webp] {
                let content = try render(jpeg, "width=20&metadata=keep", format).content
                let text = String(decoding: content.array, as: UTF8.self)
                #expect(text.contains("LABEL") && !text.contains("SECRET"), "\(format)")
            }
        }
    }
}
