import ImagePlan
package import Parameters

extension MapRequest {
    /// The one text of this picture: full names, fixed order, no defaults, numbers in shortest form. Parsing it gives the
    /// request again. It is what is keyed, tagged and signed; a negotiated format is not part of it.
    package var canonical: String {
        var query = CanonicalQuery()
        for item in canonicalItems { query.append(item.name, item.value) }
        return query.text
    }

    /// The items of the canonical query.
    package var canonicalItems: [QueryItem] {
        var items = ItemList()
        appendPlacement(to: &items)
        appendPicture(to: &items)
        appendLook(to: &items)
        for overlay in overlays { items.append(OverlayForm.item(overlay)) }
        appendEncoding(to: &items)
        for point in points { items.append("point", OverlayForm.text(point)) }
        return items.items
    }

    private func appendPlacement(to items: inout ItemList) {
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

    private func appendPicture(to items: inout ItemList) {
        if widthPx != Self.usualSide { items.append("width", widthPx.description) }
        if heightPx != Self.usualSide { items.append("height", heightPx.description) }
        if scale != 1 { items.append("scale", scale.description) }
        if bearing != 0 { items.append("bearing", bearing.description) }
        if pitch != 0 { items.append("pitch", pitch.description) }
        if padding != usualPadding { items.append("padding", padding.canonical) }
    }

    private func appendLook(to items: inout ItemList) {
        if let style { items.append("style", style) }
        if let theme { items.append("theme", theme.rawValue) }
        if !look.hasLabels { items.append("labels", "off") }
        switch look.interests {
        case .style: break
        case .all: items.append("poi", "all")
        case .none: items.append("poi", "none")
        case .only(let classes): items.append("poi", classes.joined(separator: ","))
        }
        if !look.languages.isEmpty { items.append("language", look.languages.joined(separator: ",")) }
        if let below = look.below { items.append("below", below) }
        if look.attribution != .bottomRight { items.append("attribution", look.attribution.rawValue) }
    }

    private func appendEncoding(to items: inout ItemList) {
        if !filters.isEmpty { items.append("filter", filters.map(\.canonical).joined(separator: ",")) }
        if let format { items.append("format", format.rawValue) }
        if let quality { items.append("quality", quality.description) }
        if let downloadName { items.append("download", downloadName) }
    }
}

extension MapRequest: Equatable {
    /// Compares canonical texts, which are ASCII: names are compared byte by byte, where `String` would hold composed and
    /// decomposed letters for equal.
    package static func == (left: MapRequest, right: MapRequest) -> Bool {
        left.canonical == right.canonical
    }
}

/// Items in the order in which they are added.
private struct ItemList {
    var items: [QueryItem] = []

    mutating func append(_ name: String, _ value: String) { items.append(QueryItem(name: name, value: value)) }

    mutating func append(_ item: QueryItem) { items.append(item) }
}
