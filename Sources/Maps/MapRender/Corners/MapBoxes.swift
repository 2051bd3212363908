/// Where on a picture stands what lies over the map, in CSS pixels from the top left corner.
package struct MapBoxes: Sendable {
    package struct Title: Sendable {
        package let text: String
        /// The letters, or the box behind them.
        package let box: Box
    }

    /// nil: it is not drawn, or there is no room for it.
    package let attribution, scaleBar, northArrow: Box?
    /// The names of markers, in the order of drawing.
    package let titles: [Title]
}
