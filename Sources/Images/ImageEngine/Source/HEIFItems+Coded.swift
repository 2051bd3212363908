import ImagePlan

extension HEIFItems {
    /// HEVC codes whole blocks of up to 64 × 64 pixels, of which some are cut off.
    private static let blockSide = 64

    /// Pixels of the coded images whose data are larger than their property `ispe` tells: decoders go by the data. Each item is
    /// looked at once.
    ///
    /// Throws `corrupt` where a tile, an alpha channel or the primary image has no data in the file, or none that tell a size.
    /// Other images may be broken, as nobody decodes them.
    func largerPixelCounts(_ file: RawSpan, _ boxes: [MediaBox]) throws(ImageError) -> [Int: Int] {
        let places = try HEIFPlaces(file, boxes)
        let needed = try neededItems(file, boxes)
        var units = CodedUnits()
        var counts: [Int: Int] = [:]
        for item in types.keys.sorted() {
            guard let type = types[item], Self.readCodecs.contains(type) else { continue }
            let isNeeded = needed.contains(item)
            guard let data = try places.data(of: item, in: file) else {
                guard !isNeeded else { throw .corrupt(log: "the data of item \(item) are not in the file") }
                continue
            }
            let frames = try codedFrames(of: item, type, data, in: file, counting: &units)
            guard !frames.isEmpty else {
                guard !isNeeded else { throw .corrupt(log: "the data of item \(item) tell no size") }
                continue
            }
            if !isAsTold(frames, item) { counts[item] = frames.pixelCount }
        }
        return counts
    }

    private func codedFrames(
        of item: Int, _ type: String, _ data: HEIFData, in file: RawSpan, counting units: inout CodedUnits
    ) throws(ImageError) -> CodedFrames {
        if type == "hvc1" { return try HEVCFrames.find(data, hevcConfigurations[item], in: file, counting: &units) }
        // Four bytes, then OBUs, which libheif feeds before the data.
        guard let configuration = av1Configurations[item], configuration.count > 4 else {
            return try AV1Frames.find(data, in: file, counting: &units)
        }
        var whole = HEIFData()
        whole.append((configuration.lowerBound + 4)..<configuration.upperBound)
        whole.append(data)
        return try AV1Frames.find(whole, in: file, counting: &units)
    }

    private func isAsTold(_ frames: CodedFrames, _ item: Int) -> Bool {
        guard frames.count <= 1, let told = sizes[item] else { return false }
        return frames.widthPx < told.widthPx + Self.blockSide && frames.heightPx < told.heightPx + Self.blockSide
    }

    /// The primary image, tiles, what others stand for, and alpha channels.
    private func neededItems(_ file: RawSpan, _ boxes: [MediaBox]) throws(ImageError) -> Set<Int> {
        var needed: Set<Int> = []
        if let content = try HEIFBoxes.only("pitm", of: boxes) {
            let width = file.byte(content.lowerBound) == 0 ? 2 : 4
            if content.count >= 4 + width, let primary = file.big(content.lowerBound + 4, width) {
                needed.insert(primary)
            }
        }
        for (item, others) in parts where ["grid", "iden"].contains(types[item]) { needed.formUnion(others) }
        for others in alphas.values { needed.formUnion(others) }
        return needed
    }
}
