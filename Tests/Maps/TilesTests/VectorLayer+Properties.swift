import Tiles

extension VectorTile {
    func layer(named name: String) -> VectorLayer? { layers.first { $0.name == name } }
}

extension VectorFeature {
    var propertyCount: Int { Int(tagCount / 2) }
}

extension VectorLayer {
    func keyIndex(_ key: String) -> Int? { keys.firstIndex(of: key) }

    func value(of feature: VectorFeature, keyIndex: Int) -> TileValue? {
        let first = Int(feature.firstTag)
        let tag = stride(from: first, to: first + Int(feature.tagCount), by: 2).first { Int(tags[$0]) == keyIndex }
        return tag.map { values[Int(tags[$0 + 1])] }
    }
}
