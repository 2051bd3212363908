/// What stands in the corners of a picture: the attribution, the scale bar and the north arrow.
struct CornerBoxes {
    let attribution: AttributionBox?
    let scaleBar: ScaleBarBox?
    let northArrow: NorthArrowBox?
    let zones: [Box]

    init(_ lines: [String], _ additions: MapAdditions, _ frame: Frame) {
        attribution = additions.attributionCorner.flatMap { AttributionBox(lines, $0, frame) }
        var corners = CornerLayout(frame.view.camera)
        if let attribution { corners.add(attribution.zone) }
        scaleBar = additions.scaleBar.flatMap { ScaleBarBox($0, in: &corners, frame) }
        northArrow = additions.northCorner.flatMap { NorthArrowBox($0, in: &corners, frame) }
        zones = corners.zones
    }

    func paint(_ frame: Frame) {
        attribution?.paint(frame)
        scaleBar?.paint()
        northArrow?.paint()
    }
}
