import Bytes

/// What an answer tells shared caches (RFC 9111 §5.2.2, RFC 5861, RFC 8246, RFC 9213).
///
/// Names that are not known are passed over. Of repeated directives in Cache-Control the stricter one counts. Seconds are
/// at most 2^31; what should be a number and is none counts as 0 (§4.2.1: such an answer is taken as stale).
package struct ResponseDirectives: Equatable, Sendable {
    /// `no-store`.
    package var noStore = false
    /// `no-cache` without field names: each use needs a validation.
    package var noCache = false
    /// `private` without field names: not for shared caches.
    package var isPrivate = false
    /// `public`.
    package var isPublic = false
    /// `must-revalidate`.
    package var mustRevalidate = false
    /// `proxy-revalidate`.
    package var proxyRevalidate = false
    /// `must-understand`.
    package var mustUnderstand = false
    /// `no-transform`.
    package var noTransform = false
    /// `immutable`.
    package var immutable = false
    /// `max-age` in seconds.
    package var maxAge: Int?
    /// `s-maxage` in seconds.
    package var sharedMaxAge: Int?
    /// `stale-while-revalidate` in seconds.
    package var staleWhileRevalidate: Int?
    /// `stale-if-error` in seconds.
    package var staleIfError: Int?
    /// The fields that `no-cache="…"` names: they are not used without a validation.
    package var noCacheFields: [FieldName] = []
    /// The fields that `private="…"` names: they are not for shared caches.
    package var privateFields: [FieldName] = []
    /// Whether the directives come from a targeted field, so that Cache-Control and Expires are void (RFC 9213 §2.2).
    package var isTargeted = false

    package init() {}

    /// Reads Cache-Control. Linear in its bytes; allocates only for field names.
    package init(_ fields: Fields) {
        readCacheControl(fields)
    }

    private mutating func readCacheControl(_ fields: Fields) {
        fields.forEachLine(.cacheControl) { value in
            DirectiveList.forEach(in: value) { name, argument, form in take(name, argument, form) }
        }
    }

    /// Reads the first field of `targets` that is a dictionary with members; Cache-Control when there is none.
    ///
    /// A field that cannot be read counts as absent (RFC 9213 §2.1).
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

    /// Takes a member of a dictionary, where the last of one name counts and a number is never quoted.
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

    /// Directives that allow something count in their proper form only, those that forbid in any.
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
