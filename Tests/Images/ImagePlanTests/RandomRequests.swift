import ImagePlan
import SeededRandom

/// Queries of `/asset` made at random: every parameter in one of three cases, in random order, each with a valid value. Some
/// of the combinations are refused.
struct RandomRequests {
    var generator: SeededGenerator

    private static let choices: [(String, [String])] = [
        ("width", ["1", "800", "33.30p", "8192"]), ("height", ["600", "50p", "07"]),
        ("dpr", ["2", "0.50", "1.25", "4"]), ("fit", Fit.allCases.map(\.rawValue)), ("enlarge", ["0", "1"]),
        (
            "crop",
            [
                "1,2,3,4", "0.1,0.20,.5,1", "0,0.0,1,1", "60x40", "60x40,left", "16:9", "1.91:1,top", "square",
                "square,attention", "4:3,entropy,bottom", "60x40,0.25x1", "smart", "0.3x0.7",
            ]
        ),
        (
            "gravity",
            Compass.allCases.map(\.rawValue) + [
                "smart", "attention,top", "entropy,center", "focus", "focus,left", "0.5x0.5", "1x0", ".25x0.750",
            ]
        ),
        ("rotate", ["auto", "none", "90", "-180", "360", "15", "-15.50", "345", "7.5,straighten", "180,straighten"]),
        ("flip", ["h", "v", "hv"]), ("trim", ["0", "12", "255"]),
        (
            "filter",
            [
                "grayscale", "blur:1.10,contrast:0", "sharpen,brightness:-3.0", "blur(2),tint(red, 40),hue:-30",
                "unsharp:2:1:0,look:noir", "duotone:000:fff:100,noise:20:0,noise(20,7)", "threshold:128,sepia(100)",
                "median:2,pixelate(8),edges,emboss()", "gamma:1,exposure:.5,vignette:50",
                "blur:4:1:2.50:10p:20", "pixelate(8,0p,0,100p,30.0p),blur:2",
            ]
        ),
        ("bg", ["red", "f00", "%23ff000000", "12345678", "blur"]),
        ("pad", ["0", "12", "0p,0", "5,10.50p", "1,2,3", "4,2,4,2", "0,0,0,7p"]), ("radius", ["5", "50p", "12.50p"]),
        ("mask", ["circle", "ellipse"]),
        (
            "overlay",
            [
                "logo.png", "a/b:c/logo.png:top:0:0", "https://h:80/l.png:center", "l:bottom-right:-4:08",
                "l:top:1:2:.5", "l:center:0:0:25.0p:0.30", "l:left:0:0:1:0", "a%7Cb.png:top%7Crotate:-350.50",
                "l%7CTile:07%7Crotate:360",
            ]
        ),
        (
            "text",
            [
                "hello", "a%20%20b%5Cn%5C%7C%5C%5C%7Csize:12%7Cbold:1",
                "%D7%A9%D7%9C%D7%95%D7%9D%7Ccolor:red%7Cgravity:bottom",
                "x%7Coutline:000,1.50%7Cbackground:ff000080,4%7Coffset:-4,08%7Copacity:.5",
                "x%7Cwidth:50.0p%7Clines:2%7Calign:left",
                "x%7Csize:06p%7Ccolor:fff%7Clines:100%7Cwidth:90p%7Crotate:0%7Cbold:0%7Coffset:0,0", "x%7Copacity:0",
                "x%7Crotate:30%7Ctile:20",
            ]
        ),
        ("page", ["1", "02"]), ("pages", ["all"]),
        ("format", ["auto", "json"] + OutputFormat.allCases.map(\.rawValue)),
        ("q", ["1", "080", "100", "auto", "auto:80", "auto:70.50"]), ("bytes", ["100", "80k", "1.5m", "80000"]),
        ("lossless", ["0", "1"]), ("colors", ["2", "016", "256"]), ("progressive", ["0", "1"]),
        ("effort", ["1", "10"]),
        ("metadata", MetadataPolicy.allCases.map(\.rawValue)), ("profile", ColorProfile.allCases.map(\.rawValue)),
        ("hdr", GainMapPolicy.allCases.map(\.rawValue)),
        ("default", ["missing.png"]), ("download", ["a%20b.jpg"]), ("explain", ["0", "1"]),
    ]

    mutating func next() -> String {
        var items = ["id=a%C3%A9+%26.jpg"]
        for (name, values) in Self.choices where Int.random(in: 0..<3, using: &generator) == 0 {
            items.append("\(name)=\(values[Int.random(in: 0..<values.count, using: &generator)])")
        }
        return items.shuffled(using: &generator).joined(separator: "&")
    }
}
