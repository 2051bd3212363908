package import Bytes
package import ImagePlan

extension ImageEngine {
    /// `master` with the bytes of those levels alone that an image of `request` is made of, so that fewer go to another process.
    /// The image is the same. Decodes nothing.
    package static func reducedMaster(
        _ master: SharedBytes, for request: ImageRequest, accepting: Acceptance, options: RenderOptions
    ) -> SharedBytes {
        let reduced = reducedMaster(
            byteCount: master.count, for: request, accepting: accepting, options: options,
            read: { master.slice($0) })
        return reduced ?? master
    }

    /// The same of a master of `byteCount` bytes, which `read` reads in parts; nil where all of it is needed, or it cannot be read.
    package static func reducedMaster(
        byteCount: Int, for request: ImageRequest, accepting: Acceptance, options: RenderOptions,
        read: (Range<Int>) -> SharedBytes?
    ) -> SharedBytes? {
        var parts: [Range<Int>] = []
        // Parts of originals, which stand in the place of masters, are none.
        guard let head = read(0..<min(byteCount, Master.headByteCount)),
            var reduced = try? Master(
                head: head, byteCount: byteCount,
                part: { part in
                    parts.append(part)
                    return SharedBytes([])
                }), (try? options.limits.check(reduced.header.size, isDecodedWhole: false)) != nil,
            let needed = reduced.places(for: request, accepting: accepting, options),
            needed.count < reduced.levels.count
        else { return nil }
        for place in needed {
            guard let bytes = read(parts[place]) else { return nil }
            reduced.levels[place].bytes = bytes
        }
        if reduced.gainMap != nil, let part = parts.last {
            guard let map = read(part) else { return nil }
            reduced.gainMap = map
        }
        return reduced.encoded()
    }
}

extension Master {
    /// Of the levels for `request`, and for looking for what is of interest; nil where an image needs the original.
    fileprivate func places(for request: ImageRequest, accepting: Acceptance, _ options: RenderOptions) -> Set<Int>? {
        var (places, analysis): (Set<Int>, AnalysisResults) = ([], [:])
        func next() -> Planning? {
            try? request.planning(for: header, accepting: accepting, analysis: analysis, limits: options.results)
        }
        while let planning = next() {
            switch planning {
            case .plan(let plan): return place(for: plan).map { places.union([$0]) }
            case .ask(let query):
                // Wherever it is found, the sizes are the same.
                guard case .focus(_, let region, _) = query, analysis[query] == nil,
                    let place = place(for: PixelAnalysis.overviewPlan(of: region, header, pages: .one(0)))
                else { return nil }
                places.insert(place)
                analysis[query] = .nothing
            }
        }
        return nil
    }
}
