// Many images of one request that was read once: each is what its canonical text would be read as.
extension ImageRequest {
    /// This request in another box, with an open format.
    package func boxed(width: BoxLength, height: BoxLength?) -> ImageRequest {
        var request = self
        (request.width, request.height, request.format) = (width, height, nil)
        return request.normalised()
    }

    package func encoded(as format: OutputFormat) -> ImageRequest {
        var request = self
        request.format = format
        return request.normalised()
    }

    /// Whether its canonical text has faults, where it differs in box and format from a request that was read, and its sides are
    /// in range.
    package var hasConflicts: Bool {
        if isDescription || !encodingConflicts.isEmpty { return true }
        return dpi != nil && (width != nil || height != nil)
    }
}
