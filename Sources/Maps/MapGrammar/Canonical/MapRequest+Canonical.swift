import ImagePlan
package import Parameters

extension MapRequest {
    /// The canonical text: full names, fixed order, no defaults, shortest numbers; parsing it gives the request again.
    /// Keys, tags and signatures are made from it; a negotiated format is not part of it.
    package var canonical: String { CanonicalQuery(canonicalItems).text }

    package var canonicalItems: [QueryItem] {
        var items: [QueryItem] = []
        appendPlacement(to: &items)
        appendPicture(to: &items)
        appendLook(to: &items)
        for overlay in overlays { items.append(OverlayWriter.item(overlay)) }
        items += encoding.canonicalItems
        for point in points { items.append("point", OverlayWriter.text(point)) }
        return items
    }

    private func appendPlacement(to items: inout [QueryItem]) {
        switch placement {
        case .center(let latitude, let longitude, let reach):
            items.append("latitude", latitude.description)
            items.append("longitude", longitude.description)
            switch reach {
            case .automatic: break
            case .zoom(let zoom): items.append("zoom", zoom.description)
            case .span(let latitude, let longitude): items.append("span", "\(latitude),\(longitude)")
            case .metres(let width, let height):
                items.append("meters", [width, height].compactMap { $0?.description }.joined(separator: ","))
            }
        case .box(let west, let south, let east, let north, let clip):
            items.append("bbox", "\(west),\(south),\(east),\(north)")
            if clip != .outside { items.append("clip", clip.rawValue) }
        case .overlays(let maxZoom):
            items.append("fit", "overlays")
            if maxZoom != MapPlacement.defaultMaxZoom { items.append("maxzoom", maxZoom.description) }
        }
    }

    private func appendPicture(to items: inout [QueryItem]) {
        if widthPx != Self.usualSide { items.append("width", widthPx.description) }
        if heightPx != Self.usualSide { items.append("height", heightPx.description) }
        if scale != 1 { items.append("scale", scale.description) }
        if bearing != 0 { items.append("bearing", bearing.description) }
        if pitch != 0 { items.append("pitch", pitch.description) }
        if padding != usualPadding { items.append("padding", padding.canonical) }
    }

    private func appendLook(to items: inout [QueryItem]) {
        if let style { items.append("style", style) }
        if let theme { items.append("theme", theme.rawValue) }
        items += look.labelItems
        if let below = look.below { items.append("below", below) }
        if look.attribution != .bottomRight { items.append("attribution", look.attribution.rawValue) }
        if let bar = look.scaleBar { items.append("scalebar", bar.canonical) }
        if let north = look.north { items.append("north", north.rawValue) }
    }
}

extension MapRequest: Equatable {
    /// Compares canonical texts. They are ASCII, so that unlike with `String`, composed and decomposed letters differ.
    package static func == (left: MapRequest, right: MapRequest) -> Bool { left.canonical == right.canonical }
}

extension MapLook {
    /// Labels, points of interest and languages, which tiles have too.
    var labelItems: [QueryItem] {
        var items: [QueryItem] = []
        if !hasLabels { items.append("labels", "off") }
        switch interests {
        case .style: break
        case .all: items.append("poi", "all")
        case .none: items.append("poi", "none")
        case .only(let classes): items.append("poi", classes.joined(separator: ","))
        }
        if !languages.isEmpty { items.append("language", languages.joined(separator: ",")) }
        return items
    }
}

extension [QueryItem] {
    mutating func append(_ name: String, _ value: String) { append(QueryItem(name: name, value: value)) }
}
