import Digest
import Testing

@testable import ResponseCache

@Suite(.timeLimit(.minutes(5))) struct CacheTagTests {
    @Test func anAsset_hasOneTag_whichIsTheBeginningOfTheDigestOfItsID() {
        let tag = CacheTag(assetID: "photos/cat.jpg")
        #expect(tag == CacheTag(assetID: "photos/cat.jpg"))
        #expect(tag.hex == String(SHA256.digest(of: "photos/cat.jpg").hex.prefix(16)))
        #expect(tag != CacheTag(assetID: "photos/cat.jpeg"))
    }

    @Test func aMap_sharesNoTagWithAnAssetOfTheSameName() {
        #expect(CacheTag(map: "latitude=1") != CacheTag(assetID: "latitude=1"))
    }

    @Test func hex_alwaysHas16Digits() {
        #expect(CacheTag(word: 0).hex == "0000000000000000")
        #expect(CacheTag(word: 0xab).hex == "00000000000000ab")
        #expect(CacheTag(word: .max).hex == "ffffffffffffffff")
    }
}
