import Tiles

// The Protomaps basemap schema exists in two dialects. Version 4 says `kind` and `kind_detail`; versions 2 and 3 say
// `pmap:kind` and leave the detail in the OpenStreetMap keys. Both are read here and nowhere else.

/// Sorts the features of one layer into buckets.
struct LayerClassifier {
    private let layer: VectorLayer
    private let source: SourceLayer
    private let kindKey: Int?
    private let detailKeys: [Int]
    private let levelKey: Int?
    private let bridgeKey: Int?
    private let tunnelKey: Int?
    private let adminKey: Int?
    /// The word of each value that was asked for: texts are compared once per layer, not per feature.
    private var words: [WordEntry]

    private enum WordEntry {
        case unread
        case read(ClassWord?)
    }

    /// The layers of the schema that the style draws.
    enum SourceLayer: String {
        case earth, landcover, landuse, natural, water, physical_line, buildings, roads, transit, boundaries

        var detailKeys: [String] {
            switch self {
            case .natural: ["kind_detail", "natural", "landuse", "leisure"]
            case .landuse: ["kind_detail", "landuse", "leisure", "amenity", "aeroway", "highway"]
            case .water, .physical_line: ["kind_detail", "waterway", "water", "natural"]
            case .roads: ["kind_detail", "highway", "aeroway", "railway"]
            case .transit: ["kind_detail", "railway", "route", "aeroway"]
            case .earth, .landcover, .buildings, .boundaries: ["kind_detail"]
            }
        }
    }

    /// A classifier, or nil for a layer that the style does not draw.
    init?(_ layer: VectorLayer) {
        guard let source = SourceLayer(rawValue: layer.name) else { return nil }
        self.layer = layer
        self.source = source
        kindKey = layer.keyIndex("kind") ?? layer.keyIndex("pmap:kind")
        detailKeys = source.detailKeys.compactMap { layer.keyIndex($0) }
        levelKey = layer.keyIndex("pmap:level")
        bridgeKey = layer.keyIndex("is_bridge")
        tunnelKey = layer.keyIndex("is_tunnel")
        adminKey = layer.keyIndex("kind_detail") ?? layer.keyIndex("pmap:min_admin_level")
        words = Array(repeating: .unread, count: layer.values.count)
    }

    /// The bucket of a feature, or nil when it is not drawn.
    mutating func bucket(of feature: VectorFeature) -> FeatureBucket? {
        let isArea = feature.kind == .polygon
        guard isArea || feature.kind == .line else { return nil }
        switch source {
        case .earth: return isArea ? .earth : nil
        case .buildings: return isArea && word(of: feature, kindKey) != .address ? .building : nil
        case .water, .physical_line: return waterBucket(feature, isArea: isArea)
        case .landcover, .landuse, .natural: return isArea ? landBucket(feature) : nil
        case .roads, .transit: return isArea ? nil : roadBucket(feature)
        case .boundaries: return isArea ? nil : boundaryBucket(feature)
        }
    }

    private mutating func word(of feature: VectorFeature, _ key: Int?) -> ClassWord? {
        guard let key, let index = layer.valueIndex(of: feature, keyIndex: key), index < words.count else { return nil }
        if case .read(let word) = words[index] { return word }
        let word = layer.values[index].text.flatMap(ClassWord.find)
        words[index] = .read(word)
        return word
    }

    private mutating func detail(of feature: VectorFeature) -> ClassWord? {
        for key in detailKeys {
            if let word = word(of: feature, key) { return word }
        }
        return nil
    }

    private func isTrue(_ feature: VectorFeature, _ key: Int?) -> Bool {
        guard let key, let value = layer.value(of: feature, keyIndex: key) else { return false }
        if case .bool(let flag) = value { return flag }
        return (value.number ?? 0) != 0 || value.text == "yes" || value.text == "true"
    }

