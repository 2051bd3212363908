import HTTPMessage
import Bytes
import ImagePlan
import Origin
import SharedCache

/// The kinds of settings: what text they take and how it is read.
extension Setting {
    typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

    /// `read` turns the text into a value, or refuses it with nil.
    static func value<Value: Equatable & SendableMetatype>(
        _ name: String, _ path: Path<Value>, allowed: String,
        _ purpose: String, read: @escaping @Sendable (String) -> Value?
    ) -> Setting {
        Setting(
            name: name, allowed: allowed, purpose: purpose,
            apply: { text, configuration in
                guard let value = read(text) else { return false }
                configuration[keyPath: path] = value
                return true
            },
            differs: { $0[keyPath: path] != $1[keyPath: path] },
            copy: { $1[keyPath: path] = $0[keyPath: path] })
    }

    /// The same of a value that may be absent; a text that is refused does not count as absent.
    static func optional<Value: Equatable & SendableMetatype>(
        _ name: String, _ path: Path<Value?>, allowed: String,
        _ purpose: String, read: @escaping @Sendable (String) -> Value?
    ) -> Setting {
        value(name, path, allowed: allowed, purpose) { text in read(text).map { .some($0) } }
    }

    var hidden: Setting {
        var setting = self
        setting.isSecret = true
        return setting
    }

    /// Takes effect when the configuration is read again.
    var reloadable: Setting {
        var setting = self
        setting.isReloadable = true
        return setting
    }

    func taking(_ words: [String]) -> Setting {
        var setting = self
        setting.words = words
        return setting
    }

    static func text(_ name: String, _ path: Path<String>, allowed: String, _ purpose: String) -> Setting {
        value(name, path, allowed: allowed, purpose) { text in
            // A value that ends up in a field must not be able to end it.
            isPrintable(text) ? text : nil
        }
    }

    static func text(_ name: String, _ path: Path<String?>, allowed: String, _ purpose: String) -> Setting {
        optional(name, path, allowed: allowed, purpose) { isPrintable($0) ? $0 : nil }
    }

