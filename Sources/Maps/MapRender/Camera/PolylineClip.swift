enum PolylineClip {
    static func clip(_ line: [ScreenPoint], to box: Box) -> [[ScreenPoint]] {
        if line.allSatisfy({ $0.x >= box.left && $0.x <= box.right && $0.y >= box.top && $0.y <= box.bottom }) {
            return line.isEmpty ? [] : [line]
        }
        var pieces: [[ScreenPoint]] = []
        for (from, to) in zip(line, line.dropFirst()) {
            guard let (start, end) = cut(from, to, to: box) else { continue }
            if let last = pieces.last?.last, last == start {
                pieces[pieces.count - 1].append(end)
            } else {
                pieces.append([start, end])
            }
        }
        return pieces
    }

    static func cut(_ from: ScreenPoint, _ to: ScreenPoint, to box: Box) -> (ScreenPoint, ScreenPoint)? {
        var (first, last) = (0.0, 1.0)
        let way = to - from
        for (delta, room) in [
            (-way.x, from.x - box.left), (way.x, box.right - from.x), (-way.y, from.y - box.top),
            (way.y, box.bottom - from.y),
        ] {
            if delta == 0 {
                if room < 0 { return nil }
            } else if delta < 0 {
                first = max(first, room / delta)
            } else {
                last = min(last, room / delta)
            }
        }
        guard first <= last else { return nil }
        return (first == 0 ? from : from + way * first, last == 1 ? to : from + way * last)
    }
}
