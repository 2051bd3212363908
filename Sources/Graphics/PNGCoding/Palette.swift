struct NumberedPixels: ~Copyable {
    /// In the order in which the colors were found.
    let numbers: ByteBuffer
    let palette: Palette
}

/// The colors in the order of the file, transparent ones first: tRNS ends with the last of them (§11.3.1.1).
struct Palette {
    let bits: Int
    /// Grey if the indices are the shades themselves.
    let type: PNGCoding.ColorType
    /// The chunks PLTE and tRNS.
    let chunks: [UInt8]
    /// The index of each color, in the order in which they were found.
    let places: [UInt8]

    /// Nil for shades of grey that need 8 bits: the image stays grey.
    init?(colors: [UInt32], isGrey: Bool) {
        if isGrey {
            let depths = [1, 2, 4].filter { bits in
                colors.allSatisfy { ($0 & 255).isMultiple(of: UInt32(255 / ((1 << bits) - 1))) }
            }
            guard let bits = depths.first else { return nil }
            self.bits = bits
            type = .grey
            chunks = []
            places = colors.map { UInt8(Int($0 & 255) * ((1 << bits) - 1) / 255) }
            return
        }
        type = .palette
        let order = colors.indices.sorted {
            let isFirst = (colors[$0] >> 24 < 255, colors[$1] >> 24 < 255)
            return isFirst.0 != isFirst.1 ? isFirst.0 : colors[$0] & 0xff_ffff < colors[$1] & 0xff_ffff
        }
        var places = [UInt8](repeating: 0, count: 256)
        for (place, number) in order.enumerated() { places[number] = UInt8(clamping: place) }
        self.places = places
        bits = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
        let table = order.flatMap { number in [16, 8, 0].map { UInt8(colors[number] >> $0 & 255) } }
        let alpha = order.map { UInt8(colors[$0] >> 24) }.prefix { $0 < 255 }
        chunks = PNGCoding.chunk("PLTE", table) + (alpha.isEmpty ? [] : PNGCoding.chunk("tRNS", Array(alpha)))
    }
}