    private mutating func waterBucket(_ feature: VectorFeature, isArea: Bool) -> FeatureBucket? {
        if isArea { return source == .water ? .water : nil }
        let kind = word(of: feature, kindKey)
        let detail = detail(of: feature)
        switch kind == .waterway || kind == nil ? detail : kind {
        case .river, .canal: return .river
        case .stream: return .stream
        default: return nil
        }
    }

    private mutating func landBucket(_ feature: VectorFeature) -> FeatureBucket? {
        if let bucket = Self.landBucket(word(of: feature, kindKey)) { return bucket }
        return Self.landBucket(detail(of: feature))
    }

    private static func landBucket(_ word: ClassWord?) -> FeatureBucket? {
        switch word {
        case .residential, .urban_area: .residential
        case .industrial, .commercial, .railway, .brownfield, .quarry, .landfill, .retail: .industrial
        case .school, .university, .college, .kindergarten, .hospital, .institution: .institution
        case .farmland, .orchard, .vineyard, .farmyard, .plant_nursery, .allotments: .farmland
        case .grass, .meadow, .grassland, .greenfield, .heath, .scrub, .recreation_ground, .village_green, .flowerbed:
            .grass
        case .park, .garden, .golf_course, .nature_reserve, .national_park, .protected_area, .zoo, .dog_park,
            .playground:
            .park
        case .forest, .wood: .wood
        case .cemetery, .grave_yard: .cemetery
        case .sand, .beach, .dune, .barren: .sand
        case .pitch, .stadium, .track: .pitch
        case .glacier, .ice_shelf: .glacier
        case .aerodrome, .airfield, .apron, .runway, .taxiway: .runwayArea
        case .pedestrian, .footway: .plaza
        default: nil
        }
    }

    private mutating func roadBucket(_ feature: VectorFeature) -> FeatureBucket? {
        let kind = word(of: feature, kindKey)
        let detail = detail(of: feature)
        if kind == .ferry || detail == .ferry { return .ferry }
        if kind == .runway || kind == .taxiway || detail == .runway || detail == .taxiway { return .runway }
        guard let road = Self.roadClass(kind: kind, detail: detail, inTransit: source == .transit) else { return nil }
        var level = RoadLevel.ground
        if let levelKey, let value = layer.value(of: feature, keyIndex: levelKey)?.number {
            level = value < 0 ? .tunnel : value > 0 ? .bridge : .ground
        }
        if isTrue(feature, tunnelKey) { level = .tunnel }
        if isTrue(feature, bridgeKey) { level = .bridge }
        return .road(road, level)
    }

    private static func roadClass(kind: ClassWord?, detail: ClassWord?, inTransit: Bool) -> RoadClass? {
        if inTransit || kind == .rail || kind == .railway {
            switch detail {
            case .rail, .light_rail, .funicular, .narrow_gauge, .monorail, nil: return .rail
            default: return nil
            }
        }
        switch (kind, detail) {
        case (.highway, .trunk?), (.highway, .trunk_link?): return .major
        case (.highway, _): return .highway
        case (.major_road, .secondary?), (.major_road, .secondary_link?), (.major_road, .tertiary?),
            (.major_road, .tertiary_link?), (.medium_road, _):
            return .medium
        case (.major_road, _): return .major
        case (.minor_road, .service?), (.minor_road, .pedestrian?), (_, .pedestrian?), (_, .living_street?):
            return .service
        case (.minor_road, _): return .minor
        case (.other, .service?): return .service
        case (_, .footway?), (_, .path?), (_, .steps?), (_, .cycleway?), (_, .bridleway?), (_, .track?), (.path, _):
            return .path
        default: return nil
        }
    }

    private mutating func boundaryBucket(_ feature: VectorFeature) -> FeatureBucket? {
        switch word(of: feature, kindKey) {
        case .country: return .country
        case .region: return .region
        default: break
        }
        guard let adminKey, let level = layer.value(of: feature, keyIndex: adminKey)?.number else { return nil }
        return level <= 2 ? .country : level <= 4 ? .region : nil
    }
}
