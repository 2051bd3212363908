/// What a feature is, as far as the style tells features apart. A bucket is drawn as one shape.
enum FeatureBucket: UInt8, CaseIterable {
    case earth
    case residential, industrial, institution, farmland, grass, park, wood, cemetery, sand, pitch, glacier, runwayArea
    case plaza
    case water, river, stream
    case building
    case ferry, runway
    case pathTunnel, serviceTunnel, minorTunnel, mediumTunnel, majorTunnel, highwayTunnel, railTunnel
    case path, service, minor, medium, major, highway, rail
    case pathBridge, serviceBridge, minorBridge, mediumBridge, majorBridge, highwayBridge, railBridge
    case country, region

    /// Whether its features are areas.
    var isArea: Bool { rawValue <= Self.water.rawValue || self == .building }

    /// The bucket for a road of this class on this level.
    static func road(_ road: RoadClass, _ level: RoadLevel) -> FeatureBucket? {
        let first: FeatureBucket =
            switch level {
            case .tunnel: .pathTunnel
            case .ground: .path
            case .bridge: .pathBridge
            }
        return FeatureBucket(rawValue: first.rawValue + road.rawValue)
    }
}

/// How important a road is, from the least; rails behave like one.
enum RoadClass: UInt8, CaseIterable {
    case path, service, minor, medium, major, highway, rail
}

/// Whether a road runs under, on or over the ground.
enum RoadLevel: CaseIterable {
    case tunnel, ground, bridge
}

/// The values of class keys that mean something to the style.
enum ClassWord: String, CaseIterable {
    case earth
    case residential, urban_area, village_green, allotments
    case industrial, commercial, railway, brownfield, quarry, landfill, retail, barren
    case school, university, college, kindergarten, hospital, institution
    case farmland, orchard, vineyard, farmyard, plant_nursery
    case grass, meadow, grassland, greenfield, heath, scrub, recreation_ground, flowerbed
    case park, garden, golf_course, nature_reserve, national_park, protected_area, zoo, dog_park, playground
    case forest, wood, cemetery, grave_yard, sand, beach, dune
    case pitch, stadium, track, glacier, ice_shelf, aerodrome, airfield, apron
    case water, lake, ocean, river, basin, reservoir, canal, riverbank, swimming_pool, playa, dock, bay, strait, fjord
    case stream, ditch, drain, dam, weir, waterway
    case building, building_part, address
    case highway, motorway, motorway_link, trunk, trunk_link, major_road, primary, primary_link
    case medium_road, secondary, secondary_link, tertiary, tertiary_link
    case minor_road, unclassified, road, service, pedestrian, living_street, busway
    case path, footway, cycleway, bridleway, steps, corridor, other
    case rail, light_rail, tram, subway, funicular, narrow_gauge, monorail, preserved, disused, abandoned, construction
    case ferry, runway, taxiway, aerialway
    case country, region

    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The word of `text`, or nil.
    static func find(_ text: String) -> ClassWord? { byText[text] }
}
