/// A response's directives for shared caches (RFC 9111 §5.2.2, RFC 5861, RFC 8246, RFC 9213). Ignores unknown names; of
/// repeated directives in Cache-Control the stricter counts. Seconds are at most 2^31; a malformed number counts as 0
/// (§4.2.1: such an answer is taken as stale).
package struct ResponseDirectives: Equatable, Sendable {
    package var noStore = false
    /// Without field names.
    package var noCache = false
    /// Without field names.
    package var isPrivate = false
    package var isPublic = false
    package var mustRevalidate = false
    package var proxyRevalidate = false
    package var mustUnderstand = false
    package var noTransform = false
    package var immutable = false
    package var maxAge: Int?
    package var sharedMaxAge: Int?
    package var staleWhileRevalidate: Int?
    package var staleIfError: Int?
    /// `no-cache="…"`: fields not to be used without validation.
    package var noCacheFields: [FieldName] = []
    /// `private="…"`: fields not for shared caches.
    package var privateFields: [FieldName] = []
    /// Whether the directives come from a targeted field, which voids Cache-Control and Expires (RFC 9213 §2.2).
    package var isTargeted = false

    package init() {}

    /// Reads Cache-Control. Linear in its bytes; allocates only for field names.
    package init(_ fields: Fields) { readCacheControl(fields) }

    private mutating func readCacheControl(_ fields: Fields) {
        fields.forEachLine(.cacheControl) { value in
            DirectiveList.forEach(in: value) { name, argument, form in take(name, argument, form) }
        }
    }

    /// Reads the first field of `targets` that is a dictionary with members, or Cache-Control without one. A field that
    /// cannot be read counts as absent (RFC 9213 §2.1).
    package init(_ fields: Fields, targets: [FieldName]) {
        for target in targets where Self.isValid(target, in: fields) {
            isTargeted = true
            fields.forEachLine(target) { value in
                StructuredDictionary.forEach(in: value) { name, argument, form in takeMember(name, argument, form) }
            }
            return
        }
        readCacheControl(fields)
    }

    private static func isValid(_ name: FieldName, in fields: Fields) -> Bool {
        var isValid = fields.contains(name)
        fields.forEachLine(name) { value in
            if !StructuredDictionary.isValid(value) { isValid = false }
        }
        return isValid
    }

    /// Takes a member of a dictionary, where the last of one name counts and no number is quoted.
    private mutating func takeMember(_ name: RawSpan, _ argument: RawSpan, _ form: DirectiveArgument) {
        forget(name)
        if form == .negated { return }
        let isText = name.equals("no-cache") || name.equals("private")
        take(name, argument, form == .quoted && !isText ? .malformed : form)
    }

    private mutating func forget(_ name: RawSpan) {
        switch name.byteCount {
        case 6 where name.equals("public"): isPublic = false
        case 7 where name.equals("max-age"): maxAge = nil
        case 7 where name.equals("private"): (isPrivate, privateFields) = (false, [])
        case 8 where name.equals("no-cache"): (noCache, noCacheFields) = (false, [])
        case 8 where name.equals("no-store"): noStore = false
        case 8 where name.equals("s-maxage"): sharedMaxAge = nil
        case 9 where name.equals("immutable"): immutable = false
        case 12 where name.equals("no-transform"): noTransform = false
        case 14 where name.equals("stale-if-error"): staleIfError = nil
        case 15 where name.equals("must-revalidate"): mustRevalidate = false
        case 15 where name.equals("must-understand"): mustUnderstand = false
        case 16 where name.equals("proxy-revalidate"): proxyRevalidate = false
        case 22 where name.equals("stale-while-revalidate"): staleWhileRevalidate = nil
        default: break
        }
    }

    /// Directives that allow something count only in their proper form; those that forbid, in any.
    private mutating func take(_ name: RawSpan, _ argument: RawSpan, _ form: DirectiveArgument) {
        switch name.byteCount {
        case 6 where name.equalsIgnoringCase("public"): isPublic = isPublic || form == .none
        case 7 where name.equalsIgnoringCase("max-age"): maxAge = Self.stricter(maxAge, argument, form)
        case 7 where name.equalsIgnoringCase("private"):
            if let names = DirectiveList.fieldNames(argument, form) { privateFields += names } else { isPrivate = true }
        case 8 where name.equalsIgnoringCase("no-cache"):
            if let names = DirectiveList.fieldNames(argument, form) { noCacheFields += names } else { noCache = true }
        case 8 where name.equalsIgnoringCase("no-store"): noStore = true
        case 8 where name.equalsIgnoringCase("s-maxage"): sharedMaxAge = Self.stricter(sharedMaxAge, argument, form)
        case 9 where name.equalsIgnoringCase("immutable"): immutable = immutable || form == .none
        case 12 where name.equalsIgnoringCase("no-transform"): noTransform = true
        case 14 where name.equalsIgnoringCase("stale-if-error"):
            staleIfError = Self.stricter(staleIfError, argument, form)
        case 15 where name.equalsIgnoringCase("must-revalidate"): mustRevalidate = true
        case 15 where name.equalsIgnoringCase("must-understand"): mustUnderstand = mustUnderstand || form == .none
        case 16 where name.equalsIgnoringCase("proxy-revalidate"): proxyRevalidate = true
        case 22 where name.equalsIgnoringCase("stale-while-revalidate"):
            staleWhileRevalidate = Self.stricter(staleWhileRevalidate, argument, form)
        default: break
        }
    }

    private static func stricter(_ earlier: Int?, _ argument: RawSpan, _ form: DirectiveArgument) -> Int {
        min(earlier ?? .max, DirectiveList.seconds(argument, form) ?? 0)
    }
}
