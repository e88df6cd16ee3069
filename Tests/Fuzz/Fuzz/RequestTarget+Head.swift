@testable import Server

/// Heads of requests: what they ask for, and who sends them.
extension RequestTarget {
    private static let router = Router(RouteList.all)
    private static let sites = SiteRules(hosts: ["books.example"], origins: ["https://shelf.example"])

    /// The first line is `POST /path?name=value`; each of the others is a header field.
    static func readHead(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let head = head(lines) { $0 }
        // The names of header fields have no case.
        let other = Self.head(lines) { byte in (97...122).contains(byte) ? byte ^ 0x20 : byte }
        demand(RequestFraming.refusal(head) == RequestFraming.refusal(other), "framing depends on case")
        demand(Credentials.bearer(head) == Credentials.bearer(other), "a token depends on case")
        demand(Credentials.cookie(head) == Credentials.cookie(other), "a cookie depends on case")
        demand(accepted(head) == accepted(other), "a handshake depends on case")
        _ = Handshake.tokens(head)
        _ = TraceContext.trace(head["traceparent"])
        readSite(head["Host"] ?? "", head["Origin"])
        readParameters(head)
        route(head)
    }

    private static func head(
        _ lines: [ArraySlice<UInt8>], name: (UInt8) -> UInt8
    ) -> RequestHead {
        let words = (lines.first ?? []).split(separator: 32, maxSplits: 1)
        let method = String(decoding: words.first ?? [], as: UTF8.self)
        var head = Array(words.last ?? []).withUnsafeBytes { RequestHead(method: method, target: $0) }
        for line in lines.dropFirst() {
            let sides = line.split(
                separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            let value = (sides.dropFirst().first ?? []).drop { $0 == 32 }
            head.add(sides[0].map(name), Array(value), to: .fields)
        }
        return head
    }

    /// Answer to a handshake, as text.
    private static func accepted(_ head: RequestHead) -> [String]? {
        try? Handshake.fields(for: head).get().map { "\($0.name): \($0.value)" }
    }

    private static func readSite(_ host: String, _ origin: String?) {
        if host.utf8.allSatisfy({ $0 < 128 }) {
            demand(sites.isOurs(host: host.uppercased()) == sites.isOurs(host: host), "a name has a case")
        }
        if sites.isOurs(host: host) {
            let own = sites.origin("https://\(host)", host: host)
            demand(own == .own, "a page of \(host) is refused at home")
        }
        guard let origin, sites.origin(origin, host: host) == .own else { return }
        demand(origin.lowercased().hasSuffix("://\(host.lowercased())"), "\(origin) is taken for \(host)")
    }

    private static func readParameters(_ head: RequestHead) {
        guard let parameters = try? head.parameters() else { return }
        var again = RequestHead.empty
        for (name, value) in parameters {
            again.add(Array(escaped(name).utf8), Array(escaped(value).utf8), to: .query)
        }
        let read = try? again.parameters()
        demand(read?.elementsEqual(parameters, by: ==) ?? false, "a query is not read back")
    }

    /// The path that is made of a route and its parameters leads to the same route.
    private static func route(_ head: RequestHead) {
        guard let (route, values) = match(head.method, head) else { return }
        let parts = route.segments.map { part in
            part.hasPrefix("{") ? escaped(values[String(part.dropFirst().dropLast())] ?? "") : String(part)
        }
        let path = Array(("/" + parts.joined(separator: "/")).utf8)
        let again = match(head.method, path.withUnsafeBytes { RequestHead(method: "", target: $0) })
        demand(
            again?.route.label == route.label && again?.values == values,
            "\(route.label) has other parameters when its path is made anew")
    }

    private static func match(
        _ method: RequestHead.Method?, _ head: RequestHead
    ) -> (route: Route, values: [String: String])? {
        let match = try? router.match(method, path: head.path) { () throws(EscapedText.Malformed) in
            try head.segments()
        }
        guard case .route(let route, let values) = match else { return nil }
        return (route, values)
    }

    /// The first line is the other end of the connection, the second the proxies that are trusted, and each further one
    /// a value of `X-Forwarded-For`.
    static func readAddresses(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let peer = String(lines[0])
        let texts = lines.dropFirst().first?.split(separator: " ").map(String.init) ?? []
        let proxies = texts.compactMap { ClientAddress.Range($0) }
        let forwarded = lines.dropFirst(2).map(String.init)
        let client = ClientAddress(proxies: proxies).client(peer: peer, forwarded: forwarded)
        let joined = ClientAddress(proxies: proxies).client(
            peer: peer, forwarded: [forwarded.joined(separator: ",")])
        demand(client == joined, "a client's address depends on how a field is divided")
        for text in [peer, client] + texts {
            guard let address = IPAddress(text) else { continue }
            demand(IPAddress(address.text) == address, "\(address.text) is not read back")
            demand(text.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "\(text.debugDescription) is an address")
            demand(
                ClientAddress.key(address.text) == ClientAddress.key(text),
                "\(text) is counted apart from \(address.text)")
            demand(ClientAddress.Range(text)?.contains(address) ?? false, "\(text) is not in itself")
        }
    }
}

extension RequestHead {
    fileprivate enum Part { case query, fields }

    fileprivate static var empty: RequestHead {
        [UInt8]().withUnsafeBytes { RequestHead(method: "GET", target: $0) }
    }

    fileprivate mutating func add(_ name: [UInt8], _ value: [UInt8], to part: Part) {
        name.withUnsafeBytes { name in
            value.withUnsafeBytes { value in
                switch part {
                case .query: addParameter(name, value)
                case .fields: addField(name, value)
                }
            }
        }
    }
}
