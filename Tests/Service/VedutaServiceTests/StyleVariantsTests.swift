import MapGrammar
import MapRender
import MapSources
import MapStyle
import Testing

@testable import VedutaService

/// Styles of looks are kept in bounded memory, whatever lists requests have (#15.5).
@Suite(.timeLimit(.minutes(5))) struct StyleVariantsTests {
    private func look(_ number: Int, classes count: Int) -> MapLook {
        var look = MapLook()
        look.interests = .only((0..<count).map { "class_of_many_\(number)_\($0)" })
        return look
    }

    @Test func longLists_weighMore_andFewerAreKept() throws {
        let studio = try MapServices.world()
        let entry = try studio.style(nil)
        let variants = StyleVariants()
        let style = variants.style(entry, look(0, classes: 1))
        #expect(variants.style(entry, look(0, classes: 1)).layers.first === style.layers.first)
        let short = variants.byteCount
        _ = variants.style(entry, look(1, classes: 32))
        let long = variants.byteCount - short
        #expect(long > short)
        // A few more than there is room for.
        for number in 2..<(StyleVariants.byteCapacity / long + 4) {
            _ = variants.style(entry, look(number, classes: 32))
        }
        #expect(variants.byteCount <= StyleVariants.byteCapacity)
        #expect(variants.byteCount > StyleVariants.byteCapacity / 2)
    }

    /// Tiles stay in the engine's cache; what they know of layers must not keep the layers of every look there ever was.
    @Test func stylesThatAreLetGo_areNotHeldByTiles() throws {
        let studio = try MapServices.world()
        let entry = try studio.style(nil)
        let camera = Camera(longitude: 11, latitude: 43, zoom: 3, width: 64, height: 64)
        weak var layer: StyleLayer?
        do {
            let style = StyleVariants().style(entry, look(0, classes: 4))
            layer = style.layers.first { $0.sourceLayer == "places" } ?? style.layers.last { $0.source != nil }
            #expect(layer != nil)
            _ = try studio.engine.render(style, camera, resources: entry.resources)
        }
        #expect(layer == nil)
    }
}
