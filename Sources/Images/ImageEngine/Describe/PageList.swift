import Bytes
package import ImagePlan

/// What is said of one page, or of one frame of an animation, without showing it.
package struct PageDescription: Sendable, Equatable {
    /// Its number, from 1.
    package var number: Int
    /// Width and height as it is shown: turned as EXIF says. Of a drawing, points.
    package var size: PixelSize
    /// What the document calls it, such as `iv`; nil where it has no name. At most 128 bytes of text.
    package var label: String?
    /// A placeholder of about 25 bytes, with alpha (evanw.github.io/thumbhash), of the page as it is shown.
    package var thumbHash: [UInt8]

    /// `thumbHash` in the base64 of RFC 4648 §4, padded.
    package var thumbHashText: String { Base64.text(of: thumbHash) }
}

/// Some pages of a source, one after another.
package struct PageList: Sendable, Equatable {
    package var format: SourceFormat
    /// Pages or frames of the source, listed or not.
    package var pageCount: Int
    /// Those that were asked for, in order; fewer where they would have cost more than `microsecondLimit`.
    package var pages: [PageDescription]

    /// What one list may be predicted to cost, in CPU time of one core; it has one page at least. A constant and no setting:
    /// the same request has the same pages everywhere.
    package static let microsecondLimit = 2_000_000
}

/// Why pages could not be listed, and which of them it was.
package struct PageListError: Error, Equatable, Sendable {
    package let error: ImageError
    /// The page that could not be read, from 1; nil where it is the source.
    package let page: Int?
}
