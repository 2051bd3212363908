import URLSigning

extension Setting {
    /// Who may have what, and how much of it.
    static let access: [Setting] = [
        path("token-file", \.tokenFile, "file of one token, or of two for rotation, besides --token; default none")
            .reloadable,
        keys(
            "keys", \.keys, "keys that sign URLs; images and maps then need a signature; default none: they need none"
        ).reloadable,
        set("unsigned", \.unsigned, "what needs no signature although there are keys; default off").reloadable,
        count(
            "budget", \.budget, in: 0...1_000_000,
            "seconds of processor time a minute for each client; 0: no limit; default 0"),
        count("budget-depth", \.budgetDepth, in: 1...86_400, "seconds of processor time a client may save; default 60"),
        choice("budget-owner", \.budgetOwner, "whose budget a request is charged to; default address"),
        choice(
            "forwarded-field", \.forwardedField,
            "field in which trusted proxies name their clients; default x-forwarded-for"
        ).reloadable,
        hosts("hosts", \.hosts, "host names that this server answers to; default off: all").reloadable,
        flag("presets-only", \.presetsOnly, "allow images only by id and preset; default off"),
        count(
            "image-side", \.imageSide, in: 0...8192,
            "maximum device pixels of a side of an image; default 0: what the format holds"),
        sizes("sizes", \.sizes, "allowed widths and heights of images in device pixels; default off: all"),
        choice(
            "size-rule", \.sizeRule,
            "what to do with other lengths than --sizes: round them up, or refuse; default round"),
        text(
            "metrics-listen", \.metricsListen, allowed: "host:port, [v6]:port or unix:/path",
            "another address for /metrics and /health, which then has /metrics alone; default none"),
        choice("listing", \.listing, "who may list assets; default on").reloadable,
        choice("originals", \.originals, "who may download originals; default on").reloadable,
        choice("metadata", \.metadata, "who may read descriptions and embedded metadata; default on").reloadable,
        choice("explain", \.explain, "who may ask for explain=1; default on").reloadable,
        choice("isolation", \.isolation, "which images are decoded in separate, confined processes; default all"),
        set("compat", \.compat, "other servers whose addresses are answered as they answer them; default off")
            .reloadable,
    ]

    private static func keys(_ name: String, _ path: Path<SigningKeys?>, _ purpose: String) -> Setting {
        let allowed =
            "\(SigningKey.allowed); up to \(SigningKeys.countLimit), separated by commas, the one that signs first"
        var setting = value(name, path, allowed: allowed, purpose) { text -> SigningKeys?? in
            let parts = entries(of: text)
            guard let keys = SigningKeys(parts.compactMap(SigningKey.init)), keys.count == parts.count else {
                return nil
            }
            return keys
        }
        setting.isSecret = true
        return setting
    }

    private static func set<Choice: RawRepresentable & CaseIterable & Hashable & SendableMetatype>(
        _ name: String, _ path: Path<Set<Choice>>, _ purpose: String
    ) -> Setting where Choice.RawValue == String {
        let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas, or off"
        return value(name, path, allowed: allowed, purpose) { text in
            if text == "off" { return [] }
            let choices = entries(of: text).map { Choice(rawValue: $0) }
            return choices.contains(nil) ? nil : Set(choices.compactMap(\.self))
        }.taking(Choice.allCases.map(\.rawValue) + ["off"])
    }

    private static func hosts(_ name: String, _ path: Path<HostNames?>, _ purpose: String) -> Setting {
        value(name, path, allowed: HostNames.allowed, purpose) { text -> HostNames?? in
            if text == "off" { return .some(nil) }
            guard let hosts = HostNames(entries(of: text)) else { return nil }
            return hosts
        }
    }

    private static func sizes(_ name: String, _ path: Path<[Int]>, _ purpose: String) -> Setting {
        value(name, path, allowed: "up to 64 whole numbers from 1 to 8192, separated by commas, or off", purpose) {
            text -> [Int]? in
            if text == "off" { return [] }
            let sizes = entries(of: text).map { entry in
                entry.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(entry) : nil
            }
            guard (1...64).contains(sizes.count),
                !sizes.contains(where: { $0.map { !(1...8192).contains($0) } ?? true })
            else { return nil }
            return Set(sizes.compactMap(\.self)).sorted()
        }
    }
}
