public import Foundation
import Parameters

extension BuiltURL {
    /// The same with a signature of its own, which ends at `end`, or never.
    public func signed(with key: URLKey, until end: Date? = nil) throws(VedutaError) -> BuiltURL {
        let resource = try SignedTarget(self)
        return adding(signature: key.credentials(of: "veduta-1\n\(resource.path)\n\(resource.query)", until: end))
    }

    /// The same with the signature of a set, which it must belong to: the server refuses others. It ends at `end`, or never.
    public func signed(with key: URLKey, as set: SignedSet, until end: Date? = nil) -> BuiltURL {
        adding(signature: key.credentials(of: set, until: end))
    }
}

extension URLKey {
    /// The parameters `allow`, `expires` and `sig` that sign a set, encoded; they end at `end`, or never.
    public func credentials(of set: SignedSet, until end: Date? = nil) -> String {
        let allow = ParameterList.text([QueryItem(name: "allow", value: set.rules)])
        return allow + "&" + credentials(of: "veduta-set-1\n\(set.rules)", until: end)
    }
}
