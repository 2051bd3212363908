import Parameters

/// The numbers of overlays, rounded so that their text is short and gives the same number again.
enum OverlayNumber {
    /// Decimals of degrees: a centimetre.
    static let degreePlaces = 7
    /// Decimals of lengths in pixels and metres, of angles and shares.
    static let lengthPlaces = 4

    /// 0 for what is not finite.
    static func rounded(_ value: Double, places: Int = lengthPlaces) -> Double {
        let unit = places == degreePlaces ? 1e7 : 1e4
        return value.isFinite ? (value * unit).rounded() / unit : 0
    }

    static func text(_ value: Double, places: Int = lengthPlaces) -> String {
        let (unit, scale) = places == degreePlaces ? (1e7, Int64(100)) : (1e4, Int64(100_000))
        let limit = 9e13
        return PlainDecimal(billionths: Int64(max(-limit, min(limit, (value * unit).rounded()))) * scale).description
    }

    /// Degrees in units of 5 or 6 decimal places; nil if it has more decimals.
    static func units(_ degrees: Double, places: Int) -> Int? {
        let fine = Int(max(-9e13, min(9e13, (degrees * 1e7).rounded())))
        let step = places == 5 ? 100 : 10
        return fine % step == 0 ? fine / step : nil
    }
}