    private static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }

    static func path(_ name: String, _ path: Path<String?>, _ purpose: String) -> Setting {
        var setting = optional(name, path, allowed: "a path", purpose) { $0.utf8.contains(0) ? nil : $0 }
        setting.isPath = true
        return setting
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Equatable & SendableMetatype>(
        _ name: String, _ path: Path<Choice>, _ purpose: String
    ) -> Setting where Choice.RawValue == String {
        let words = Choice.allCases.map(\.rawValue)
        let allowed = "one of " + words.joined(separator: ", ")
        return value(name, path, allowed: allowed, purpose) { Choice(rawValue: $0) }.taking(words)
    }

    static func flag(_ name: String, _ path: Path<Bool>, _ purpose: String) -> Setting {
        value(name, path, allowed: "on or off, or 1 or 0", purpose) {
            ["on": true, "off": false, "1": true, "0": false][$0]
        }.taking(["on", "off"])
    }

    static func formats(_ name: String, _ path: Path<Set<SourceFormat>>, _ purpose: String) -> Setting {
        let known: [SourceFormat] = [.svg, .pdf, .jxl, .bmp, .ico]
        let allowed = "some of \(known.map(\.rawValue).joined(separator: ", ")), separated by commas, or off"
        return value(name, path, allowed: allowed, purpose) { text -> Set<SourceFormat>? in
            if text == "off" { return [] }
            let names = entries(of: text)
            let formats = names.compactMap { name in known.first { $0.rawValue == name } }
            return formats.count == names.count ? Set(formats) : nil
        }.taking(known.map(\.rawValue) + ["off"])
    }

    static func origins(_ name: String, _ path: Path<AllowedOrigins>, _ purpose: String) -> Setting {
        value(name, path, allowed: AllowedOrigins.allowed, purpose) { AllowedOrigins($0) }
    }

    static func remoteOrigins(_ name: String, _ path: Path<OriginList>, _ purpose: String) -> Setting {
        let allowed = "origins such as https://images.example.com or https://*.example.org, separated by commas, or off"
        return value(name, path, allowed: allowed, purpose) { text in
            text == "off" ? OriginList.none : try? OriginList(entries(of: text))
        }
    }

    static func addressRanges(_ name: String, _ path: Path<[AddressRange]>, _ purpose: String) -> Setting {
        value(name, path, allowed: "addresses or ranges such as 10.0.0.0/8, separated by commas, or off", purpose) {
            text in
            if text == "off" { return [] }
            let ranges = entries(of: text).map { AddressRange($0) }
            return ranges.contains(nil) ? nil : ranges.compactMap(\.self)
        }
    }

    static func url(_ name: String, _ path: Path<OriginURL?>, _ purpose: String) -> Setting {
        optional(name, path, allowed: "a URL such as https://s3.example.org", purpose) {
            (try? OriginURL($0)).flatMap { $0.target == "/" ? $0 : nil }
        }
    }

    static func publicURL(_ name: String, _ path: Path<PublicURL?>, _ purpose: String) -> Setting {
        optional(name, path, allowed: "a URL such as https://maps.example.org", purpose) { PublicURL($0) }
    }

    static func proxies(_ name: String, _ path: Path<TrustedProxies>, _ purpose: String) -> Setting {
        value(name, path, allowed: TrustedProxies.allowed, purpose) { text in
            text == "off" ? TrustedProxies.none : TrustedProxies(entries(of: text))
        }
    }

    static func secret(_ name: String, _ path: Path<Secret?>, _ purpose: String) -> Setting {
        optional(name, path, allowed: "up to 4096 visible characters", purpose) { Secret($0) }.hidden
    }

    static func s3Credentials(_ name: String, _ path: Path<S3CredentialChoice>, _ purpose: String) -> Setting {
        value(name, path, allowed: S3CredentialChoice.allowed, purpose) { S3CredentialChoice($0) }
            .taking(S3CredentialChoice.words)
    }

    /// It may hold a password.
    static func sharedCache(_ name: String, _ path: Path<RedisAddress?>, _ purpose: String) -> Setting {
        optional(name, path, allowed: RedisAddress.allowed, purpose) { RedisAddress($0) }.hidden
    }

    static func sharedPrefix(_ name: String, _ path: Path<SharedPrefix>, _ purpose: String) -> Setting {
        value(name, path, allowed: SharedPrefix.allowed, purpose) { SharedPrefix($0) }
    }

    static func buckets(_ name: String, _ path: Path<[String]>, _ purpose: String) -> Setting {
        value(name, path, allowed: "names of buckets, separated by commas, or off", purpose) { text in
            if text == "off" { return [] }
            let names = entries(of: text)
            return names.allSatisfy(S3Location.isBucket) ? names : nil
        }
    }

    /// An empty entry stays; the code that reads the entries refuses it.
    static func entries(of text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed { $0 == " " }) }
    }

    static func token(_ name: String, _ path: Path<AccessToken?>, _ purpose: String) -> Setting {
        optional(name, path, allowed: AccessToken.allowed, purpose) { AccessToken($0) }.hidden
    }

    static func count(_ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ purpose: String) -> Setting {
        value(name, path, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)", purpose) { text in
            guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(text) else { return nil }
            return range.contains(value) ? value : nil
        }
    }

    static func size(_ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ purpose: String) -> Setting {
        value(name, path, allowed: "bytes, or a number with the suffix k, m or g such as 256m", purpose) { text in
            byteCount(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func byteCount(_ text: String) -> Int? {
        let shifts: [Character: Int] = ["k": 10, "K": 10, "m": 20, "M": 20, "g": 30, "G": 30]
        let shift = text.last.flatMap { shifts[$0] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(digits) else {
            return nil
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        return overflow ? nil : product
    }
}
