import Bytes
import HTTPMessage

extension CredentialRequests {
    private typealias Finish = (Result<Renewed<S3Credentials>, S3CredentialFault>) -> Void

    /// A file is read again after this many seconds; until it can be read, the keys that it had serve.
    private static let fileAge = 60
    /// An instance that gives expired credentials has an outage; S3 may take them all the same.
    private static let grace = 300
    private static let metadataPath = "/latest/meta-data/iam/security-credentials/"

    func credentials(of source: S3CredentialSource, _ done: @escaping (Renewed<S3Credentials>?) -> Void) {
        let report = settings.credentialsFailed
        let finish: Finish = { result in
            if case .failure(let fault) = result { report?(source, fault) }
            done(try? result.get())
        }
        do throws(S3CredentialFault) {
            switch source {
            case .keys(let keys): finish(.success(Renewed(value: keys, lifetime: .max)))
            case .profile(let name, let path):
                let keys = try S3Credentials.read(profile: name, path: path)
                finish(.success(Renewed(value: keys, lifetime: .max, renewAfter: Self.fileAge)))
            case .webIdentity(let path, let role, let session, let endpoint):
                var request = form(
                    endpoint,
                    [
                        ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
                        ("RoleSessionName", session), ("WebIdentityToken", try S3Credentials.text(ofFile: path)),
                    ])
                request.limits.firstByte = .seconds(5)
                request.limits.total = .seconds(10)
                ask(request, finish, read: S3Credentials.members(xml:))
            case .container(let url, let token):
                var request = metadata(url)
                if let text = try Self.text(of: token) { request.fields.append(.authorization, text) }
                ask(request, finish, read: S3Credentials.members(json:))
            case .instance(let origin): askInstance(origin, finish)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private static func text(of token: S3CredentialSource.ContainerToken) throws(S3CredentialFault) -> String? {
        let text: String
        var name = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
        switch token {
        case .none: return nil
        case .text(let given): text = given
        case .path(let path):
            text = try S3Credentials.text(ofFile: path)
            name += "_FILE"
        }
        // `Basic …` and the like have a space.
        guard !text.isEmpty, text.split(separator: " ").allSatisfy({ isVisible(String($0)) }),
            text.utf8.count <= 16_384
        else { throw .invalid(name) }
        return text
    }

    /// A token first, which no request that is only passed on can get; then the name of the role; then its credentials.
    private func askInstance(_ origin: OriginURL.Origin, _ finish: @escaping Finish) {
        var request = metadata(OriginURL(origin: origin, target: "/latest/api/token"))
        request.method = "PUT"
        request.content = .bytes(SharedBytes([]))
        request.fields.append("X-aws-ec2-metadata-token-ttl-seconds", "60")
        word(request, finish) { token in
            func get(_ target: String) -> ExchangeRequest {
                var request = metadata(OriginURL(origin: origin, target: target))
                request.fields.append("X-aws-ec2-metadata-token", token)
                return request
            }
            word(get(Self.metadataPath), finish) { role in
                let target = Self.metadataPath + PercentEncoding.encoded(role, keeping: "+=,@")
                ask(get(target), finish, read: S3Credentials.members(json:), grace: Self.grace)
            }
        }
    }

    // MARK: Exchanges

    /// Within this machine or its host, so an answer is a matter of milliseconds.
    private func metadata(_ url: OriginURL) -> ExchangeRequest {
        var request = ExchangeRequest(url)
        request.addresses = settings.addresses.withMetadata
        request.limits.connect = .seconds(2)
        request.limits.firstByte = .seconds(5)
        request.limits.total = .seconds(5)
        return request
    }

    /// Sends it again if the first time fails in a way that may pass: without credentials nothing works.
    private func sendTwice(_ request: ExchangeRequest, _ done: @escaping (Result<Exchanged, OriginError>) -> Void) {
        send(request) { result in
            let mayPass =
                switch result {
                case .failure(let error): error.isTransient
                case .success(let exchanged): exchanged.head.status.code >= 500
                }
            if mayPass { send(request, done) } else { done(result) }
        }
    }

    /// Calls `next` with the first line of the answer.
    private func word(_ request: ExchangeRequest, _ finish: @escaping Finish, _ next: @escaping (String) -> Void) {
        sendTwice(request) { result in
            switch result {
            case .failure(let error): finish(.failure(.failed(error)))
            case .success(let exchanged) where exchanged.head.status != .ok:
                finish(.failure(.refused(status: exchanged.head.status.code, code: "")))
            case .success(let exchanged):
                let line = String(decoding: exchanged.content.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
                guard Self.isVisible(line), line.utf8.count <= 1_024 else { return finish(.failure(.malformed)) }
                next(line)
            }
        }
    }

    /// `read` gives the members of the answer, also of one that refuses.
    private func ask(
        _ request: ExchangeRequest, _ finish: @escaping Finish, read: @escaping ([UInt8]) -> [String: String]?,
        grace: Int = 0
    ) {
        sendTwice(request) { result in
            switch result {
            case .failure(let error): finish(.failure(.failed(error)))
            case .success(let exchanged):
                let members = read(exchanged.content) ?? [:]
                let (status, code) = (exchanged.head.status, members["Code"] ?? "")
                guard status == .ok, code.isEmpty || code == "Success" else {
                    let isWord =
                        code.utf8.count <= 64 && code.utf8.allSatisfy { (0x61...0x7A).contains(ASCII.lowercased($0)) }
                    return finish(.failure(.refused(status: status.code, code: isWord ? code : "")))
                }
                // The clock of the other server, as ours may not be set yet.
                let here = exchanged.headTime
                let now = exchanged.head.fields.first("date").flatMap { HTTPDate.parse($0, now: here) } ?? here
                finish(
                    Result { () throws(S3CredentialFault) in
                        try S3Credentials.read(members, unixSeconds: now, grace: grace)
                    })
            }
        }
    }
}
